import * as vscode from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import { setTimer as realTimer, type SetTimer } from '../../model/time.js';
import { Serial } from '../serial.js';
import type { IndexRead, Keyring } from './keyring.js';
import { type KeyringState, type StoredOrganization, tokensOf } from './organization.js';

const saidKey = 'lostSignIns';

/** How long two windows may take to write a secret and the index, before a difference between them means something. */
const settleDelay = 1000;
/** A keyring that can't be read is tried again after `settleDelay`, then twice that, and at least this often. */
const longestDelay = 60_000;

interface SignInsOptions {
  readonly keyring: Keyring;
  readonly secrets: Pick<KnownSecrets, 'addToken' | 'remove'>;
  /** The keyring changed, here or in another window. */
  readonly onDidChange: vscode.Event<unknown>;
  /** Remembers across windows which losses were said already; opaque ids only. */
  readonly said: vscode.Memento;
  /** The id this workspace chose, if it stands for a sign-in. */
  readonly chosen: () => string | undefined;
  readonly setTimer?: SetTimer;
}

/** What the keyring holds at one moment. */
interface Look {
  readonly index: IndexRead;
  /** Neither the index nor a secret was unreadable. */
  readonly whole: boolean;
  readonly found: ReadonlyMap<string, StoredOrganization>;
  readonly gone: ReadonlySet<string>;
}

/** The sign-ins of this machine, kept in step with the keyring while other windows change it too. */
export class SignIns implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly lost = new vscode.EventEmitter<void>();
  private readonly queue = new Serial();
  private readonly listener: vscode.Disposable;
  /** Signed out of in this window, so that an id which another window writes back into the index counts as no loss. */
  private readonly signedOut = new Set<string>();
  /** Tokens that are redacted because of this window's sign-ins. */
  private readonly tokens = new Set<string>();
  private known: ReadonlyMap<string, StoredOrganization> = new Map();
  private reloading = false;
  private settling: { dispose(): void } | undefined;
  private delay = settleDelay;
  private readonly firstLoad: Promise<void>;

  readonly onDidChange = this.changed.event;
  /** An id in the index has no secret any more. Fires once for each loss, not once a window. */
  readonly onDidLose = this.lost.event;
  state: KeyringState = 'loading';
  /** What the index lists, whether or not the keyring still has its secret, and what was found besides; `undefined`: not known. */
  notSignedOut: ReadonlySet<string> | undefined;

  constructor(private readonly options: SignInsOptions) {
    this.listener = options.onDidChange(() => this.reload());
    this.firstLoad = this.queue.run(() => this.load());
  }

  /** Resolves when the keyring has been asked. One that could not be read is asked again now: somebody is waiting for it. */
  get ready(): Promise<void> {
    return this.state === 'unreadable' ? this.queue.run(() => this.load()) : this.firstLoad;
  }

  get all(): readonly StoredOrganization[] {
    return [...this.known.values()];
  }

  get(id: string): StoredOrganization | undefined {
    return this.known.get(id);
  }

  /** Redacts it from now on. `KnownSecrets` remembers it when no sign-in has it any more: a late answer may repeat it. */
  know(token: string): void {
    if (this.tokens.has(token)) return;
    this.tokens.add(token);
    this.options.secrets.addToken(token);
  }

  /**
   * Decides on what the keyring holds now (not on what this window knew) and writes it. `committed` runs before the change
   * event. Rejects with what the keyring said, and only if nothing is changed.
   */
  save(
    decide: (latest: readonly StoredOrganization[]) => StoredOrganization,
    committed: (saved: StoredOrganization) => void = () => undefined,
  ): Promise<StoredOrganization> {
    return this.queue.run(async () => {
      const look = await this.look();
      const found = new Map(look.found);
      const organization = await this.decided(found, decide);
      for (const token of tokensOf(organization)) this.know(token);
      await this.options.keyring.write(organization);
      // A new sign-in replaces what was lost; until then its id stays, in case the keyring finds it again.
      const lost = indexed(look).filter((id) => look.gone.has(id));
      try {
        await this.options.keyring.changeIndex([organization.id], lost);
      } catch (error) {
        // A new secret that no index lists would stay in the keyring for ever, so it is taken back.
        if (!found.has(organization.id) && (await this.takenBack(organization.id))) throw error;
        // The token is stored, so the sign-in worked; the index is repaired later.
        this.settleLater();
      }
      this.signedOut.delete(organization.id);
      // A loss that is not cleared is at worst said once more.
      await this.clear(lost).catch(() => undefined);
      if (look.whole) this.state = 'read';
      this.hold(found.set(organization.id, organization));
      if (this.notSignedOut) this.notSignedOut = new Set([...this.notSignedOut, organization.id]);
      committed(organization);
      this.changed.fire();
      return organization;
    });
  }

  /**
   * A secret that is to be changed is read once more right before it is written: another window may have replaced its token, or
   * signed out, since the look. `found` is brought up to date with it.
   */
  private async decided(
    found: Map<string, StoredOrganization>,
    decide: (latest: readonly StoredOrganization[]) => StoredOrganization,
  ): Promise<StoredOrganization> {
    const organization = decide([...found.values()]);
    const { id } = organization;
    if (!found.has(id)) return organization;
    const latest = await this.options.keyring.readForWriting(id);
    if (latest) found.set(id, latest);
    else found.delete(id);
    return decide([...found.values()]);
  }

  private takenBack(id: string): Promise<boolean> {
    return this.options.keyring.delete(id).then(
      () => true,
      () => false,
    );
  }

  /** Deletes the secret first, so that the token is gone whatever happens afterwards. */
  delete(id: string): Promise<void> {
    return this.queue.run(async () => {
      await this.options.keyring.delete(id);
      this.signedOut.add(id);
      this.hold(new Map([...this.known].filter(([known]) => known !== id)));
      if (this.notSignedOut) this.notSignedOut = new Set([...this.notSignedOut].filter((other) => other !== id));
      this.changed.fire();
      // An id that is left over in the index does no harm, and is removed later.
      await this.options.keyring.changeIndex([], [id]).catch(() => this.settleLater());
    });
  }

  dispose(): void {
    this.listener.dispose();
    this.settling?.dispose();
    this.changed.dispose();
    this.lost.dispose();
  }

  /** One look is enough for several events in a row (a secret, then the index). */
  private reload(): void {
    if (this.reloading) return;
    this.reloading = true;
    void this.queue.run(async () => {
      this.reloading = false;
      await this.load();
    });
  }

  private async load(): Promise<void> {
    const look = await this.look();
    this.take(look);
    if (!look.whole || strays(look).length > 0 || this.losses(look).length > 0 || this.ghosts(look).length > 0) {
      this.settleLater();
    }
  }

  private async look(): Promise<Look> {
    const index = await this.options.keyring.readIndex();
    const chosen = this.options.chosen();
    // Secrets decide who is signed in, so those that the index does not list (any more) are read too.
    const ids = new Set([...(index.kind === 'found' ? index.ids : []), ...this.known.keys()]);
    if (chosen !== undefined) ids.add(chosen);
    const found = new Map<string, StoredOrganization>();
    const gone = new Set<string>();
    let whole = index.kind !== 'unreadable';
    await Promise.all(
      [...ids].map(async (id) => {
        const read = await this.options.keyring.read(id);
        if (read.kind === 'found') found.set(id, read.organization);
        if (read.kind === 'gone') gone.add(id);
        if (read.kind !== 'unreadable') return;
        whole = false;
        const known = this.known.get(id);
        // A keyring that fails for a moment signs nobody out.
        if (known) found.set(id, known);
      }),
    );
    return { index, whole, found, gone };
  }

  private take(look: Look): void {
    const { found, whole } = look;
    const before = { known: this.known, state: this.state, notSignedOut: this.notSignedOut };
    this.hold(found);
    this.takeIndex(look);
    if (whole) this.state = 'read';
    else if (this.state === 'loading') this.state = 'unreadable';
    // Another window signs out with two writes, and only the second one (the index) shows that the first was no loss.
    const signedOut = [...(before.notSignedOut ?? [])].some((id) => !this.notSignedOut?.has(id));
    if (this.state !== before.state || signedOut || !same(found, before.known)) this.changed.fire();
  }

  /** A missing index says nothing about any sign-in, so what was known of it stays. */
  private takeIndex(look: Look): void {
    if (look.index.kind !== 'found') return;
    const ghosts = this.ghosts(look);
    const listed = indexed(look).filter((id) => !ghosts.includes(id));
    this.notSignedOut = new Set([...listed, ...look.found.keys()]);
  }

  private hold(known: ReadonlyMap<string, StoredOrganization>): void {
    this.known = known;
    const held = new Set(this.all.flatMap(tokensOf));
    for (const token of held) this.know(token);
    for (const token of this.tokens) {
      if (held.has(token)) continue;
      this.tokens.delete(token);
      this.options.secrets.remove(token);
    }
  }

  private settleLater(): void {
    this.settling?.dispose();
    this.settling = (this.options.setTimer ?? realTimer)(() => {
      void this.queue.run(() => this.settle()).catch(() => undefined);
    }, this.delay);
  }

  /** Repairs or reports what still differs when all windows had time to write both the secret and the index. */
  private async settle(): Promise<void> {
    const look = await this.look();
    this.take(look);
    this.delay = look.whole ? settleDelay : Math.min(2 * this.delay, longestDelay);
    if (!look.whole) this.settleLater();
    const losses = this.losses(look);
    if (losses.length > 0) {
      await this.options.said.update(saidKey, [...this.said(), ...losses]);
      this.lost.fire();
    }
    const stray = strays(look);
    const ghosts = this.ghosts(look);
    // Windows that repair the same thing at the same time do no harm, as they write the same.
    if (stray.length > 0 || ghosts.length > 0) await this.options.keyring.changeIndex(stray, ghosts);
  }

  /** Sign-ins without a secret that were not reported yet. Without an index, the id that this workspace chose is the only one known. */
  private losses(look: Look): readonly string[] {
    const chosen = this.options.chosen();
    const witnesses = look.index.kind === 'absent' && chosen !== undefined ? [chosen] : indexed(look);
    const said = this.said();
    return witnesses.filter((id) => look.gone.has(id) && !this.signedOut.has(id) && !said.includes(id));
  }

  /** Listed although this window signed out of them, since another window wrote an older index. */
  private ghosts(look: Look): readonly string[] {
    return indexed(look).filter((id) => look.gone.has(id) && this.signedOut.has(id));
  }

  private said(): readonly string[] {
    const said = this.options.said.get<unknown>(saidKey);
    return Array.isArray(said) ? said.filter((id) => typeof id === 'string') : [];
  }

  /** Forgets losses for good, with the unreadable remains of a damaged secret. */
  private async clear(lost: readonly string[]): Promise<void> {
    await Promise.all(lost.map((id) => this.options.keyring.delete(id).catch(() => undefined)));
    const said = this.said();
    const rest = said.filter((id) => !lost.includes(id));
    if (rest.length < said.length) await this.options.said.update(saidKey, rest);
  }
}

function indexed({ index }: Look): readonly string[] {
  return index.kind === 'found' ? index.ids : [];
}

/** Secrets that the index does not list, since another window overwrote it. */
function strays(look: Look): readonly string[] {
  const { index, found } = look;
  const listed = indexed(look);
  return index.kind === 'unreadable' ? [] : [...found.keys()].filter((id) => !listed.includes(id));
}

function same(a: Look['found'], b: Look['found']): boolean {
  return a.size === b.size && [...a].every(([id, organization]) => equal(organization, b.get(id)));
}

function equal(a: StoredOrganization, b: StoredOrganization | undefined): boolean {
  return a.name === b?.name && a.baseUrl === b.baseUrl && a.token === b.token && a.sessionToken === b.sessionToken;
}

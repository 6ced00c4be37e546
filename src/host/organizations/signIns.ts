import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import { setTimer as realTimer, type SetTimer } from '../../model/time.js';
import { Serial } from '../serial.js';
import type { Keyring } from './keyring.js';
import { type KeyringState, type StoredOrganization, tokensOf } from './organization.js';
import { keyringUnreadable, sayLostSignIn } from './refusals.js';

const saidKey = 'lostSignIns';

/** How long two windows may take to write a secret and the index, before a difference between them means something. */
const settleDelay = 1000;
/** A keyring that can't be read is tried again after `settleDelay`, then twice that, and at least this often. */
const longestDelay = 60_000;

type Decide = (latest: readonly StoredOrganization[]) => StoredOrganization;

/** The sign-ins of this machine, kept in step with the keyring while other windows change it too. */
export class SignIns implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly queue = new Serial();
  private readonly listener: vscode.Disposable;
  private readonly signedOut = new Set<string>();
  /** As it was read last; `undefined`: never. */
  private index: readonly string[] | undefined;
  private settling: { dispose(): void } | undefined;
  private delay = settleDelay;
  private readonly firstLoad: Promise<void>;

  readonly onDidChange = this.changed.event;
  state: KeyringState = 'loading';
  known: ReadonlyMap<string, StoredOrganization> = new Map();

  /**
   * `memory`: remembers across windows which losses were said already; opaque ids only. `chosen`: the id this workspace chose, if
   * it stands for a sign-in.
   */
  constructor(
    private readonly keyring: Keyring,
    private readonly secrets: Pick<KnownSecrets, 'addToken' | 'remove'>,
    private readonly memory: vscode.Memento,
    private readonly chosen: () => string | undefined,
    private readonly setTimer: SetTimer = realTimer,
  ) {
    this.listener = keyring.onDidChange(() => void this.queue.run(() => this.load()));
    this.firstLoad = this.queue.run(() => this.load());
  }

  get ready(): Promise<void> {
    return this.state === 'unreadable' ? this.queue.run(() => this.load()) : this.firstLoad;
  }

  /** What the index lists, whether or not the keyring still has its secret, and what was found besides; `undefined`: not known. */
  get notSignedOut(): ReadonlySet<string> | undefined {
    return this.index && new Set([...this.index.filter((id) => !this.signedOut.has(id)), ...this.known.keys()]);
  }

  /**
   * Decides on what the keyring holds now (not on what this window knew) and writes it. `token`: the new one in it. `committed` runs
   * before the change event. Rejects with what the keyring said, and only if nothing is changed.
   */
  save(token: string | undefined, decide: Decide, committed?: (id: string) => void): Promise<StoredOrganization> {
    return this.queue.run(async () => {
      // Redacted before the keyring gets it, since an error of the keyring may repeat it.
      if (token) this.secrets.addToken(token);
      try {
        const saved = await this.write(decide);
        committed?.(saved.id);
        this.changed.fire();
        return saved;
      } finally {
        if (token) this.secrets.remove(token);
      }
    });
  }

  /** Deletes the secret first, so that the token is gone whatever happens afterwards. */
  delete(id: string): Promise<void> {
    return this.queue.run(async () => {
      await this.keyring.delete(id);
      this.signedOut.add(id);
      this.hold(new Map([...this.known].filter(([known]) => known !== id)));
      this.changed.fire();
      // An id that is left over in the index does no harm, and is removed later.
      await this.keyring.changeIndex([], [id]).catch(() => this.settleLater());
    });
  }

  dispose(): void {
    this.listener.dispose();
    this.settling?.dispose();
    this.changed.dispose();
  }

  private async write(decide: Decide): Promise<StoredOrganization> {
    const { found: known, missing, whole } = await this.look();
    let organization = decide([...known.values()]);
    const { id } = organization;
    if (known.has(id)) {
      // Another window may have replaced its token, or signed out, since the look.
      const latest = await this.keyring.read(id);
      if (latest === 'unreadable') throw keyringUnreadable();
      if (latest === 'gone') known.delete(id);
      else known.set(id, latest);
      organization = decide([...known.values()]);
    }
    await this.keyring.write(organization);
    try {
      // A new sign-in replaces what was lost; until then its id stays, in case the keyring finds it again.
      await this.keyring.changeIndex([organization.id], missing);
    } catch (error) {
      // A new secret that no index lists would stay in the keyring for ever, so it is taken back.
      if (!known.has(organization.id) && (await this.isDeleted(organization.id))) throw error;
      // The token is stored, so the sign-in worked; the index is repaired later.
      this.settleLater();
    }
    // What is left of a damaged secret.
    await Promise.all(missing.map((lost) => this.isDeleted(lost)));
    if (whole) this.state = 'read';
    this.hold(known.set(organization.id, organization));
    return organization;
  }

  private isDeleted(id: string): Promise<boolean> {
    return this.keyring.delete(id).then(
      () => true,
      () => false,
    );
  }

  /**
   * Takes over what the keyring holds. `settled`: all windows had time to write both the secret and the index, so what still
   * differs is repaired or reported.
   */
  private async load(settled = false): Promise<void> {
    const { listed, whole, found, missing, strays } = await this.look();
    const before = this.facts;
    this.hold(found);
    this.index = listed ?? this.index;
    if (whole) this.state = 'read';
    else if (this.state === 'loading') this.state = 'unreadable';
    if (!isDeepStrictEqual(this.facts, before)) this.changed.fire();

    // Another window wrote an older index after this one had signed out of them.
    const ghosts = missing.filter((id) => this.signedOut.has(id));
    const said = this.memory.get<readonly string[]>(saidKey, []);
    const losses = missing.filter((id) => !this.signedOut.has(id) && !said.includes(id));
    if (settled) this.delay = whole ? settleDelay : Math.min(2 * this.delay, longestDelay);
    if (!whole || (!settled && strays.length + ghosts.length + losses.length > 0)) this.settleLater();
    if (!settled) return;
    if (losses.length > 0) {
      await this.memory.update(saidKey, [...said, ...losses]);
      sayLostSignIn();
    }
    // Windows that repair the same thing at the same time do no harm, as they write the same.
    if (strays.length + ghosts.length > 0) await this.keyring.changeIndex(strays, ghosts);
  }

  /** What the keyring holds at this moment. */
  private async look() {
    const index = await this.keyring.readIndex();
    const listed = typeof index === 'string' ? undefined : index;
    const chosen = this.chosen();
    const own = chosen === undefined ? [] : [chosen];
    // Secrets decide who is signed in, so those that the index does not list (any more) are read too.
    const ids = new Set([...(listed ?? []), ...this.known.keys(), ...own]);
    const reads = await Promise.all([...ids].map(async (id) => ({ id, read: await this.keyring.read(id) })));
    const found = new Map<string, StoredOrganization>();
    for (const { id, read } of reads) {
      // A keyring that fails for a moment signs nobody out.
      const organization = read === 'unreadable' ? this.known.get(id) : read;
      if (organization && organization !== 'gone') found.set(id, organization);
    }
    // Without an index, the id that this workspace chose is the only one of which something is known.
    const expected = index === 'gone' ? own : (listed ?? []);
    return {
      listed,
      found,
      /** Neither the index nor a secret was unreadable. */
      whole: index !== 'unreadable' && reads.every(({ read }) => read !== 'unreadable'),
      /** Sign-ins whose secret is gone. */
      missing: expected.filter((id) => reads.some((one) => one.id === id && one.read === 'gone')),
      /** Secrets that the index does not list, since another window overwrote it. */
      strays: index === 'unreadable' ? [] : [...found.keys()].filter((id) => !listed?.includes(id)),
    };
  }

  /**
   * A change in these is told. Ids count besides sign-ins, because another window signs out with two writes, and only the second one
   * (the index) shows that the first was no loss.
   */
  private get facts() {
    return [this.state, this.known, this.notSignedOut];
  }

  /**
   * Adds the new tokens before it takes back the old ones, so that one that stays never counts as past. `KnownSecrets` goes on
   * redacting the latest past ones, since a late answer may repeat them.
   */
  private hold(known: ReadonlyMap<string, StoredOrganization>): void {
    const before = this.known;
    this.known = known;
    for (const token of [...known.values()].flatMap(tokensOf)) this.secrets.addToken(token);
    for (const token of [...before.values()].flatMap(tokensOf)) this.secrets.remove(token);
  }

  private settleLater(): void {
    this.settling?.dispose();
    this.settling = this.setTimer(() => {
      void this.queue.run(() => this.load(true)).catch(() => undefined);
    }, this.delay);
  }
}

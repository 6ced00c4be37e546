import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import { Owner } from '../../model/owner.js';
import { setTimer as realTimer, type SetTimer } from '../../model/time.js';
import { Serial } from '../serial.js';
import { type Keyring, keyringUnreadable } from './keyring.js';
import { environmentId, type KeyringState, type StoredOrganization, tokensOf } from './organization.js';

/** A keyring that can't be read is tried again after `minRetryMs`, then twice that, and at least every `maxRetryMs`. */
const minRetryMs = 1000;
const maxRetryMs = 60_000;

/**
 * The sign-ins of this machine, read again whenever a window changes one. A window writes or deletes a secret only when its user
 * signs in, signs out or sets a session token; of two windows that do so at the same moment the later one wins.
 */
export class SignIns extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly queue = new Serial();
  private retry: { dispose(): void } | undefined;
  private retryMs = minRetryMs;
  private readonly firstLoad: Promise<void>;

  /** Another window changed something, or the keyring can be read again. */
  readonly onDidChange = this.changed.event;
  state: KeyringState = 'loading';
  known: ReadonlyMap<string, StoredOrganization> = new Map();
  /** Ids of all secrets, also of those that can't be read; `undefined` where they can't be listed. */
  ids: ReadonlySet<string> | undefined;

  constructor(
    private readonly keyring: Keyring,
    private readonly secrets: Pick<KnownSecrets, 'add'>,
    private readonly chosen: () => string | undefined,
    private readonly setTimer: SetTimer = realTimer,
  ) {
    super();
    this.own(keyring.onDidChange(() => void this.queue.run(() => this.load())));
    this.own({ dispose: () => this.retry?.dispose() });
    this.firstLoad = this.queue.run(() => this.load());
  }

  get ready(): Promise<void> {
    return this.state === 'unreadable' ? this.queue.run(() => this.load()) : this.firstLoad;
  }

  /** Writes what `change` makes of the sign-in as the keyring has it now. Rejects with what the keyring said, and then nothing is changed. */
  write(
    id: string,
    change: (latest: StoredOrganization | undefined) => StoredOrganization,
  ): Promise<StoredOrganization> {
    return this.queue.run(async () => {
      const latest = await this.keyring.read(id);
      if (latest === 'unreadable') throw keyringUnreadable();
      const organization = change(latest === 'gone' ? undefined : latest);
      // Redacted before the keyring gets them, since its error may repeat them.
      for (const token of tokensOf(organization)) this.secrets.add(token);
      await this.keyring.write(organization);
      this.ids &&= new Set([...this.ids, id]);
      this.known = new Map(this.known).set(id, organization);
      return organization;
    });
  }

  delete(id: string): Promise<void> {
    return this.queue.run(async () => {
      await this.keyring.delete(id);
      this.ids &&= new Set([...this.ids].filter((other) => other !== id));
      this.known = new Map([...this.known].filter(([other]) => other !== id));
    });
  }

  private async load(): Promise<void> {
    const ids = await this.keyring.ids();
    // Without a choice the name of the one that is never stored is looked up: the keyring may work although it lists nothing.
    const lookedUp = ids ?? new Set([...this.known.keys(), this.chosen() ?? environmentId]);
    const reads = await Promise.all(Array.from(lookedUp, async (id) => ({ id, read: await this.keyring.read(id) })));
    const found = new Map<string, StoredOrganization>();
    for (const { id, read } of reads) {
      // A keyring that fails for a moment signs the user out of nothing.
      const organization = read === 'unreadable' ? this.known.get(id) : read;
      if (organization && organization !== 'gone') found.set(id, organization);
    }
    const before = [this.state, this.known, this.ids];
    this.ids = ids && new Set(ids);
    this.known = found;
    for (const token of [...found.values()].flatMap(tokensOf)) this.secrets.add(token);
    if (reads.some(({ read }) => read === 'unreadable')) {
      if (this.state === 'loading') this.state = 'unreadable';
      this.retryLater();
    } else {
      this.state = 'read';
      this.retryMs = minRetryMs;
    }
    if (!isDeepStrictEqual([this.state, this.known, this.ids], before)) this.changed.fire();
  }

  private retryLater(): void {
    this.retry?.dispose();
    this.retry = this.setTimer(() => {
      this.retryMs = Math.min(2 * this.retryMs, maxRetryMs);
      void this.queue.run(() => this.load());
    }, this.retryMs);
  }
}

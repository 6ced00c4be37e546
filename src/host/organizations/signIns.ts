import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import { setTimer as realTimer, type SetTimer } from '../../api/timers.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import type { Disposable } from '../../model/base/emitter.js';
import { showLogAction, UserError } from '../actions.js';
import type { Log } from '../log.js';
import { messageOf } from '../messages.js';
import { Serial } from '../serial.js';
import {
  decodeOrganization,
  encodeOrganization,
  environmentId,
  type KeyringState,
  type StoredOrganization,
  tokensOf,
} from './organization.js';

const prefix = 'organization.';
const retryMs = 15_000;

/**
 * The sign-ins of this machine, read again whenever a window changes one. Of two windows that do so at the same moment the later one
 * wins. Version 0.2.0 also wrote an index of their ids, `organizations`, which is ignored and left as it is.
 */
export class SignIns extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly queue = new Serial();
  private readonly firstLoad: Promise<void>;
  private retry: Disposable | undefined;

  /** Another window changed something, or the keyring can be read again. */
  readonly onDidChange = this.changed.event;
  state: KeyringState = 'loading';
  known: ReadonlyMap<string, StoredOrganization> = new Map();
  /** Ids of all secrets, also of those that can't be read; `undefined` where they can't be listed. */
  ids: ReadonlySet<string> | undefined;

  constructor(
    private readonly keyring: vscode.SecretStorage,
    private readonly log: Pick<Log, 'warnOnce' | 'error'>,
    private readonly secrets: Pick<KnownSecrets, 'add' | 'redact'>,
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
      const organization = change(await this.read(id));
      // Redacted before the keyring gets them, since its error may repeat them.
      for (const token of tokensOf(organization)) this.secrets.add(token);
      await this.attempt(() => this.keyring.store(prefix + id, encodeOrganization(organization)));
      this.ids &&= new Set([...this.ids, id]);
      this.known = new Map(this.known).set(id, organization);
      return organization;
    });
  }

  delete(id: string): Promise<void> {
    return this.queue.run(async () => {
      await this.attempt(() => this.keyring.delete(prefix + id));
      this.ids &&= new Set([...this.ids].filter((other) => other !== id));
      this.known = new Map([...this.known].filter(([other]) => other !== id));
    });
  }

  private async load(): Promise<void> {
    const before = [this.state, this.known, this.ids];
    const ids = await this.listIds();
    // Without a choice the name of the one that is never stored is looked up: the keyring may work although it lists nothing.
    const lookedUp = ids ?? new Set([...this.known.keys(), this.chosen() ?? environmentId]);
    const found = new Map<string, StoredOrganization>();
    let isRead = true;
    const reads = Array.from(lookedUp, async (id) => {
      const organization = await this.read(id).catch(() => {
        isRead = false;
        // A keyring that fails for a moment signs the user out of nothing.
        return this.known.get(id);
      });
      if (organization) found.set(id, organization);
    });
    await Promise.all(reads);
    this.ids = ids;
    this.known = found;
    for (const token of [...found.values()].flatMap(tokensOf)) this.secrets.add(token);
    if (isRead) this.state = 'read';
    else if (this.state === 'loading') this.state = 'unreadable';
    this.retry?.dispose();
    if (!isRead) this.retry = this.setTimer(() => void this.queue.run(() => this.load()), retryMs);
    if (!isDeepStrictEqual([this.state, this.known, this.ids], before)) this.changed.fire();
  }

  /** `undefined`: the keyring fails, or the host of a VS Code in the browser has no `keys`. */
  private async listIds(): Promise<ReadonlySet<string> | undefined> {
    try {
      const keys = await this.keyring.keys();
      return new Set(keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)));
    } catch (error) {
      this.log.warnOnce(`The sign-ins in the keyring could not be listed: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** `undefined`: never stored, deleted, or damaged. Rejects if the keyring fails: whether it holds the sign-in is not known. */
  private async read(id: string): Promise<StoredOrganization | undefined> {
    let text: string | undefined;
    try {
      text = await this.keyring.get(prefix + id);
    } catch (error) {
      this.log.warnOnce(`The keyring could not be read: ${messageOf(error)}`);
      throw keyringUnreadable();
    }
    const organization = text === undefined ? undefined : decodeOrganization(id, text);
    if (text !== undefined && !organization) {
      this.log.warnOnce(`The sign-in ${id} in the keyring is damaged and ignored. Sign in again.`);
    }
    return organization;
  }

  private async attempt(write: () => Thenable<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const reason = messageOf(error);
      this.log.error(`The keyring refused to write: ${reason}`);
      // It may repeat the token that it was to keep.
      const words = { reason: this.secrets.redact(reason).replace(/\.$/, '') };
      const sentence = vscode.l10n.t(
        'Nothing was changed, because the keyring reported: {reason}. Unlock it or set one up, then try again.',
        words,
      );
      throw new UserError(sentence, [showLogAction]);
    }
  }
}

export function keyringUnreadable(): UserError {
  return new UserError(
    vscode.l10n.t(
      'VS Code’s secret storage cannot be read. Unlock the keyring or set one up; reading is retried automatically.',
    ),
    [showLogAction],
  );
}

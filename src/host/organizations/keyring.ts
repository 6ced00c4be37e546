import type * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import { showLogAction, UserError } from '../actions.js';
import type { Log } from '../log.js';
import { messageOf } from '../messages.js';
import { decodeOrganization, encodeOrganization, type StoredOrganization } from './organization.js';

const prefix = 'organization.';
const secretKey = (id: string) => `${prefix}${id}`;

/** One secret per organization. Version 0.2.0 also wrote an index of their ids, `organizations`, which is ignored and left as it is. */
export class Keyring {
  /** Lines that were logged, each once, since a window reads the same secrets again and again. */
  private readonly logged = new Set<string>();

  constructor(
    private readonly storage: vscode.SecretStorage,
    private readonly log: Pick<Log, 'warn' | 'error'>,
    private readonly secrets: Pick<KnownSecrets, 'redact'>,
  ) {}

  /** Here or in another window. */
  get onDidChange(): vscode.Event<unknown> {
    return this.storage.onDidChange;
  }

  /** Of all sign-ins; `undefined` where they can't be listed: the keyring fails, or the host of a VS Code in the browser has no `keys`. */
  async ids(): Promise<readonly string[] | undefined> {
    try {
      const keys = await this.storage.keys();
      return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    } catch (error) {
      this.warnOnce(`The sign-ins in the keyring could not be listed: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** `gone`: never stored, deleted, or damaged. `unreadable`: the keyring failed; whether it holds the sign-in is not known. */
  async read(id: string): Promise<StoredOrganization | 'gone' | 'unreadable'> {
    let text: string | undefined;
    try {
      text = await this.storage.get(secretKey(id));
    } catch (error) {
      this.warnOnce(`The keyring could not be read: ${messageOf(error)}`);
      return 'unreadable';
    }
    if (text === undefined) return 'gone';
    const organization = decodeOrganization(id, text);
    if (!organization) this.warnOnce(`The sign-in ${id} in the keyring is damaged and ignored. Sign in again.`);
    return organization ?? 'gone';
  }

  async write(organization: StoredOrganization): Promise<void> {
    await this.attempt(() => this.storage.store(secretKey(organization.id), encodeOrganization(organization)));
  }

  async delete(id: string): Promise<void> {
    await this.attempt(() => this.storage.delete(secretKey(id)));
  }

  private async attempt(write: () => Thenable<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const reason = messageOf(error);
      this.log.error(`The keyring refused to write: ${reason}`);
      // It may repeat the token that it was to keep.
      const words = { reason: this.secrets.redact(reason).replace(/\.$/, '') };
      const sentence = l10n.t(
        'Nothing was changed, because the keyring reported: {reason}. Unlock it or set one up, then try again.',
        words,
      );
      throw new UserError(sentence, [showLogAction]);
    }
  }

  private warnOnce(line: string): void {
    if (this.logged.has(line)) return;
    this.logged.add(line);
    this.log.warn(line);
  }
}

export function keyringUnreadable(): UserError {
  return new UserError(
    l10n.t(
      'VS Code’s secret storage cannot be read. Unlock the keyring or set one up; reading is retried automatically.',
    ),
    [showLogAction],
  );
}

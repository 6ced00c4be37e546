import type * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import { showLogAction, UserError } from '../actions.js';
import type { Log } from '../log.js';
import { messageOf } from '../messages.js';
import { decodeIndex, decodeOrganization, encodeOrganization, type StoredOrganization } from './organization.js';
import { keyringUnreadable } from './refusals.js';

const indexKey = 'organizations';
const secretKey = (id: string) => `organization.${id}`;

/**
 * One secret an organization and one index of opaque ids, so that windows don't overwrite each other's sign-ins. The secret
 * is the truth; the index only says where to look, as not every fork can list its secrets.
 */
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

  readIndex(): Promise<readonly string[] | 'gone' | 'unreadable'> {
    return this.get(indexKey, decodeIndex, 'The list of sign-ins in the keyring is damaged and will be written anew.');
  }

  read(id: string): Promise<StoredOrganization | 'gone' | 'unreadable'> {
    const damaged = `The sign-in ${id} in the keyring is damaged and counts as lost. Sign in again.`;
    return this.get(secretKey(id), (text) => decodeOrganization(id, text), damaged);
  }

  async write(organization: StoredOrganization): Promise<void> {
    await this.attempt(() => this.storage.store(secretKey(organization.id), encodeOrganization(organization)));
  }

  async delete(id: string): Promise<void> {
    await this.attempt(() => this.storage.delete(secretKey(id)));
  }

  /** If another window writes an older index over this one, the change event makes `SignIns` repair it. */
  async changeIndex(add: readonly string[], remove: readonly string[]): Promise<void> {
    const index = await this.readIndex();
    // Writing over an index that can't be read would make every other sign-in disappear.
    if (index === 'unreadable') throw keyringUnreadable();
    const ids = index === 'gone' ? [] : index;
    const wanted = [...new Set([...ids, ...add])].filter((id) => !remove.includes(id));
    if (index !== 'gone' && wanted.join() === ids.join()) return;
    await this.attempt(() => this.storage.store(indexKey, JSON.stringify(wanted)));
  }

  /** `gone`: never stored, lost or damaged. `unreadable`: the keyring failed; whether it holds the value is not known. */
  private async get<T>(key: string, decode: (text: string) => T | undefined, damaged: string) {
    let text: string | undefined;
    try {
      text = await this.storage.get(key);
    } catch (error) {
      this.warnOnce(`The keyring could not be read: ${messageOf(error)}`);
      return 'unreadable';
    }
    const value = text === undefined ? undefined : decode(text);
    if (text !== undefined && value === undefined) this.warnOnce(damaged);
    return value ?? 'gone';
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

import type * as vscode from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import type { Log } from '../log.js';
import { messageOf } from '../messages.js';
import { decodeIndex, decodeOrganization, encodeOrganization, type StoredOrganization } from './organization.js';
import { keyringRefused, keyringUnreadable } from './refusals.js';

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

  /** `absent`: there has never been an index, or the keyring lost it. */
  async readIndex(): Promise<readonly string[] | 'absent' | 'unreadable'> {
    const read = await this.get(indexKey);
    if (!read) return 'unreadable';
    if (read.text === undefined) return 'absent';
    const ids = decodeIndex(read.text);
    if (!ids) this.warnOnce('The list of sign-ins in the keyring is damaged and will be written anew.');
    return ids ?? 'absent';
  }

  /** `unreadable`: the keyring failed; whether it holds the secret is not known. */
  async read(id: string): Promise<StoredOrganization | 'gone' | 'unreadable'> {
    const read = await this.get(secretKey(id));
    if (!read) return 'unreadable';
    if (read.text === undefined) return 'gone';
    const organization = decodeOrganization(id, read.text);
    if (!organization) this.warnOnce(`The sign-in ${id} in the keyring is damaged and counts as lost. Sign in again.`);
    return organization ?? 'gone';
  }

  async write(organization: StoredOrganization): Promise<void> {
    await this.attempt(() => this.storage.store(secretKey(organization.id), encodeOrganization(organization)));
  }

  async delete(id: string): Promise<void> {
    await this.attempt(() => this.storage.delete(secretKey(id)));
  }

  /**
   * Repeats until the index shows the change, since another window may write in between. If one overwrites it after that, the
   * change event makes `SignIns` repair it.
   */
  async changeIndex(add: readonly string[], remove: readonly string[]): Promise<void> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const index = await this.readIndex();
      // Writing over an index that can't be read would make every other sign-in disappear.
      if (index === 'unreadable') throw keyringUnreadable();
      const ids = index === 'absent' ? [] : index;
      const wanted = [...new Set([...ids, ...add])].filter((id) => !remove.includes(id));
      if (index !== 'absent' && wanted.join() === ids.join()) return;
      await this.attempt(() => this.storage.store(indexKey, JSON.stringify(wanted)));
    }
  }

  /** `undefined`: the keyring failed. */
  private async get(key: string): Promise<{ readonly text: string | undefined } | undefined> {
    try {
      return { text: await this.storage.get(key) };
    } catch (error) {
      this.warnOnce(`The keyring could not be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  private async attempt(write: () => Thenable<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const reason = messageOf(error);
      this.log.error(`The keyring refused to write: ${reason}`);
      // It may repeat the token that it was to keep.
      throw keyringRefused(this.secrets.redact(reason).replace(/\.$/, ''));
    }
  }

  private warnOnce(line: string): void {
    if (this.logged.has(line)) return;
    this.logged.add(line);
    this.log.warn(line);
  }
}

import * as vscode from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import { decodeIndex, decodeOrganization, encodeOrganization, type StoredOrganization } from './organization.js';
import { keyringRefused } from './refusals.js';

const indexKey = 'organizations';
const secretKey = (id: string) => `organization.${id}`;

/** The part of the log that sign-ins need. */
export interface ProblemLog {
  warn(line: string): void;
  error(line: string): void;
}

/** `absent`: there has never been an index, or the keyring lost it. */
export type IndexRead =
  | { readonly kind: 'found'; readonly ids: readonly string[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' };

/** `unreadable`: the keyring failed; whether it holds the secret is not known. */
type SecretRead =
  | { readonly kind: 'found'; readonly organization: StoredOrganization }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unreadable' };

/**
 * One secret an organization and one index of opaque ids, so that windows don't overwrite each other's sign-ins. The secret
 * is the truth; the index only says where to look, as not every fork can list its secrets.
 */
export class Keyring {
  /** Lines that were logged, each once, since a window reads the same secrets again and again. */
  private readonly logged = new Set<string>();

  constructor(
    private readonly storage: vscode.SecretStorage,
    private readonly log: ProblemLog,
    private readonly secrets: KnownSecrets,
  ) {}

  async readIndex(): Promise<IndexRead> {
    const text = await this.get(indexKey);
    if (text instanceof Error) return { kind: 'unreadable' };
    if (text === undefined) return { kind: 'absent' };
    const ids = decodeIndex(text);
    if (ids) return { kind: 'found', ids };
    this.warnOnce('The list of sign-ins in the keyring is damaged and will be written anew.');
    return { kind: 'absent' };
  }

  async read(id: string): Promise<SecretRead> {
    const text = await this.get(secretKey(id));
    if (text instanceof Error) return { kind: 'unreadable' };
    if (text === undefined) return { kind: 'gone' };
    const organization = decodeOrganization(id, text);
    if (organization) return { kind: 'found', organization };
    this.warnOnce(`The sign-in ${id} in the keyring is damaged and counts as lost. Sign in again.`);
    return { kind: 'gone' };
  }

  /** Rejects if it can't be read, since writing over it could bring back what another window deleted. */
  async readForWriting(id: string): Promise<StoredOrganization | undefined> {
    const read = await this.read(id);
    if (read.kind === 'unreadable') throw this.failure(vscode.l10n.t('it cannot be read'));
    return read.kind === 'found' ? read.organization : undefined;
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
      if (index.kind === 'unreadable') throw this.failure(vscode.l10n.t('it cannot be read'));
      const ids = index.kind === 'found' ? index.ids : [];
      const wanted = [...new Set([...ids, ...add])].filter((id) => !remove.includes(id));
      if (index.kind === 'found' && wanted.length === ids.length && wanted.every((id) => ids.includes(id))) return;
      await this.attempt(() => this.storage.store(indexKey, JSON.stringify(wanted)));
    }
  }

  private async get(key: string): Promise<string | undefined | Error> {
    try {
      return await this.storage.get(key);
    } catch (error) {
      this.warnOnce(`The keyring could not be read: ${textOf(error)}`);
      return error instanceof Error ? error : new Error(textOf(error));
    }
  }

  private async attempt(write: () => Thenable<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.log.error(`The keyring refused to write: ${textOf(error)}`);
      throw this.failure(textOf(error));
    }
  }

  /** The keyring's reason is redacted, since it may repeat the token that it was to keep. */
  private failure(reason: string): Error {
    return keyringRefused(this.secrets.redact(reason).replace(/\.$/, ''));
  }

  private warnOnce(line: string): void {
    if (this.logged.has(line)) return;
    this.logged.add(line);
    this.log.warn(line);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

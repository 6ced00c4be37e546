import type * as vscode from 'vscode';
import type { Target } from '../api/client.js';
import type { Organization } from './organization.js';

/** Why no organization is current. `unreadable`: the keyring can't be read (yet), so nobody knows which ones there are. */
export type NoOrganization = 'loading' | 'unreadable' | 'notSignedIn' | 'chooseOne';

/** access: 4.2 and 4.3. install: 4.1, the user session token if there is one, else the access token. */
export type Slot = 'access' | 'install';

export interface SignIn {
  readonly name: string;
  readonly baseUrl: string;
  readonly token: string;
}

/** The organizations of this machine, and which one this workspace uses (contract, "Organizations and credentials"). */
export interface Organizations extends vscode.Disposable {
  /** The list, the current one, or a token changed; also when another window did it. */
  readonly onDidChange: vscode.Event<void>;
  /** The keyring lost a sign-in: said once, with Sign In (`sayLostSignIns`). */
  readonly onDidLoseSignIn: vscode.Event<void>;
  /** By name; `environment` first. */
  readonly list: readonly Organization[];
  /**
   * Ids of all organizations that nobody has signed out of: also of those that the keyring lost and may find again, and of
   * `environment`, even without its variables. `undefined`: not known, as the keyring's index could not be read.
   */
  readonly notSignedOut: ReadonlySet<string> | undefined;
  readonly current: Organization | undefined;
  /** Why there is no current one; `undefined` if there is. */
  readonly missing: NoOrganization | undefined;
  /** Resolves when the keyring has been asked. One that could not be read is asked again now: somebody is waiting for it. */
  readonly ready: Promise<void>;
  get(id: string): Organization | undefined;
  /** With the token of that slot, or `undefined` if the organization is gone. */
  target(id: string, slot: Slot): Target | undefined;
  /** Known base URL and name: replaces the token. Becomes current. Rejects with what the keyring said. */
  signIn(input: SignIn): Promise<Organization>;
  /** `undefined` removes it. */
  setSessionToken(id: string, token: string | undefined): Promise<void>;
  signOut(id: string): Promise<void>;
  /** Makes it this workspace's organization. */
  use(id: string): Promise<void>;
  /** Whether the text is, or contains, a stored token: then it is no id, and must go nowhere. */
  holdsToken(text: string): boolean;
}

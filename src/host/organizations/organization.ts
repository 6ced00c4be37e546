import { isRecord } from '../../api/decode.js';
import { parseBaseUrl } from '../../api/entered/baseUrl.js';
import { isUsableToken } from '../../api/secrets.js';
import { compareNames } from '../../model/findings/order.js';

export interface StoredOrganization {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionToken?: string;
  /** Grows with each change of its tokens. Version 0.2.0 wrote none. */
  readonly revision?: number;
}

/** What views and commands know of it. `Organizations.target` gives out its tokens, for a request. */
export interface Organization extends Pick<StoredOrganization, 'id' | 'name' | 'baseUrl'> {
  readonly source: 'keyring' | 'environment';
  readonly hasSessionToken: boolean;
}

/**
 * `unreadable`: the keyring fails and has never been read as a whole. What could be read of it is there.
 * `waiting`: neither has it been, and it has not answered for 10 s.
 */
export type KeyringState = 'loading' | 'waiting' | 'unreadable' | 'read';

/** Why no organization is current. `chosenGone`: this workspace chose one that is signed out or that the keyring lost. */
export type NoOrganization =
  | Exclude<KeyringState, 'read'>
  | 'notSignedIn'
  | 'chooseOne'
  | 'chosenGone';

/** If the one that a workspace chose is gone there is none, never another, so that no command acts with the wrong account. */
export function chooseOrganization(
  chosen: string | undefined,
  organizations: readonly Organization[],
  keyring: KeyringState,
): Organization | NoOrganization {
  const isOnly = keyring === 'read' && organizations.length === 1;
  const current = organizations.find(({ id, source }) =>
    chosen === undefined ? source === 'environment' || isOnly : id === chosen,
  );
  if (current) return current;
  if (keyring !== 'read') return keyring;
  // Signing in does not bring back the organization of the environment.
  if (chosen !== undefined && chosen !== environmentId) return 'chosenGone';
  return organizations.length === 0 ? 'notSignedIn' : 'chooseOne';
}

/** Name and id of the read-only organization; the id is fixed, so that a workspace that chose it finds it in the next window. */
export const environmentId = 'environment';

/** Names are unique regardless of case, and regardless of how a character is composed. */
export function sameName(...names: readonly [string, string]): boolean {
  // Upper case first: `ß` and `ẞ`, `ς` and `σ` meet there.
  const [a, b] = names.map((name) => name.normalize('NFKC').trim().toUpperCase().toLowerCase());
  return a === b;
}

export function inOrder(organizations: readonly Organization[]): readonly Organization[] {
  return organizations.toSorted(
    (a, b) =>
      Number(b.source === 'environment') - Number(a.source === 'environment') ||
      compareNames(a.name, b.name) ||
      (a.id < b.id ? -1 : 1),
  );
}

export function encodeOrganization({
  name,
  baseUrl,
  token,
  sessionToken,
  revision,
}: StoredOrganization): string {
  return JSON.stringify({ name, baseUrl, token, sessionToken, revision });
}

/** `undefined`: not what `encodeOrganization` writes, since the keyring or another program changed it. */
export function decodeOrganization(id: string, text: string): StoredOrganization | undefined {
  const value = parse(text);
  if (!isRecord(value)) return undefined;
  const { name, baseUrl, token, sessionToken, revision } = value;
  if (!isText(name) || !isText(baseUrl) || !isToken(token)) return undefined;
  const parsed = parseBaseUrl(baseUrl);
  // Older versions kept a dot at the end of its host.
  const address = parsed.ok ? parsed.url : baseUrl;
  return {
    id,
    name,
    baseUrl: address,
    token,
    ...(isToken(sessionToken) && { sessionToken }),
    ...(typeof revision === 'number' && { revision }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isToken(value: unknown): value is string {
  return isText(value) && isUsableToken(value);
}

export function tokensOf({ token, sessionToken }: StoredOrganization): readonly string[] {
  return sessionToken === undefined ? [token] : [token, sessionToken];
}

export function withoutTokens({
  id,
  name,
  baseUrl,
  sessionToken,
}: StoredOrganization): Organization {
  const source = id === environmentId ? 'environment' : 'keyring';
  return { id, name, baseUrl, source, hasSessionToken: sessionToken !== undefined };
}

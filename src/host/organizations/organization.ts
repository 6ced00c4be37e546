import { isRecord } from '../../api/decode.js';
import { parseBaseUrl } from '../../api/entered/baseUrl.js';
import { isUsableToken } from '../../api/secrets.js';
import { compareNames } from '../../model/findings/order.js';

/**
 * An organization with its tokens, as the keyring stores it or as environment variables define it.
 */
export interface StoredOrganization {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionToken?: string;
  /** Grows with each change of the tokens. Version 0.2.0 wrote none. */
  readonly revision?: number;
}

/**
 * An organization without its tokens, for views and commands. `Organizations.target` returns a
 * token, for one request.
 */
export interface Organization extends Pick<StoredOrganization, 'id' | 'name' | 'baseUrl'> {
  readonly source: 'keyring' | 'environment';
  readonly hasSessionToken: boolean;
}

/**
 * `read`: the keyring was read as a whole, even if it fails now. `loading`, `unreadable`,
 * `waiting`: it has not been read as a whole, because the first read goes on, because the keyring
 * failed (sign-ins that could be read are listed), or because it has not answered for 10 s.
 */
export type KeyringState = 'loading' | 'waiting' | 'unreadable' | 'read';

/**
 * Why no organization is current. `chosenGone`: this workspace chose an organization that is signed
 * out or that the keyring lost.
 */
export type NoOrganization =
  | Exclude<KeyringState, 'read'>
  | 'notSignedIn'
  | 'chooseOne'
  | 'chosenGone';

/**
 * Returns the current organization of a workspace, or why there is none. `chosenId`: the
 * workspace's choice. If the chosen organization is gone, no other replaces it, so that no command
 * acts with the wrong account. Without a choice, the environment's organization is current, or the
 * only one.
 */
export function chooseOrganization(
  chosenId: string | undefined,
  organizations: readonly Organization[],
  keyringState: KeyringState,
): Organization | NoOrganization {
  const isOnlyOne = keyringState === 'read' && organizations.length === 1;
  const current = organizations.find(({ id, source }) => {
    if (chosenId !== undefined) return id === chosenId;
    return source === 'environment' || isOnlyOne;
  });
  if (current) return current;
  if (keyringState !== 'read') return keyringState;
  // `chosenGone` asks the user to sign in again, which would not bring back the organization of the
  // environment.
  if (chosenId !== undefined && chosenId !== environmentId) return 'chosenGone';
  return organizations.length === 0 ? 'notSignedIn' : 'chooseOne';
}

/**
 * Name and ID of the read-only organization that environment variables define. The ID is fixed, so
 * that a workspace that chose this organization finds it in the next window.
 */
export const environmentId = 'environment';

/**
 * Compares names regardless of case, of outer spaces, and of forms of a character that Unicode
 * counts as compatible: full-width letters, ligatures, and composed or decomposed accents.
 */
export function isSameName(first: string, second: string): boolean {
  return comparableName(first) === comparableName(second);
}

function comparableName(name: string): string {
  // `ς` and `σ` have one upper case, so upper case comes first.
  return name.normalize('NFKC').trim().toUpperCase().toLowerCase();
}

/** Sorts by name, after the environment's organization. */
export function sortOrganizations(organizations: readonly Organization[]): readonly Organization[] {
  return organizations.toSorted((a, b) => {
    const environmentFirst =
      Number(b.source === 'environment') - Number(a.source === 'environment');
    if (environmentFirst !== 0) return environmentFirst;
    return compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1);
  });
}

/** Returns the JSON that the keyring stores under the organization's ID. */
export function encodeOrganization(organization: StoredOrganization): string {
  const { name, baseUrl, token, sessionToken, revision } = organization;
  return JSON.stringify({ name, baseUrl, token, sessionToken, revision });
}

/**
 * Reads the JSON of `encodeOrganization`. Returns `undefined` if the text is not such JSON, because
 * the keyring or another program changed it.
 */
export function decodeOrganization(id: string, text: string): StoredOrganization | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { name, baseUrl, token, sessionToken, revision } = value;
  if (!isText(name) || !isText(baseUrl) || !isToken(token)) return undefined;

  // Older versions kept a dot at the end of the base URL's host.
  const parsed = parseBaseUrl(baseUrl);
  const address = parsed.ok ? parsed.url : baseUrl;

  // A missing field stays missing, since the result is compared with the organization in memory.
  let organization: StoredOrganization = { id, name, baseUrl: address, token };
  if (isToken(sessionToken)) organization = { ...organization, sessionToken };
  if (typeof revision === 'number') organization = { ...organization, revision };
  return organization;
}

/** Returns `undefined` for a text that is not JSON. */
function parseJson(text: string): unknown {
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

/** Returns the access token, and the user session token if there is one. */
export function tokensOf({ token, sessionToken }: StoredOrganization): readonly string[] {
  return sessionToken === undefined ? [token] : [token, sessionToken];
}

export function withoutTokens(organization: StoredOrganization): Organization {
  const { id, name, baseUrl, sessionToken } = organization;
  const source = id === environmentId ? 'environment' : 'keyring';
  return { id, name, baseUrl, source, hasSessionToken: sessionToken !== undefined };
}

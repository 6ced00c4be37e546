import { isRecord } from '../../api/json.js';

/**
 * An organization somebody signed in to: a random id, a name the user chose, one base URL and its tokens. The tokens are not
 * in here: only `Organizations.target` gives them out, to the one who sends the request.
 */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** `environment`: from the two environment variables, read-only. */
  readonly source: 'keyring' | 'environment';
  readonly hasSessionToken: boolean;
}

/** Why no organization is current. `unreadable`: the keyring can't be read (yet), so nobody knows which ones there are. */
export type NoOrganization = 'loading' | 'unreadable' | 'notSignedIn' | 'chooseOne';

/** `unreadable`: the keyring has not been read as a whole yet, because it fails. What could be read of it is there. */
export type KeyringState = 'loading' | 'unreadable' | 'read';

export type Choice =
  | { readonly current: Organization; readonly missing?: undefined }
  | { readonly current?: undefined; readonly missing: NoOrganization };

/**
 * Which organization a workspace uses: the one it chose. One that has not chosen uses the environment's, else the only one.
 * If the chosen one is gone there is none, never another: nobody is to act with the wrong account by accident.
 */
export function chooseOrganization(
  chosen: string | undefined,
  organizations: readonly Organization[],
  keyring: KeyringState,
): Choice {
  const none = (): Choice => {
    if (keyring !== 'read') return { missing: keyring };
    return { missing: organizations.length === 0 ? 'notSignedIn' : 'chooseOne' };
  };
  if (chosen !== undefined) {
    const current = organizations.find(({ id }) => id === chosen);
    return current ? { current } : none();
  }
  const environment = organizations.find(({ source }) => source === 'environment');
  if (environment) return { current: environment };
  const [only, ...others] = organizations;
  // While the keyring can't be read, the one that is known may not be the only one.
  return keyring === 'read' && only && others.length === 0 ? { current: only } : none();
}

/** The name of the read-only organization out of the environment. */
export const environmentName = 'environment';

/** Names that fold to the same are one name: regardless of case, and of how a character is composed. */
function fold(name: string): string {
  // Upper case first: `ß` and `ẞ`, `ς` and `σ` meet there.
  return name.normalize('NFKC').trim().toUpperCase().toLowerCase();
}

/** By name, `environment` first. A name that two windows gave at the same moment gets a number the second time. */
export function inOrder(organizations: readonly Organization[]): Organization[] {
  // Making a collator takes milliseconds of the activation, where most people have at most one organization.
  if (organizations.length < 2) return [...organizations];
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const sorted = organizations.toSorted(
    (a, b) =>
      Number(b.source === 'environment') - Number(a.source === 'environment') ||
      compare(a.name, b.name) ||
      (a.id < b.id ? -1 : 1),
  );
  const used: string[] = [];
  return sorted.map((organization) => {
    let { name } = organization;
    for (let count = 2; used.includes(fold(name)); count++) name = `${organization.name} (${count})`;
    used.push(fold(name));
    return name === organization.name ? organization : { ...organization, name };
  });
}

const longest = 100;

/** Why a name can't be given to a sign-in with this base URL. */
export type NameProblem =
  | { readonly kind: 'empty' | 'tooLong' | 'reserved' }
  /** The name belongs to an organization with another base URL. */
  | { readonly kind: 'taken'; readonly organization: Organization };

/** `undefined`: it can be used; if the base URL is that organization's too, signing in replaces its token. */
export function nameProblem(
  name: string,
  baseUrl: string,
  organizations: readonly Organization[],
): NameProblem | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return { kind: 'empty' };
  if (trimmed.length > longest) return { kind: 'tooLong' };
  if (sameName(trimmed, environmentName)) return { kind: 'reserved' };
  const organization = organizations.find((other) => sameName(other.name, trimmed));
  return organization && organization.baseUrl !== baseUrl ? { kind: 'taken', organization } : undefined;
}

/** Names are unique regardless of case (contract), and regardless of how a character is composed. */
export function sameName(a: string, b: string): boolean {
  return fold(a) === fold(b);
}

/** An organization as one secret of the keyring holds it. Only `Organizations` sees this: it has the tokens in it. */
export interface StoredOrganization {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionToken?: string;
}

export function encodeOrganization({ name, baseUrl, token, sessionToken }: StoredOrganization): string {
  return JSON.stringify({ name, baseUrl, token, sessionToken });
}

/** `undefined`: not what `encodeOrganization` writes (a keyring that mangles, another version, a person's hand). */
export function decodeOrganization(id: string, text: string): StoredOrganization | undefined {
  const value = parse(text);
  if (!isRecord(value)) return undefined;
  const { name, baseUrl, token, sessionToken } = value;
  if (!isText(name) || !isText(baseUrl) || !isText(token)) return undefined;
  return { id, name, baseUrl, token, ...(isText(sessionToken) && { sessionToken }) };
}

/** The index: opaque ids, each once. `undefined`: not what we write. */
export function decodeIndex(text: string): string[] | undefined {
  const value = parse(text);
  if (!Array.isArray(value)) return undefined;
  return [...new Set(value.filter(isText))];
}

export function tokensOf({ token, sessionToken }: StoredOrganization): readonly string[] {
  return sessionToken === undefined ? [token] : [token, sessionToken];
}

/** What views and commands may know of it. */
export function withoutTokens(stored: StoredOrganization, source: Organization['source']): Organization {
  const { id, name, baseUrl, sessionToken } = stored;
  return { id, name, baseUrl, source, hasSessionToken: sessionToken !== undefined };
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

/** Whether the text is, or contains, one of the tokens, also when somebody copied it out of a URL. */
export function holdsToken(text: string, tokens: Iterable<string>): boolean {
  const readings = [text, decoded(text)];
  for (const token of tokens) {
    if (token !== '' && readings.some((reading) => reading.includes(token))) return true;
  }
  return false;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

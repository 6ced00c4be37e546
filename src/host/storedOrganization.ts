import { isRecord } from './isRecord.js';
import type { Organization } from './organization.js';

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

import { randomUUID } from 'node:crypto';
import { parseBaseUrl } from '../api/baseUrl.js';
import type { Organization } from './organization.js';
import { nameRefused, signedOut, unusableBaseUrl } from './organizationErrors.js';
import { nameProblem, sameName } from './organizationName.js';
import type { SignIn } from './organizations.js';
import type { StoredOrganization } from './storedOrganization.js';

/** Which sign-in is to be saved, decided on those that the keyring holds at that moment. Throws what a person is told. */
export type Change = (latest: readonly StoredOrganization[]) => StoredOrganization;

/** `list`: the organizations as people see them, names in use among them. Throws at once if the base URL can't be used. */
export function newSignIn(
  { name, baseUrl: address, token }: SignIn,
  list: (latest: readonly StoredOrganization[]) => readonly Organization[],
): Change {
  const trimmed = name.trim();
  const parsed = parseBaseUrl(address);
  // The command has said what is wrong before; here it is only made sure that no token is kept for such an address.
  if (!parsed.ok) throw unusableBaseUrl();
  const baseUrl = parsed.url;
  return (latest) => {
    // Asked again, since another window may have taken the name meanwhile.
    const problem = nameProblem(trimmed, baseUrl, list(latest));
    if (problem) throw nameRefused(problem);
    const known = latest.find((other) => other.baseUrl === baseUrl && sameName(other.name, trimmed));
    return known ? { ...known, token } : { id: randomUUID(), name: trimmed, baseUrl, token };
  };
}

export function newSessionToken(id: string, token: string | undefined): Change {
  return (latest) => {
    const organization = latest.find((other) => other.id === id);
    if (!organization) throw signedOut();
    const { sessionToken: _, ...rest } = organization;
    return token === undefined ? rest : { ...rest, sessionToken: token };
  };
}

import type { Organization } from './organization.js';
import { environmentName, fold } from './organizationOrder.js';

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

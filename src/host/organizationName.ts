import type { Organization } from './organization.js';

/** The name of the read-only organization out of the environment. */
export const environmentName = 'environment';

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

function fold(name: string): string {
  // Upper case first: `ß` and `ẞ`, `ς` and `σ` meet there.
  return name.normalize('NFKC').trim().toUpperCase().toLowerCase();
}

/** By name, `environment` first. Two windows may have used one name at the same moment: the later of them shows a number. */
export function inOrder(organizations: readonly Organization[]): Organization[] {
  // A collator is not for free, and activation starts with none or one.
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

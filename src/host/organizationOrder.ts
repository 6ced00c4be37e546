import type { Organization } from './organization.js';

/** The name of the read-only organization out of the environment. */
export const environmentName = 'environment';

/** Names that fold to the same are one name: regardless of case, and of how a character is composed. */
export function fold(name: string): string {
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

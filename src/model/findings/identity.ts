import type { Account, Requirement } from '../../api/authorization.js';
import { isReadWhole } from '../../api/decode.js';
import { boundAccountId, knowsAllConnections } from './readings.js';

// A problem's key says what it is about, its sign what must stay for it to be the same problem. What is new, remembered, muted,
// or a row of the tree is compared by these two and by nothing else.

/** In the order of the accounts. One with an ID is the same account in every deployment; without, it belongs to its own. */
export function accountKeys(accounts: readonly Account[], deploymentId: string): readonly string[] {
  const names = accounts.map(({ id, serviceId, label, connectionMethodId }) =>
    // As JSON writes `['account', id]`, but faster: every account of every answer has such a key.
    id
      ? `["account",${JSON.stringify(id)}]`
      : JSON.stringify(['own account', deploymentId, serviceId, label, connectionMethodId]),
  );
  if (accounts.every(({ id }) => id)) return names;
  const keys = numbered(names);
  return accounts.map(({ id }, at) => (id ? names : keys)[at]!);
}

/** `undefined` if the account has failed with a code that could not be read. */
export function accountSign({ error }: Account): string | undefined {
  if (error && !isReadWhole(error, 'code')) return undefined;
  return error?.code ?? '';
}

/**
 * In the order of the requirements. The bound account is no part of the key, so that a requirement that gets another one is still the
 * same. Equal ones are counted in the order of their accounts, whatever order they come in.
 */
export function requirementKeys(
  requirements: readonly Requirement[],
  deploymentId: string,
): readonly string[] {
  const names = requirements.map(({ serviceId, binding }) =>
    JSON.stringify(['requirement', deploymentId, serviceId, binding]),
  );
  if (new Set(names).size === names.length) return names;
  const accounts = requirements.map((requirement) => boundAccountId(requirement) ?? '');
  const order = [...names.keys()].toSorted(
    (a, b) => Number(accounts[a]! > accounts[b]!) - Number(accounts[a]! < accounts[b]!),
  );
  const keys = numbered(order.map((at) => names[at]!));
  const ordered = new Map(order.map((at, nth) => [at, keys[nth]!]));
  return names.map((_, at) => ordered.get(at)!);
}

/** `undefined` if a part of what it is made of could not be read. `bound`: the account that it is bound to. */
export function requirementSign(
  requirement: Requirement,
  missingScopes: readonly string[],
  bound: Account | undefined,
): string | undefined {
  const isKnown = isReadWhole(requirement, 'accountId') && knowsAllConnections(requirement);
  if (!isKnown || (bound && !isReadWhole(bound, 'scopes'))) return undefined;
  return JSON.stringify([boundAccountId(requirement), ...missingScopes.toSorted()]);
}

/** The highest number of equal ones that are recognized after there are more or fewer of them. */
const maxEquals = 10;

/** The keys that one may have had while there were more or fewer equal ones. */
export function keysOfEquals(key: string): readonly string[] {
  const name = key.replace(/ \d+\/\d+$/, '');
  const keys = [name];
  for (let total = 2; total <= maxEquals; total++) {
    for (let nth = 1; nth <= total; nth++) keys.push(`${name} ${nth}/${total}`);
  }
  return keys;
}

/** Of equal ones the ordinal and their number: once that changes, nothing says which of them is which. */
function numbered(names: readonly string[]): readonly string[] {
  const totals = new Map<string, number>();
  for (const name of names) totals.set(name, (totals.get(name) ?? 0) + 1);
  const counts = new Map<string, number>();
  return names.map((name) => {
    const total = totals.get(name)!;
    if (total === 1) return name;
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return `${name} ${nth}/${total}`;
  });
}

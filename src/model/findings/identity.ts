import type { Account, Requirement } from '../../api/authorization.js';
import { isReadWhole } from '../../api/decode.js';
import { boundAccountId, knowsAllConnections } from './readings.js';

// A problem's key says what it is about, and its sign what must stay for it to be the same problem.
// Whether a problem is new, remembered, muted, or has a row already is decided by comparing keys
// and signs alone.

/**
 * Returns the keys of these accounts, in their order. An account with an ID has the same key in
 * every deployment; one without belongs to its deployment.
 */
export function accountKeys(accounts: readonly Account[], deploymentId: string): readonly string[] {
  const keys = accounts.map((account) => accountKey(account, deploymentId));
  if (accounts.every(({ id }) => id)) return keys;

  const distinctKeys = numberEqual(keys);
  // Accounts with the same ID are the same account, so they are not numbered.
  return accounts.map(({ id }, index) => (id ? keys[index]! : distinctKeys[index]!));
}

function accountKey(account: Account, deploymentId: string): string {
  const { id, serviceId, label, connectionMethodId } = account;
  // As JSON writes `['account', id]`, but faster: every account of every answer has such a key.
  if (id) return `["account",${JSON.stringify(id)}]`;
  return JSON.stringify(['own account', deploymentId, serviceId, label, connectionMethodId]);
}

/**
 * Returns the code of the account's error, or '' without one; `undefined` if the account has failed
 * with a code that could not be read.
 */
export function accountSign({ error }: Account): string | undefined {
  if (error && !isReadWhole(error, 'code')) return undefined;
  return error?.code ?? '';
}

/**
 * Returns the keys of these requirements, in their order. The bound account is no part of a key, so
 * a requirement that is bound to another account is still the same. Equal requirements are numbered
 * in the order of their bound accounts, because the platform may send them in any order.
 */
export function requirementKeys(
  requirements: readonly Requirement[],
  deploymentId: string,
): readonly string[] {
  const keys = requirements.map(({ serviceId, binding }) =>
    JSON.stringify(['requirement', deploymentId, serviceId, binding]),
  );
  if (new Set(keys).size === keys.length) return keys;

  const entries = requirements.map((requirement, index) => ({
    index,
    key: keys[index]!,
    boundId: boundAccountId(requirement) ?? '',
  }));
  const sorted = entries.toSorted((a, b) => compareCodeUnits(a.boundId, b.boundId));
  const distinctKeys = numberEqual(sorted.map(({ key }) => key));

  const inOrder: string[] = [];
  for (const [position, { index }] of sorted.entries()) inOrder[index] = distinctKeys[position]!;
  return inOrder;
}

function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Returns what the requirement's problem consists of, as a text to compare: the ID of its bound
 * account and the missing scopes. `bound`: the bound account, if the answer has it. Returns
 * `undefined` if some of the fields from which both come could not be read: the account's ID,
 * connection method, and scopes, and the connections with the required scopes.
 */
export function requirementSign(
  requirement: Requirement,
  missingScopes: readonly string[],
  bound: Account | undefined,
): string | undefined {
  if (!isReadWhole(requirement, 'accountId') || !knowsAllConnections(requirement)) return undefined;
  const isBoundRead =
    bound === undefined ||
    (isReadWhole(bound, 'connectionMethodId') && isReadWhole(bound, 'scopes'));
  if (!isBoundRead) return undefined;
  return JSON.stringify([boundAccountId(requirement), ...missingScopes.toSorted()]);
}

/** So many equal accounts or requirements are recognized after their number has changed. */
const maxEqual = 10;

/**
 * Returns all keys that an account or a requirement with this key can have had while there were
 * more or fewer that are equal to it: `key`, `key 1/2`, `key 2/2`, `key 1/3`, …
 */
export function keysOfEquals(key: string): readonly string[] {
  const unnumbered = key.replace(/ \d+\/\d+$/, '');
  const keys = [unnumbered];
  for (let total = 2; total <= maxEqual; total++) {
    for (let nth = 1; nth <= total; nth++) keys.push(`${unnumbered} ${nth}/${total}`);
  }
  return keys;
}

/**
 * Returns the keys with the equal ones numbered: `key 1/2`, `key 2/2`. The total is a part of the
 * number, because nothing says which of the equal ones has gone once there are fewer.
 */
function numberEqual(keys: readonly string[]): readonly string[] {
  const totals = new Map<string, number>();
  for (const key of keys) totals.set(key, (totals.get(key) ?? 0) + 1);

  const counts = new Map<string, number>();
  return keys.map((key) => {
    const total = totals.get(key)!;
    if (total === 1) return key;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    return `${key} ${nth}/${total}`;
  });
}

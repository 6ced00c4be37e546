import type { Account, Connection, Requirement } from '../../api/authorization.js';
import { isReadWhole } from '../../api/decode.js';

// docs/service.md names these fields without saying what they mean. Each reading of ours stands only here, so that a better
// one changes one file.

/** `accountId` names the account that the requirement is bound to; an empty one names none. */
export function boundAccountId(requirement: Requirement): string | undefined {
  return requirement.accountId || undefined;
}

/** `binding` is what the automation calls the requirement; without it the service is the best name. */
export function requirementName(requirement: Requirement): string {
  return firstVisible(requirement.binding, requirement.serviceId);
}

export function accountName(account: Account): string {
  return firstVisible(account.label, account.id, account.serviceId);
}

/** An `error` object, even an empty one, is a failure; `null` says that there is none. */
export function hasFailed(account: Account): boolean {
  return account.error !== undefined && account.error !== null;
}

/** Returns whether the platform sent an error that could not be read, if it was one. */
export function mayHaveFailed(account: Account): boolean {
  return !hasFailed(account) && !isReadWhole(account, 'error');
}

/** Methods and accounts are joined by `connectionMethodId`; without one on either side no method is the account's own. */
export function isOwnConnection(connection: Connection, bound: Account | undefined): boolean {
  const method = bound && methodIdOf(bound);
  return method !== undefined && method === methodIdOf(connection);
}

export function methodIdOf({ connectionMethodId }: Account | Connection): string | undefined {
  return connectionMethodId;
}

/** Absent `scopes` are unknown; an empty array grants none. */
export function grantedScopes(account: Account | undefined): readonly string[] | undefined {
  return account?.scopes;
}

/** Returns whether a scope that is not among the account's is one that it was not granted. */
export function knowsAllScopes(account: Account): boolean {
  return account.scopes !== undefined && isReadWhole(account, 'scopes');
}

/** Returns whether nothing is left out of what the requirement requires of an account. */
export function knowsAllConnections(requirement: Requirement): boolean {
  return isReadWhole(requirement, 'connections');
}

function firstVisible(...names: readonly (string | undefined)[]): string {
  return names.find((name) => name !== undefined && /\S/.test(name)) ?? '';
}

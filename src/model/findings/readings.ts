import type { Account, Connection, Requirement } from '../../api/authorization.js';
import { isReadWhole } from '../../api/decode.js';

// docs/service.md names these fields without saying what they mean. Each interpretation of ours
// stands only here, so that a better interpretation changes one file.

/**
 * `accountId` is the ID of the account to which the requirement is bound; an empty text means none.
 */
export function boundAccountId(requirement: Requirement): string | undefined {
  return requirement.accountId || undefined;
}

/**
 * `binding` is what the automation calls the requirement. Falls back to `serviceId`, then to ''.
 */
export function requirementName(requirement: Requirement): string {
  return firstVisible(requirement.binding, requirement.serviceId);
}

/** `label`, else `id`, else `serviceId`, else ''. */
export function accountName(account: Account): string {
  return firstVisible(account.label, account.id, account.serviceId);
}

/** An `error` object, even an empty one, is a failure; `null` says that there is none. */
export function hasFailed(account: Account): boolean {
  return account.error !== undefined && account.error !== null;
}

/** Returns whether the platform sent something as the account's error that could not be read. */
export function mayHaveFailed(account: Account): boolean {
  return !hasFailed(account) && !isReadWhole(account, 'error');
}

/**
 * Returns whether the account was connected by this connection method. Both have a
 * `connectionMethodId`; if it is absent on either side, they do not belong together.
 */
export function isConnectionOf(account: Account | undefined, connection: Connection): boolean {
  if (account === undefined) return false;
  const methodId = methodIdOf(account);
  return methodId !== undefined && methodId === methodIdOf(connection);
}

/** `undefined` if the platform did not send the ID of the connection method. */
export function methodIdOf({ connectionMethodId }: Account | Connection): string | undefined {
  return connectionMethodId;
}

/** `undefined` if the granted scopes are unknown; an empty array says that none was granted. */
export function grantedScopes(account: Account | undefined): readonly string[] | undefined {
  return account?.scopes;
}

/** Returns whether a scope that is not among the account's scopes was not granted. */
export function knowsAllScopes(account: Account): boolean {
  return account.scopes !== undefined && isReadWhole(account, 'scopes');
}

/**
 * Returns whether all connection methods of the requirement, and what they require, could be read.
 */
export function knowsAllConnections(requirement: Requirement): boolean {
  return isReadWhole(requirement, 'connections');
}

function firstVisible(...names: readonly (string | undefined)[]): string {
  return names.find((name) => name !== undefined && /\S/.test(name)) ?? '';
}

/**
 * What the platform knows, as it goes over the wire, and builders for it.
 * docs/service.md does not say which fields of an authorization are always present, so here every one of them may be absent.
 */
import type { Account, Connection, Requirement } from '../../../src/api/authorization.js';
import type { TargetedFault } from './faults.js';

type UnknownFields = Record<string, unknown>;

export type WireAccount = Account & UnknownFields;
type WireConnection = Connection & UnknownFields;
export type WireRequirement = Requirement & UnknownFields;

export interface WireAuthorization extends UnknownFields {
  accounts: WireAccount[];
  requirements: WireRequirement[];
}

/** `both`: accepted by every operation, without turning the look-up to session tokens only. */
export type TokenKind = 'access' | 'session' | 'both';

export interface PlatformData {
  /** By deployment id. `unknown`, because a test may want the platform to send any JSON there is. */
  deployments: Map<string, unknown>;
  /** By install token in lower case: a UUID means the same in any case. */
  installs: Map<string, unknown>;
  apiKeys: Set<string>;
  tokens: Map<string, TokenKind>;
  /** Faults that outlive `clearFaults` and never wear off. A fault set by a test joins them or goes before. */
  standing: TargetedFault[];
}

export const DEFAULT_TOKEN = 'sample-access-token-4f9c2e7d1b';
export const DEFAULT_SESSION_TOKEN = 'sample-session-token-a81d03c6e5';

export function account(fields: WireAccount = {}): WireAccount {
  return {
    id: 'acc_slack_ops',
    label: 'Ops Slack',
    serviceId: 'slack',
    serviceSub: 'T01',
    connectionMethodId: 'slack-oauth',
    scopes: ['chat:write', 'channels:read'],
    checkedAt: '2026-11-20T08:00:00.000Z',
    ...fields,
  };
}

export function connection(fields: WireConnection = {}): WireConnection {
  return {
    connectionMethodId: 'slack-oauth',
    minimalScopes: ['chat:write'],
    requiredScopes: ['chat:write', 'channels:read'],
    ...fields,
  };
}

export function requirement(fields: WireRequirement = {}): WireRequirement {
  return {
    serviceId: 'slack',
    accountId: 'acc_slack_ops',
    binding: 'notifier',
    satisfied: true,
    eligibleAccountIds: ['acc_slack_ops'],
    connections: [connection()],
    ...fields,
  };
}

export function authorization(
  accounts: WireAccount[],
  requirements: WireRequirement[],
): WireAuthorization {
  return { accounts, requirements };
}

export function healthy(): WireAuthorization {
  return authorization([account()], [requirement()]);
}

export function unsatisfied(): WireAuthorization {
  return authorization(
    [account(), account({ id: 'acc_slack_sales', label: 'Sales Slack', serviceSub: 'T03' })],
    [requirement({ satisfied: false, eligibleAccountIds: ['acc_slack_ops', 'acc_slack_sales'] })],
  );
}

/** One account with an error; the requirement that is bound to it still says satisfied. */
export function failedAccount(): WireAuthorization {
  const error = { code: 'token_revoked', message: 'The workspace admin removed the app.' };
  return authorization([account({ error })], [requirement()]);
}

export function install(fields: UnknownFields = {}): UnknownFields {
  return {
    expiresAt: '2099-01-01T00:00:00.000Z',
    label: 'Acme CRM',
    requiredPlan: 'pro',
    serviceId: 'hubspot',
    serviceName: 'HubSpot',
    serviceSub: 'portal-4711',
    ...fields,
  };
}

/**
 * What the service knows, as it goes over the wire, and builders for it.
 * docs/service.md does not say which fields of an authorization are always present, so here every one of them may be absent.
 */
import type { Fault, FaultTarget } from './faults.js';

export interface WireAccount {
  id?: string;
  label?: string;
  serviceId?: string;
  serviceSub?: string;
  connectionMethodId?: string;
  scopes?: string[];
  checkedAt?: string;
  error?: { code?: string; message?: string } | null;
  [unknownField: string]: unknown;
}

export interface WireConnection {
  connectionMethodId?: string;
  minimalScopes?: string[];
  requiredScopes?: string[];
  [unknownField: string]: unknown;
}

export interface WireRequirement {
  serviceId?: string;
  accountId?: string;
  binding?: string;
  satisfied?: boolean;
  eligibleAccountIds?: string[];
  connections?: WireConnection[];
  [unknownField: string]: unknown;
}

export interface WireAuthorization {
  accounts: WireAccount[];
  requirements: WireRequirement[];
  [unknownField: string]: unknown;
}

export interface WireInstall {
  expiresAt: string;
  label: string;
  requiredPlan: string;
  serviceId: string;
  serviceName: string;
  serviceSub: string;
  [unknownField: string]: unknown;
}

/** A fault that belongs to the data: it outlives `clearFaults` and never wears off. A fault set by a test joins it or goes before. */
export interface StandingFault {
  target: FaultTarget;
  fault: Fault;
}

/** `both`: accepted by every operation, without turning the look-up's default to "session tokens only". */
export type TokenKind = 'access' | 'session' | 'both';

export interface TokenGrant {
  kind: TokenKind;
  permissions: string[];
}

export interface ServiceData {
  /** By deployment id. `unknown`, because a test may want the service to send any JSON there is. */
  deployments: Map<string, unknown>;
  /** By install token in lower case: a UUID means the same in any case. */
  installs: Map<string, unknown>;
  apiKeys: Set<string>;
  tokens: Map<string, TokenGrant>;
  /** What each operation asks of a token. Only `apiKey:delete` is in the reference. */
  permissions: { getIntegrationInstall: string[]; deleteApiKey: string[]; getDeploymentAuthorization: string[] };
  /**
   * Whose token the look-up takes. docs/service.md says "a user session token" and no more, hence the default `auto`:
   * session tokens only as soon as one is configured, else access tokens.
   */
  lookUpAccepts: 'auto' | 'session' | 'either';
  /** How a successful revocation answers: not shown in the reference. `body: null` is no body. */
  revoked: { status: number; body: string | null; headers: Record<string, string> };
  standing: StandingFault[];
}

export const DEFAULT_TOKEN = 'sample-access-token-4f9c2e7d1b';
export const DEFAULT_SESSION_TOKEN = 'sample-session-token-a81d03c6e5';

export function emptyData(): ServiceData {
  return {
    deployments: new Map(),
    installs: new Map(),
    apiKeys: new Set(),
    tokens: new Map(),
    permissions: { getIntegrationInstall: [], deleteApiKey: ['apiKey:delete'], getDeploymentAuthorization: [] },
    lookUpAccepts: 'auto',
    revoked: { status: 204, body: null, headers: {} },
    standing: [],
  };
}

export function grant(kind: TokenKind = 'access', permissions: string[] = ['apiKey:delete']): TokenGrant {
  return { kind, permissions };
}

const CHECKED_AT = '2026-11-20T08:00:00.000Z';

export function account(fields: WireAccount = {}): WireAccount {
  return {
    id: 'acc_slack_ops',
    label: 'Ops Slack',
    serviceId: 'slack',
    serviceSub: 'T01',
    connectionMethodId: 'slack-oauth',
    scopes: ['chat:write', 'channels:read'],
    checkedAt: CHECKED_AT,
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

export function authorization(accounts: WireAccount[], requirements: WireRequirement[]): WireAuthorization {
  return { accounts, requirements };
}

/** The same object without some of its fields: how "absent" is written down. */
export function without<T extends object>(value: T, ...fields: (keyof T & string)[]): T {
  const rest = { ...value };
  for (const field of fields) {
    delete rest[field];
  }
  return rest;
}

/** One account, one satisfied requirement, nothing to say about either. */
export function healthy(): WireAuthorization {
  return authorization([account()], [requirement()]);
}

/** One requirement not satisfied, its account fine and an eligible one beside it. */
export function unsatisfied(): WireAuthorization {
  return authorization(
    [account(), account({ id: 'acc_slack_sales', label: 'Sales Slack', serviceSub: 'T03' })],
    [requirement({ satisfied: false, eligibleAccountIds: ['acc_slack_ops', 'acc_slack_sales'] })],
  );
}

/** One account with an error; the requirement that is bound to it still says satisfied. */
export function failedAccount(
  error: { code?: string; message?: string } | null = {
    code: 'token_revoked',
    message: 'The workspace admin removed the app.',
  },
): WireAuthorization {
  return authorization([account({ error })], [requirement()]);
}

/** The bound account lacks a required scope, and the service nevertheless says satisfied: a note, no problem. */
export function missingScopes(satisfied = true): WireAuthorization {
  return authorization([account({ scopes: ['chat:write'] })], [requirement({ satisfied })]);
}

export interface ManyOptions {
  /** About this many bytes of JSON for each deployment (at least what a healthy one needs). */
  sizeInBytes?: number;
  /** Every how-manieth one has a failed account (0: none). */
  failedEvery?: number;
  /** Every how-manieth one has an unsatisfied requirement (0: none). */
  unsatisfiedEvery?: number;
}

/** `dep_00001` … with ids of one width, so that they sort and none is the prefix of another. */
export function many(count: number, options: ManyOptions = {}): Map<string, WireAuthorization> {
  const { sizeInBytes = 0, failedEvery = 0, unsatisfiedEvery = 0 } = options;
  const width = Math.max(5, String(count).length);
  const all = new Map<string, WireAuthorization>();
  for (let index = 1; index <= count; index++) {
    const name = String(index).padStart(width, '0');
    const accountId = `acc_${name}_0`;
    const failed = failedEvery > 0 && index % failedEvery === 0;
    const one = authorization(
      [
        account({
          id: accountId,
          label: `Account ${name}`,
          ...(failed ? { error: { code: 'token_revoked', message: 'The workspace admin removed the app.' } } : {}),
        }),
      ],
      [
        requirement({
          accountId,
          eligibleAccountIds: [accountId],
          satisfied: !(unsatisfiedEvery > 0 && index % unsatisfiedEvery === 0),
        }),
      ],
    );
    let missing = sizeInBytes - JSON.stringify(one).length;
    for (let extra = 1; missing > 0; extra++) {
      const filler = account({ id: `acc_${name}_${extra}`, label: `Account ${name}/${extra}` });
      one.accounts.push(filler);
      missing -= JSON.stringify(filler).length + 1;
    }
    all.set(`dep_${name}`, one);
  }
  return all;
}

export function install(fields: Partial<WireInstall> = {}): WireInstall {
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

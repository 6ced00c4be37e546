import type { Account, Connection, Requirement } from '../api/deploymentAuthorization.js';
import type { State } from './state.js';

/** held: the bound account has it. missing: it has not. unknown: no bound account, or its scopes were not sent. */
export type ScopeState = 'held' | 'missing' | 'unknown';

export interface ScopeFinding {
  readonly scope: string;
  readonly required: boolean;
  readonly minimal: boolean;
  readonly state: ScopeState;
}

export interface ConnectionFinding {
  readonly connection: Connection;
  /** Whether this is the bound account's own connection method (readings.ts). */
  readonly own: boolean;
  /** Missing first, then by name; every scope of `requiredScopes` and `minimalScopes` once. */
  readonly scopes: readonly ScopeFinding[];
}

export interface EligibleAccount {
  readonly accountId: string;
  /** Absent: the id is not among the deployment's accounts. */
  readonly account?: AccountFinding;
}

export interface AccountFinding {
  readonly account: Account;
  /** `label`, else `id`, else `serviceId`, else ''. */
  readonly name: string;
  readonly state: 'failed' | 'satisfied';
  /** Present if failed. */
  readonly problem?: FailedAccount;
}

export interface RequirementFinding {
  readonly requirement: Requirement;
  /** `binding`, else `serviceId`, else ''. */
  readonly name: string;
  readonly state: 'notSatisfied' | 'unknown' | 'satisfied';
  readonly bound?: AccountFinding;
  /** Note: `accountId` is given, and is not among the accounts. */
  readonly boundAbsent: boolean;
  readonly eligible: readonly EligibleAccount[];
  readonly connections: readonly ConnectionFinding[];
  /** Note: required by the bound account's connection method and not held by it. */
  readonly missingScopes: readonly string[];
  /** Present if not satisfied. */
  readonly problem?: UnsatisfiedRequirement;
}

interface ProblemBase {
  /** Names this problem within its organization across refreshes; input of the "seen since" hash, never shown. */
  readonly key: string;
  /** Epoch ms at which this workspace first saw it. */
  readonly seenSince: number;
}

export interface FailedAccount extends ProblemBase {
  readonly kind: 'failedAccount';
  readonly finding: AccountFinding;
  /** Scopes that some requirement bound to this account lacks: the reconnect step names them. */
  readonly scopes: readonly string[];
}

export interface UnsatisfiedRequirement extends ProblemBase {
  readonly kind: 'unsatisfiedRequirement';
  readonly finding: RequirementFinding;
}

/** The only two things that are counted and become diagnostics (contract, "Words"). */
export type Problem = FailedAccount | UnsatisfiedRequirement;

/** All that one answer means, derived once; every surface renders this. */
export interface Findings {
  readonly state: Exclude<State, 'notYetRead'>;
  /** Problems first, then by name. */
  readonly requirements: readonly RequirementFinding[];
  readonly accounts: readonly AccountFinding[];
  /** Failed accounts, then unsatisfied requirements. */
  readonly problems: readonly Problem[];
  readonly failedAccounts: number;
  readonly unsatisfied: number;
}

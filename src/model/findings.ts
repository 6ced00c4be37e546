import type { Account, Connection, DeploymentAuthorization, Requirement } from '../api/authorization.js';
import { type DecodeIssue, type LeftOut, leftOutCount } from '../api/decode.js';
import { compareNames, type State } from './order.js';
import { accountName, boundAccountId, hasFailed, heldScopes, isOwnConnection, requirementName } from './readings.js';

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

interface EligibleAccount {
  readonly accountId: string;
  /** Absent: the id is not among the deployment's accounts. */
  readonly account?: AccountFinding;
}

export class AccountFinding {
  /** `label`, else `id`, else `serviceId`, else ''. */
  readonly name: string;
  /** Present if failed. */
  problem?: FailedAccount;

  constructor(readonly account: Account) {
    this.name = accountName(account);
  }

  get state(): 'failed' | 'satisfied' {
    return this.problem ? 'failed' : 'satisfied';
  }
}

export class RequirementFinding {
  /** `binding`, else `serviceId`, else ''. */
  readonly name: string;
  /** The service's own word: never overruled by what the scopes or accounts suggest. */
  readonly state: 'notSatisfied' | 'unknown' | 'satisfied';
  readonly bound: AccountFinding | undefined;
  /** Note: required by the bound account's connection method and not granted to it. */
  readonly missingScopes: readonly string[];
  /** Present if not satisfied. */
  problem?: UnsatisfiedRequirement;
  private madeEligible: readonly EligibleAccount[] | undefined;
  private madeConnections: readonly ConnectionFinding[] | undefined;

  constructor(
    readonly requirement: Requirement,
    private readonly accountOf: (id: string) => AccountFinding | undefined,
  ) {
    const { satisfied } = requirement;
    const boundId = boundAccountId(requirement);
    this.name = requirementName(requirement);
    this.state = satisfied === undefined ? 'unknown' : satisfied ? 'satisfied' : 'notSatisfied';
    this.bound = boundId === undefined ? undefined : accountOf(boundId);
    this.missingScopes = missingScopes(requirement, this.bound?.account);
  }

  /** Note: `accountId` is given, and is not among the accounts. */
  get boundAbsent(): boolean {
    return !this.bound && boundAccountId(this.requirement) !== undefined;
  }

  get eligible(): readonly EligibleAccount[] {
    this.madeEligible ??= [...new Set(this.requirement.eligibleAccountIds)].map((accountId) => {
      const account = this.accountOf(accountId);
      return account ? { accountId, account } : { accountId };
    });
    return this.madeEligible;
  }

  get connections(): readonly ConnectionFinding[] {
    this.madeConnections ??= (this.requirement.connections ?? []).map((connection) => ({
      connection,
      own: isOwnConnection(connection, this.bound?.account),
      scopes: scopeFindings(connection, heldScopes(this.bound?.account)),
    }));
    return this.madeConnections;
  }
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

/** The only two things that are counted and become diagnostics. */
export type Problem = FailedAccount | UnsatisfiedRequirement;

/** All that one answer means. Every surface shows this, so that none disagrees with another. */
export class Findings {
  readonly state: Exclude<State, 'notYetRead'>;
  /** Problems first, then by name. */
  readonly requirements: readonly RequirementFinding[];
  readonly accounts: readonly AccountFinding[];
  /** Failed accounts, then unsatisfied requirements, each by name. */
  readonly problems: readonly Problem[];
  readonly failedAccounts: number;
  readonly unsatisfied: number;

  /**
   * `seenSince` is asked once for each problem, with its key. `unreadable` is what decoding left out: if that may have been a
   * problem, the deployment is not called satisfied.
   */
  constructor(
    authorization: DeploymentAuthorization,
    deploymentId: string,
    seenSince: (key: string) => number,
    unreadable: LeftOut = { decodeIssues: [] },
  ) {
    const accounts = authorization.accounts.map((account) => new AccountFinding(account));
    const accountOf = finderById(accounts);
    const requirements = authorization.requirements.map(
      (requirement) => new RequirementFinding(requirement, accountOf),
    );
    const keys = new Map<string, number>();
    const seen = (key: string) => {
      const unique = uniqueKey(key, keys);
      return { key: unique, seenSince: seenSince(unique) };
    };
    for (const finding of accounts) {
      if (!hasFailed(finding.account)) continue;
      const bound = requirements.filter((requirement) => requirement.bound === finding);
      const scopes = [...new Set(bound.flatMap((requirement) => requirement.missingScopes))];
      finding.problem = { kind: 'failedAccount', finding, scopes, ...seen(accountKey(deploymentId, finding.account)) };
    }
    for (const finding of requirements) {
      if (finding.state !== 'notSatisfied') continue;
      const key = requirementKey(deploymentId, finding.requirement);
      finding.problem = { kind: 'unsatisfiedRequirement', finding, ...seen(key) };
    }
    this.accounts = accounts.length < 2 ? accounts : accounts.toSorted(byStateAndName);
    this.requirements = requirements.length < 2 ? requirements : requirements.toSorted(byStateAndName);
    const failed = this.accounts.flatMap(({ problem }) => problem ?? []);
    const unsatisfied = this.requirements.flatMap(({ problem }) => problem ?? []);
    this.problems = [...failed, ...unsatisfied];
    this.failedAccounts = failed.length;
    this.unsatisfied = unsatisfied.length;
    const isUnknown = requirements.some(({ state }) => state === 'unknown') || couldHideProblem(unreadable);
    this.state =
      failed.length > 0 ? 'failed' : unsatisfied.length > 0 ? 'notSatisfied' : isUnknown ? 'unknown' : 'satisfied';
  }
}

/** Of several accounts with one id the first. */
function finderById(accounts: readonly AccountFinding[]): (id: string) => AccountFinding | undefined {
  let byId: Map<string | undefined, AccountFinding> | undefined;
  return (id) => {
    // A look through a few is faster than a map.
    if (accounts.length <= few) return accounts.find(({ account }) => account.id === id);
    byId ??= new Map(accounts.toReversed().map((finding) => [finding.account.id, finding]));
    return byId.get(id);
  };
}

const few = 16;

/** An ordinal tells equal siblings apart, because which of them is which does not matter. */
function uniqueKey(key: string, counts: Map<string, number>): string {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count === 1 ? key : `${key}\0${count}`;
}

function accountKey(deploymentId: string, account: Account): string {
  const code = account.error?.code ?? '';
  return account.id === undefined
    ? `${deploymentId}\0account\0\0${account.serviceId}\0${account.serviceSub}\0${account.connectionMethodId}\0${account.label}\0${code}`
    : `${deploymentId}\0account\0${account.id}\0${code}`;
}

function requirementKey(deploymentId: string, requirement: Requirement): string {
  return `${deploymentId}\0requirement\0${requirement.serviceId}\0${requirement.binding}\0${requirement.accountId}`;
}

const noScopes: readonly string[] = [];

function missingScopes({ connections }: Requirement, bound: Account | undefined): readonly string[] {
  const granted = heldScopes(bound);
  if (!granted || !connections) return noScopes;
  const missing = new Set<string>();
  for (const connection of connections) {
    if (!isOwnConnection(connection, bound)) continue;
    const { requiredScopes = noScopes } = connection;
    const has = new Set(granted);
    for (const scope of requiredScopes) if (!has.has(scope)) missing.add(scope);
  }
  return missing.size === 0 ? noScopes : [...missing];
}

function scopeFindings(connection: Connection, held: readonly string[] | undefined): readonly ScopeFinding[] {
  const required = new Set(connection.requiredScopes);
  const minimal = new Set(connection.minimalScopes);
  const has = held === undefined ? undefined : new Set(held);
  return [...new Set([...required, ...minimal])]
    .map((scope): ScopeFinding => {
      const state: ScopeState = has === undefined ? 'unknown' : has.has(scope) ? 'held' : 'missing';
      return { scope, required: required.has(scope), minimal: minimal.has(scope), state };
    })
    .toSorted((a, b) => scopeRank[a.state] - scopeRank[b.state] || compareNames(a.scope, b.scope));
}

/** Whether something that could not be read may have been a problem. */
function couldHideProblem(unreadable: LeftOut): boolean {
  const { decodeIssues } = unreadable;
  // Of more than are listed nobody knows where they are.
  return leftOutCount(unreadable) > decodeIssues.length || decodeIssues.some(isWhereProblemsAre);
}

function isWhereProblemsAre({ path }: DecodeIssue): boolean {
  return /^(?:accounts|requirements)(?:\[\d+\](?:\.(?:error|satisfied))?)?$/.test(path);
}

const rank = { failed: 0, notSatisfied: 0, unknown: 1, satisfied: 2 } as const;
const scopeRank = { missing: 0, unknown: 1, held: 2 } as const;

interface Ranked {
  readonly state: keyof typeof rank;
  readonly name: string;
}

function byStateAndName(a: Ranked, b: Ranked): number {
  return rank[a.state] - rank[b.state] || compareNames(a.name, b.name);
}

import type { Account, Connection, DeploymentAuthorization, Requirement } from '../../api/authorization.js';
import { type LeftOut, leftOutCount } from '../../api/decode.js';
import { compareNames, type State, severity } from '../order.js';
import { accountName, boundAccountId, grantedScopes, hasFailed, isOwnConnection, requirementName } from './readings.js';

/** granted: the bound account has it. missing: it has not. unknown: no bound account, or its scopes were not sent. */
export type ScopeState = 'granted' | 'missing' | 'unknown';

export type ScopeFinding = ReturnType<typeof scopeFindings>[number];
export type ConnectionFinding = RequirementFinding['connections'][number];

/** An account that could satisfy a requirement. */
export interface EligibleAccount {
  readonly accountId: string;
  /** Absent if the id is not among the accounts. */
  readonly account: AccountFinding | undefined;
  /** Required by the account's own connection method and not granted to it. */
  readonly missingScopes: readonly string[];
}

export class AccountFinding {
  /** `label`, else `id`, else `serviceId`, else ''. */
  readonly name: string;
  readonly state: 'failed' | 'satisfied';
  /** Present if failed. */
  problem?: FailedAccount;

  constructor(readonly account: Account) {
    this.name = accountName(account);
    this.state = hasFailed(account) ? 'failed' : 'satisfied';
  }
}

export class RequirementFinding {
  /** `binding`, else `serviceId`, else ''. */
  readonly name: string;
  /** The service's own word: never overruled by what the scopes or accounts suggest. */
  readonly state: 'notSatisfied' | 'unknown' | 'satisfied';
  /** The account that it is bound to, which may not be among the accounts. */
  readonly boundId: string | undefined;
  readonly bound: AccountFinding | undefined;
  /** Note: required by the bound account's connection method and not granted to it. */
  readonly missingScopes: readonly string[];
  /** Present if not satisfied. */
  problem?: UnsatisfiedRequirement;

  constructor(
    readonly requirement: Requirement,
    private readonly accounts: ReadonlyMap<string | undefined, AccountFinding>,
  ) {
    const { satisfied } = requirement;
    this.name = requirementName(requirement);
    this.state = satisfied === undefined ? 'unknown' : satisfied ? 'satisfied' : 'notSatisfied';
    this.boundId = boundAccountId(requirement);
    this.bound = this.boundId === undefined ? undefined : accounts.get(this.boundId);
    this.missingScopes = missingScopes(requirement, this.bound?.account);
  }

  /** Note: `accountId` is given, and is not among the accounts. */
  get boundAbsent(): boolean {
    return this.bound === undefined && this.boundId !== undefined;
  }

  get eligible(): readonly EligibleAccount[] {
    const ids = new Set(this.requirement.eligibleAccountIds);
    return Array.from(ids, (accountId) => {
      const account = this.accounts.get(accountId);
      return { accountId, account, missingScopes: missingScopes(this.requirement, account?.account) };
    });
  }

  /** The eligible accounts that may help instead of the bound one: those that have every required scope, then the unknown ones. */
  get advisable(): readonly EligibleAccount[] {
    const sound = this.eligible.filter(
      ({ accountId, account, missingScopes: missing }) =>
        accountId !== this.boundId && account?.state !== 'failed' && missing.length === 0,
    );
    const isComplete = ({ account }: EligibleAccount) =>
      grantedScopes(account?.account) !== undefined &&
      this.requirement.connections?.some((connection) => isOwnConnection(connection, account?.account)) === true;
    return [...sound.filter(isComplete), ...sound.filter((one) => !isComplete(one))];
  }

  get connections() {
    const account = this.bound?.account;
    return (this.requirement.connections ?? []).map((connection) => ({
      connection,
      /** Whether this is the bound account's own connection method (readings.ts). */
      own: isOwnConnection(connection, account),
      scopes: scopeFindings(connection, grantedScopes(account)),
    }));
  }
}

interface ProblemBase {
  /** Names this problem within its organization across refreshes; never shown. */
  readonly key: string;
  /** Epoch ms at which this workspace first saw it. */
  readonly seenSince: number;
  /** Epoch ms. Present while it is muted: it is shown, and counted nowhere. */
  mutedUntil?: number | undefined;
}

export interface FailedAccount extends ProblemBase {
  readonly kind: 'failedAccount';
  readonly finding: AccountFinding;
  /** Scopes that some requirement bound to this account lacks: the reconnect step names them. */
  readonly scopes: readonly string[];
  /** The same by connection method, where the problem stands for all deployments that have the account. */
  readonly methods?: ReadonlyMap<string, readonly string[]>;
}

export interface UnsatisfiedRequirement extends ProblemBase {
  readonly kind: 'unsatisfiedRequirement';
  readonly finding: RequirementFinding;
}

/** The only two things that are counted and become diagnostics. */
export type Problem = FailedAccount | UnsatisfiedRequirement;

/** Until when a problem is muted, epoch ms; `undefined` if it is not. */
export type MutedUntil = (problem: Problem) => number | undefined;

/** How an account or a requirement is shown. */
export function shownState({ problem, state }: AccountFinding | RequirementFinding): Exclude<State, 'notYetRead'> {
  return problem?.mutedUntil === undefined ? state : 'muted';
}

/** All that one answer means. Every surface shows this, so that none disagrees with another. */
export class Findings {
  readonly state: Exclude<State, 'notYetRead'>;
  /** Problems first, then by name. */
  readonly requirements: readonly RequirementFinding[];
  readonly accounts: readonly AccountFinding[];
  /** Of several accounts with one id the first. */
  readonly accountsById: ReadonlyMap<string | undefined, AccountFinding>;
  /** What is bound to each account, by the account's id. */
  readonly requirementsByAccount: ReadonlyMap<string | undefined, readonly RequirementFinding[]>;
  /** Those that are not muted: failed accounts, then unsatisfied requirements, each by name. */
  readonly problems: readonly Problem[];
  /** The muted ones in the same order, listed apart everywhere. */
  readonly muted: readonly Problem[];
  /** Both, muted or not. */
  readonly all: readonly Problem[];
  readonly failedAccounts: number;
  readonly unsatisfied: number;

  /**
   * `seenSince` is asked once for each problem, with its key. `unreadable` is what decoding left out: if that may have been a
   * problem, the deployment is not called satisfied.
   */
  constructor(
    private readonly authorization: DeploymentAuthorization,
    private readonly deploymentId: string,
    seenSince: (key: string) => number,
    private readonly unreadable: LeftOut = { decodeIssues: [] },
    mutedUntil: MutedUntil = () => undefined,
  ) {
    const accounts = authorization.accounts.map((account) => new AccountFinding(account));
    const byId = new Map<string | undefined, AccountFinding>();
    // In reverse, so that of several with one id the first stays.
    for (const finding of accounts.toReversed()) byId.set(finding.account.id, finding);
    const requirements = authorization.requirements.map((requirement) => new RequirementFinding(requirement, byId));
    const byBound = groupBy(requirements, ({ bound }) => bound);
    const found: Problem[] = [];
    const keys = new Map<string, number>();
    const seen = (key: string) => {
      const unique = uniqueKey(key, keys);
      return { key: unique, seenSince: seenSince(unique) };
    };
    for (const finding of accounts) {
      if (finding.state !== 'failed') continue;
      const bound = byBound.get(finding) ?? [];
      const scopes = [...new Set(bound.flatMap((requirement) => requirement.missingScopes))];
      finding.problem = { kind: 'failedAccount', finding, scopes, ...seen(accountKey(deploymentId, finding.account)) };
      finding.problem.mutedUntil = mutedUntil(finding.problem);
      found.push(finding.problem);
    }
    for (const finding of requirements) {
      if (finding.state !== 'notSatisfied') continue;
      const key = requirementKey(deploymentId, finding.requirement);
      finding.problem = { kind: 'unsatisfiedRequirement', finding, ...seen(key) };
      finding.problem.mutedUntil = mutedUntil(finding.problem);
      found.push(finding.problem);
    }
    this.accountsById = byId;
    this.accounts = accounts.toSorted(byStateAndName);
    this.requirements = requirements.toSorted(byStateAndName);
    this.requirementsByAccount = groupBy(this.requirements, ({ boundId }) => boundId);
    const all = found.toSorted(
      (a, b) => Number(isAccount(b)) - Number(isAccount(a)) || byStateAndName(a.finding, b.finding),
    );
    this.problems = all.filter((problem) => problem.mutedUntil === undefined);
    this.muted = all.filter((problem) => problem.mutedUntil !== undefined);
    this.all = [...this.problems, ...this.muted];
    this.failedAccounts = this.problems.filter(isAccount).length;
    this.unsatisfied = this.problems.length - this.failedAccounts;
    this.state = this.ownState();
  }

  private ownState(): Findings['state'] {
    if (this.failedAccounts > 0) return 'failed';
    if (this.unsatisfied > 0) return 'notSatisfied';
    if (this.couldHide || this.requirements.some(({ state }) => state === 'unknown')) return 'unknown';
    return this.muted.length > 0 ? 'muted' : 'satisfied';
  }

  /** Whether a problem may be missing here only because it could not be read. */
  get couldHide(): boolean {
    const listed = this.unreadable.decodeIssues;
    // Of more than are listed nobody knows where they are.
    return leftOutCount(this.unreadable) > listed.length || listed.some(({ path }) => problemPath.test(path));
  }

  /** The same answer with these mutes; itself if nothing differs. */
  withMutes(mutedUntil: MutedUntil): Findings {
    const { all, authorization, deploymentId, unreadable } = this;
    if (all.every((problem) => mutedUntil(problem) === problem.mutedUntil)) return this;
    const seen = new Map(all.map(({ key, seenSince }) => [key, seenSince]));
    return new Findings(authorization, deploymentId, (key) => seen.get(key)!, unreadable, mutedUntil);
  }
}

function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function isAccount({ kind }: Problem): boolean {
  return kind === 'failedAccount';
}

/** Where decoding left something out that may have been a problem. */
const problemPath = /^(?:accounts|requirements)(?:\[\d+\](?:\.(?:error|satisfied))?)?$/;

/** An ordinal tells equal siblings apart, because which of them is which does not matter. */
export function uniqueKey(key: string, counts: Map<string, number>, mark = '\0'): string {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count === 1 ? key : `${key}${mark}${count}`;
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

export function missingScopes({ connections = [] }: Requirement, bound: Account | undefined): readonly string[] {
  const granted = grantedScopes(bound);
  if (granted === undefined) return [];
  const own = connections.filter((connection) => isOwnConnection(connection, bound));
  const missing = new Set(own.flatMap(({ requiredScopes = [] }) => requiredScopes));
  for (const scope of granted) missing.delete(scope);
  return [...missing];
}

/** Missing first, then by name; every scope of `requiredScopes` and `minimalScopes` once. */
function scopeFindings(connection: Connection, granted: readonly string[] | undefined) {
  const required = new Set(connection.requiredScopes);
  const minimal = new Set(connection.minimalScopes);
  const has = granted === undefined ? undefined : new Set(granted);
  return [...new Set([...required, ...minimal])]
    .map((scope) => {
      const state: ScopeState = has === undefined ? 'unknown' : has.has(scope) ? 'granted' : 'missing';
      return { scope, required: required.has(scope), minimal: minimal.has(scope), state };
    })
    .toSorted(
      (a, b) => Number(b.state === 'missing') - Number(a.state === 'missing') || compareNames(a.scope, b.scope),
    );
}

function byStateAndName<F extends AccountFinding | RequirementFinding>(a: F, b: F): number {
  return severity(shownState(a)) - severity(shownState(b)) || compareNames(a.name, b.name);
}

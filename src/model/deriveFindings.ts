import type { DecodeProblem } from '../api/answer.js';
import type { Account, Connection, DeploymentAuthorization, Requirement } from '../api/deploymentAuthorization.js';
import type {
  AccountFinding,
  ConnectionFinding,
  EligibleAccount,
  FailedAccount,
  Findings,
  Problem,
  RequirementFinding,
  ScopeFinding,
  ScopeState,
  UnsatisfiedRequirement,
} from './findings.js';
import { compareNames } from './order.js';
import { accountName, boundAccountId, hasFailed, heldScopes, isOwnConnection, requirementName } from './readings.js';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type SeenSince = (key: string) => number;

const none: readonly never[] = [];

/**
 * `seenSince` is asked once for each problem, with its key. `unreadable`: what decoding left out; where that could have
 * been a problem, the deployment is not called satisfied.
 */
export function deriveFindings(
  authorization: DeploymentAuthorization,
  deploymentId: string,
  seenSince: SeenSince,
  unreadable: readonly DecodeProblem[] = none,
): Findings {
  return new DerivedFindings(authorization, deploymentId, seenSince, unreadable);
}

/** Ten thousand are derived at once, and few are looked at: what only an opened row shows is made when asked for. */
class DerivedFindings implements Findings {
  readonly state: Findings['state'];
  readonly problems: readonly Problem[];
  readonly failedAccounts: number;
  readonly unsatisfied: number;
  private readonly accountFindings: AccountFinding[] = [];
  private readonly requirementFindings: RequirementFinding[] = [];
  private sorted = 0;

  constructor(
    authorization: DeploymentAuthorization,
    deploymentId: string,
    seenSince: SeenSince,
    unreadable: readonly DecodeProblem[],
  ) {
    const failed: Writable<FailedAccount>[] = [];
    const unsatisfied: UnsatisfiedRequirement[] = [];
    const keys = new ProblemKeys();
    for (const account of authorization.accounts) {
      const finding: Writable<AccountFinding> = { account, name: accountName(account), state: 'satisfied' };
      this.accountFindings.push(finding);
      if (!hasFailed(account)) continue;
      const key = keys.unique(failedAccountKey(deploymentId, account));
      finding.state = 'failed';
      const problem: FailedAccount = { kind: 'failedAccount', finding, scopes: none, key, seenSince: seenSince(key) };
      finding.problem = problem;
      failed.push(problem);
    }
    const accounts = new Accounts(this.accountFindings);
    let unknown = false;
    for (const requirement of authorization.requirements) {
      const finding = new DerivedRequirement(requirement, accounts);
      this.requirementFindings.push(finding);
      if (finding.state === 'unknown') unknown = true;
      if (finding.bound?.problem !== undefined && finding.missingScopes.length > 0) {
        const problem: Writable<FailedAccount> = finding.bound.problem;
        problem.scopes = [...new Set([...problem.scopes, ...finding.missingScopes])];
      }
      if (finding.state !== 'notSatisfied') continue;
      const key = keys.unique(unsatisfiedRequirementKey(deploymentId, requirement));
      finding.problem = { kind: 'unsatisfiedRequirement', finding, key, seenSince: seenSince(key) };
      unsatisfied.push(finding.problem);
    }
    this.failedAccounts = failed.length;
    this.unsatisfied = unsatisfied.length;
    if (failed.length > 1) failed.sort(byFindingName);
    if (unsatisfied.length > 1) unsatisfied.sort(byFindingName);
    this.problems = failed.length === 0 && unsatisfied.length === 0 ? none : [...failed, ...unsatisfied];
    this.state =
      failed.length > 0
        ? 'failed'
        : unsatisfied.length > 0
          ? 'notSatisfied'
          : unknown || unreadable.some(couldHideProblem)
            ? 'unknown'
            : 'satisfied';
  }

  get requirements(): readonly RequirementFinding[] {
    this.sort();
    return this.requirementFindings;
  }

  get accounts(): readonly AccountFinding[] {
    this.sort();
    return this.accountFindings;
  }

  private sort(): void {
    if (this.sorted++ > 0) return;
    this.requirementFindings.sort((a, b) => requirementRank[a.state] - requirementRank[b.state] || byName(a, b));
    this.accountFindings.sort((a, b) => accountRank[a.state] - accountRank[b.state] || byName(a, b));
  }
}

class DerivedRequirement implements RequirementFinding {
  readonly name: string;
  readonly state: RequirementFinding['state'];
  readonly bound?: AccountFinding;
  readonly boundAbsent: boolean;
  readonly missingScopes: readonly string[];
  problem?: UnsatisfiedRequirement;
  private allEligible?: readonly EligibleAccount[];
  private allConnections?: readonly ConnectionFinding[];

  constructor(
    readonly requirement: Requirement,
    private readonly all: Accounts,
  ) {
    const accountId = boundAccountId(requirement);
    const bound = accountId === undefined ? undefined : all.find(accountId);
    this.name = requirementName(requirement);
    // The service's own word: never overruled by what the scopes or accounts suggest.
    this.state = requirement.satisfied === undefined ? 'unknown' : requirement.satisfied ? 'satisfied' : 'notSatisfied';
    if (bound !== undefined) this.bound = bound;
    this.boundAbsent = accountId !== undefined && bound === undefined;
    this.missingScopes = bound === undefined ? none : missingScopes(requirement.connections, bound.account);
  }

  get eligible(): readonly EligibleAccount[] {
    this.allEligible ??= [...new Set(this.requirement.eligibleAccountIds)].map((accountId) => {
      const account = this.all.find(accountId);
      return account === undefined ? { accountId } : { accountId, account };
    });
    return this.allEligible;
  }

  get connections(): readonly ConnectionFinding[] {
    this.allConnections ??= (this.requirement.connections ?? none).map((connection) => ({
      connection,
      own: isOwnConnection(connection, this.bound?.account),
      scopes: scopeFindings(connection, heldScopes(this.bound?.account)),
    }));
    return this.allConnections;
  }
}

/** By id; of several with one id the first. A map pays only for many. */
class Accounts {
  private byId?: Map<string, AccountFinding>;
  /** Before anyone sorts them. */
  private readonly findings: readonly AccountFinding[];

  constructor(findings: readonly AccountFinding[]) {
    this.findings = findings;
    if (findings.length > 8) {
      this.byId = new Map();
      for (const finding of findings) {
        const id = finding.account.id;
        if (id !== undefined && !this.byId.has(id)) this.byId.set(id, finding);
      }
    }
  }

  find(id: string): AccountFinding | undefined {
    if (this.byId !== undefined) return this.byId.get(id);
    for (const finding of this.findings) if (finding.account.id === id) return finding;
    return undefined;
  }
}

/** Equal siblings are told apart by an ordinal: which of them is which does not matter. */
class ProblemKeys {
  private readonly counts = new Map<string, number>();

  unique(key: string): string {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count === 1 ? key : `${key}\0${count}`;
  }
}

function failedAccountKey(deploymentId: string, account: Account): string {
  const code = account.error?.code ?? '';
  return account.id === undefined
    ? `${deploymentId}\0account\0\0${account.serviceId}\0${account.serviceSub}\0${account.connectionMethodId}\0${account.label}\0${code}`
    : `${deploymentId}\0account\0${account.id}\0${code}`;
}

function unsatisfiedRequirementKey(deploymentId: string, requirement: Requirement): string {
  return `${deploymentId}\0requirement\0${requirement.serviceId}\0${requirement.binding}\0${requirement.accountId}`;
}

function missingScopes(connections: readonly Connection[] | undefined, bound: Account): readonly string[] {
  const held = heldScopes(bound);
  if (held === undefined || connections === undefined) return none;
  let missing: string[] | undefined;
  for (const connection of connections) {
    if (connection.requiredScopes === undefined || !isOwnConnection(connection, bound)) continue;
    const has = membership(held, connection.requiredScopes.length);
    for (const scope of connection.requiredScopes) {
      if (has(scope)) continue;
      missing ??= [];
      if (!missing.includes(scope)) missing.push(scope);
    }
  }
  return missing ?? none;
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

/** For the usual handful a look through the array is faster than a set. */
function membership(values: readonly string[], lookups: number): (value: string) => boolean {
  if (values.length * lookups <= 256) return (value) => values.includes(value);
  const set = new Set(values);
  return (value) => set.has(value);
}

/** Left out of the answer: something that, had it been readable, could have been a problem. */
function couldHideProblem(problem: DecodeProblem): boolean {
  return /^(?:accounts|requirements)(?:\[\d+\](?:\.(?:error|satisfied))?)?$/.test(problem.path);
}

const requirementRank = { notSatisfied: 0, unknown: 1, satisfied: 2 } as const;
const accountRank = { failed: 0, satisfied: 1 } as const;
const scopeRank = { missing: 0, unknown: 1, held: 2 } as const;

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareNames(a.name, b.name);
}

function byFindingName(a: Problem, b: Problem): number {
  return compareNames(a.finding.name, b.finding.name);
}

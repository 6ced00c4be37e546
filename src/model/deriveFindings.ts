import { type DecodeProblem, type LeftOut, leftOutCount } from '../api/answer.js';
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
/** Up to so many a look through an array is faster than a map. */
const few = 16;

/**
 * `seenSince` is asked once for each problem, with its key. `unreadable`: what decoding left out; where that could have
 * been a problem, the deployment is not called satisfied.
 */
export function deriveFindings(
  authorization: DeploymentAuthorization,
  deploymentId: string,
  seenSince: SeenSince,
  unreadable: LeftOut = { problems: none },
): Findings {
  return new DerivedFindings(authorization, deploymentId, seenSince, unreadable);
}

/**
 * Ten thousand are derived at once, and few are looked at: problems and notes are found in one pass that makes objects for
 * problems only; the rows of everything else are made when asked for.
 */
class DerivedFindings implements Findings {
  readonly state: Findings['state'];
  readonly problems: readonly Problem[] = none;
  readonly failedAccounts: number;
  readonly unsatisfied: number;
  /** Missing scopes by the requirement's place in the answer; most answers have none. */
  private missing: (readonly string[] | undefined)[] | undefined;
  private accountsById: Map<string, Account> | undefined;
  private accountFindings: Map<Account, AccountFinding> | undefined;
  private accountRows: readonly AccountFinding[] | undefined;
  private requirementRows: readonly RequirementFinding[] | undefined;

  constructor(
    private readonly authorization: DeploymentAuthorization,
    deploymentId: string,
    seenSince: SeenSince,
    unreadable: LeftOut,
  ) {
    const keys = new ProblemKeys(deploymentId);
    const failed = this.deriveAccounts(keys, seenSince);
    const { unsatisfied, unknown } = this.deriveRequirements(failed, keys, seenSince);
    this.failedAccounts = failed.length;
    this.unsatisfied = unsatisfied.length;
    if (failed.length > 0) {
      this.problems = [...failed.toSorted(byFindingName), ...unsatisfied.toSorted(byFindingName)];
      this.state = 'failed';
    } else if (unsatisfied.length > 0) {
      this.problems = unsatisfied.length > 1 ? unsatisfied.toSorted(byFindingName) : unsatisfied;
      this.state = 'notSatisfied';
    } else {
      this.state = unknown || couldHideProblem(unreadable) ? 'unknown' : 'satisfied';
    }
  }

  get accounts(): readonly AccountFinding[] {
    if (this.accountRows === undefined) {
      const byAccount = this.rowsByAccount();
      const rows = this.authorization.accounts.flatMap((account) => byAccount.get(account) ?? []);
      this.accountRows = rows.toSorted((a, b) => accountRank[a.state] - accountRank[b.state] || byName(a, b));
    }
    return this.accountRows;
  }

  get requirements(): readonly RequirementFinding[] {
    if (this.requirementRows === undefined) {
      const made = new Map<Requirement, RequirementFinding>();
      for (const problem of this.problems) {
        if (problem.kind === 'unsatisfiedRequirement') made.set(problem.finding.requirement, problem.finding);
      }
      const rows = this.authorization.requirements.map(
        (requirement, index) => made.get(requirement) ?? this.requirementRow(requirement, index),
      );
      this.requirementRows = rows.toSorted(
        (a, b) => requirementRank[a.state] - requirementRank[b.state] || byName(a, b),
      );
    }
    return this.requirementRows;
  }

  accountOf(id: string): AccountFinding | undefined {
    const account = this.findAccount(id);
    return account && this.rowsByAccount().get(account);
  }

  private rowsByAccount(): ReadonlyMap<Account, AccountFinding> {
    if (this.accountFindings === undefined) {
      this.accountFindings = new Map();
      for (const account of this.authorization.accounts) {
        this.accountFindings.set(account, { account, name: accountName(account), state: 'satisfied' });
      }
      for (const { kind, finding } of this.problems) {
        if (kind === 'failedAccount') this.accountFindings.set(finding.account, finding);
      }
    }
    return this.accountFindings;
  }

  /** Of several accounts with one id the first. A map pays only for many. */
  private findAccount(id: string): Account | undefined {
    const { accounts } = this.authorization;
    if (accounts.length <= few) {
      for (const account of accounts) if (account.id === id) return account;
      return undefined;
    }
    if (this.accountsById === undefined) {
      this.accountsById = new Map();
      for (const account of accounts) {
        if (account.id !== undefined && !this.accountsById.has(account.id)) this.accountsById.set(account.id, account);
      }
    }
    return this.accountsById.get(id);
  }

  private deriveAccounts(keys: ProblemKeys, seenSince: SeenSince): readonly FailedAccount[] {
    let failed: FailedAccount[] | undefined;
    for (const account of this.authorization.accounts) {
      if (!hasFailed(account)) continue;
      const key = keys.ofAccount(account);
      const finding: Writable<AccountFinding> = { account, name: accountName(account), state: 'failed' };
      finding.problem = { kind: 'failedAccount', finding, scopes: none, key, seenSince: seenSince(key) };
      if (failed === undefined) failed = [finding.problem];
      else failed.push(finding.problem);
    }
    return failed ?? none;
  }

  private deriveRequirements(failed: readonly Writable<FailedAccount>[], keys: ProblemKeys, seenSince: SeenSince) {
    const { requirements } = this.authorization;
    let unsatisfied: UnsatisfiedRequirement[] | undefined;
    let unknown = false;
    for (let index = 0; index < requirements.length; index++) {
      const requirement = requirements[index];
      if (requirement === undefined) continue;
      const boundId = boundAccountId(requirement);
      const bound = boundId === undefined ? undefined : this.findAccount(boundId);
      if (bound !== undefined) this.noteMissing(index, requirement, bound, failed);
      if (requirement.satisfied === undefined) unknown = true;
      if (requirement.satisfied !== false) continue;
      const key = keys.ofRequirement(requirement);
      const finding = this.requirementRow(requirement, index);
      finding.problem = { kind: 'unsatisfiedRequirement', finding, key, seenSince: seenSince(key) };
      if (unsatisfied === undefined) unsatisfied = [finding.problem];
      else unsatisfied.push(finding.problem);
    }
    return { unsatisfied: unsatisfied ?? none, unknown };
  }

  private noteMissing(
    index: number,
    requirement: Requirement,
    bound: Account,
    failed: readonly Writable<FailedAccount>[],
  ): void {
    const missing = missingOf(requirement.connections, bound);
    if (missing.length === 0) return;
    this.missing ??= Array<readonly string[] | undefined>(this.authorization.requirements.length);
    this.missing[index] = missing;
    const problem = hasFailed(bound) ? failed.find(({ finding }) => finding.account === bound) : undefined;
    if (problem !== undefined) problem.scopes = [...new Set([...problem.scopes, ...missing])];
  }

  private requirementRow(requirement: Requirement, index: number): RequirementRow {
    return new RequirementRow(requirement, this.missing?.[index] ?? none, this);
  }
}

class RequirementRow implements RequirementFinding {
  problem?: UnsatisfiedRequirement;
  private allEligible: readonly EligibleAccount[] | undefined;
  private allConnections: readonly ConnectionFinding[] | undefined;

  constructor(
    readonly requirement: Requirement,
    readonly missingScopes: RequirementFinding['missingScopes'],
    private readonly findings: DerivedFindings,
  ) {}

  get name(): string {
    return requirementName(this.requirement);
  }

  /** The service's own word: never overruled by what the scopes or accounts suggest. */
  get state(): RequirementFinding['state'] {
    const { satisfied } = this.requirement;
    return satisfied === undefined ? 'unknown' : satisfied ? 'satisfied' : 'notSatisfied';
  }

  get bound(): AccountFinding | undefined {
    const id = boundAccountId(this.requirement);
    return id === undefined ? undefined : this.findings.accountOf(id);
  }

  get boundAbsent(): boolean {
    return boundAccountId(this.requirement) !== undefined && this.bound === undefined;
  }

  get eligible(): readonly EligibleAccount[] {
    this.allEligible ??= [...new Set(this.requirement.eligibleAccountIds)].map((accountId) => {
      const account = this.findings.accountOf(accountId);
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

/** Equal siblings are told apart by an ordinal: which of them is which does not matter. */
class ProblemKeys {
  private first: string | undefined;
  private counts: Map<string, number> | undefined;

  constructor(private readonly deploymentId: string) {}

  ofAccount(account: Account): string {
    return this.unique(failedAccountKey(this.deploymentId, account));
  }

  ofRequirement(requirement: Requirement): string {
    return this.unique(unsatisfiedRequirementKey(this.deploymentId, requirement));
  }

  private unique(key: string): string {
    if (this.first === undefined) {
      this.first = key;
      return key;
    }
    this.counts ??= new Map([[this.first, 1]]);
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

function missingOf(connections: readonly Connection[] | undefined, bound: Account): readonly string[] {
  const held = heldScopes(bound);
  if (held === undefined || connections === undefined) return none;
  let missing: readonly string[] = none;
  for (const connection of connections) {
    const { requiredScopes } = connection;
    if (requiredScopes === undefined || !isOwnConnection(connection, bound)) continue;
    const set = held.length > few && requiredScopes.length > few ? new Set(held) : undefined;
    for (const scope of requiredScopes) {
      if (set === undefined ? held.includes(scope) : set.has(scope)) continue;
      // Not pushed: an array that grows is given room for many.
      if (!missing.includes(scope)) missing = missing === none ? [scope] : [...missing, scope];
    }
  }
  return missing;
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

/** Left out of the answer: something that, had it been readable, could have been a problem. */
function couldHideProblem(unreadable: LeftOut): boolean {
  const { problems } = unreadable;
  // Where the others are is not known.
  return leftOutCount(unreadable) > problems.length || problems.some(isWhereProblemsAre);
}

function isWhereProblemsAre(problem: DecodeProblem): boolean {
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

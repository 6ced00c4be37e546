import type { Answer } from '../../api/answer.js';
import type { Account, Connection, DeploymentAuthorization, Requirement } from '../../api/authorization.js';
import { maxDecodeIssues } from '../../api/decode.js';
import { compareNames, severity } from '../order.js';
import { accountKeys, accountSign, requirementKeys, requirementSign } from './identity.js';
import { accountName, boundAccountId, grantedScopes, hasFailed, isOwnConnection, requirementName } from './readings.js';

/** granted: the bound account has it. missing: it has not. unknown: no bound account, or its scopes were not sent. */
export type ScopeState = 'granted' | 'missing' | 'unknown';

export type ScopeFinding = ReturnType<typeof scopeFindings>[number];
export type ConnectionFinding = ReturnType<RequirementFinding['connections']>[number];

export interface EligibleAccount {
  readonly accountId: string;
  /** Absent if the id is not among the accounts. */
  readonly account: AccountFinding | undefined;
  /** Required by the account's own connection method and not granted to it. */
  readonly missingScopes: readonly string[];
}

/** What an answer says of one account. Made with its `Findings`, and never changed. */
export class AccountFinding {
  /** `label`, else `id`, else `serviceId`, else ''. */
  readonly name: string;
  readonly state: 'failed' | 'satisfied';
  readonly problem: FailedAccount | undefined;

  /** `failure`: present if failed. `key`: what the finding is about, see identity.ts. */
  constructor(
    readonly account: Account,
    readonly key: string,
    failure?: Omit<FailedAccount, 'kind' | 'finding'>,
  ) {
    this.name = accountName(account);
    this.problem = failure && { ...failure, kind: 'failedAccount', finding: this };
    this.state = failure === undefined ? 'satisfied' : 'failed';
  }

  /** What its state comes from, as a requirement has it, too. */
  get cause(): Problem | undefined {
    return this.problem;
  }
}

/** What an answer says of one requirement. Made with its `Findings`, and never changed. */
export class RequirementFinding {
  /** `binding`, else `serviceId`, else ''. */
  readonly name: string;
  /** The platform's own word: never overruled by what the scopes or accounts suggest. */
  readonly state: 'notSatisfied' | 'unknown' | 'satisfied';
  /** The account that it is bound to, which may not be among the accounts. */
  readonly boundId: string | undefined;
  readonly bound: AccountFinding | undefined;
  /** Note: required by the bound account's connection method and not granted to it. */
  readonly missingScopes: readonly string[];
  /** Present if not satisfied, unless that is an effect of its bound account's failure. */
  readonly problem: UnsatisfiedRequirement | undefined;
  /** Why it is not satisfied: its own problem, or the failed account whose effect it is. */
  readonly cause: Problem | undefined;
  private ranked: readonly EligibleAccount[] | undefined;

  constructor(
    readonly requirement: Requirement,
    readonly key: string,
    private readonly accounts: ReadonlyMap<string, AccountFinding>,
    deploymentId: string,
  ) {
    this.name = requirementName(requirement);
    this.state = stateOfRequirement(requirement);
    this.boundId = boundAccountId(requirement);
    this.bound = accounts.get(this.boundId ?? '');
    this.missingScopes = scopesMissing(requirement, this.bound?.account);
    if (this.state !== 'notSatisfied') return;
    if (this.bound?.problem) {
      this.cause = this.bound.problem;
    } else {
      const sign = requirementSign(requirement, this.missingScopes);
      this.problem = { kind: 'unsatisfiedRequirement', finding: this, key, sign, deploymentId };
      this.cause = this.problem;
    }
  }

  get boundAbsent(): boolean {
    return this.bound === undefined && this.boundId !== undefined;
  }

  /** Eligible accounts that work, with all required scopes, which the requirement could be bound to instead. */
  advisable(): readonly EligibleAccount[] {
    return this.eligible().filter(
      ({ accountId, account, missingScopes }) =>
        accountId !== this.boundId && !account?.problem && missingScopes.length === 0,
    );
  }

  connections() {
    const account = this.bound?.account;
    return (this.requirement.connections ?? []).map((connection) => ({
      connection,
      own: isOwnConnection(connection, account),
      scopes: scopeFindings(connection, grantedScopes(account)),
    }));
  }

  /** Ranked: complete, unknown, lacking a required scope, failed. */
  eligible(): readonly EligibleAccount[] {
    this.ranked ??= this.rankEligible();
    return this.ranked;
  }

  private rankEligible(): readonly EligibleAccount[] {
    const ids = new Set(this.requirement.eligibleAccountIds);
    const eligible = Array.from(ids, (accountId): EligibleAccount => {
      const account = this.accounts.get(accountId);
      return { accountId, account, missingScopes: scopesMissing(this.requirement, account?.account) };
    });
    return eligible.toSorted((a, b) => this.rank(a) - this.rank(b));
  }

  private rank({ account: finding, missingScopes }: EligibleAccount): number {
    if (finding?.problem) return 3;
    if (missingScopes.length > 0) return 2;
    const account = finding?.account;
    const isKnown = this.requirement.connections?.some((connection) => isOwnConnection(connection, account));
    return isKnown && grantedScopes(account) !== undefined ? 0 : 1;
  }
}

function stateOfRequirement({ satisfied }: Requirement): RequirementFinding['state'] {
  if (satisfied === undefined) return 'unknown';
  return satisfied ? 'satisfied' : 'notSatisfied';
}

export type Finding = AccountFinding | RequirementFinding;

export interface Identity {
  /** What the problem is about, within its organization; never shown. */
  readonly key: string;
  /** What must stay for it to be the same problem. */
  readonly sign: string;
  /** The deployment that it belongs to. Absent for an account with an ID, which is the same in all deployments. */
  readonly deploymentId: string | undefined;
}

interface FailedAccount extends Identity {
  readonly kind: 'failedAccount';
  readonly finding: AccountFinding;
  /** Scopes that some requirement bound to this account lacks: the reconnect step names them. */
  readonly scopes: readonly string[];
  /** The same by connection method, where the problem stands for all deployments that have the account. */
  readonly methods?: ReadonlyMap<string, readonly string[]>;
}

interface UnsatisfiedRequirement extends Identity {
  readonly kind: 'unsatisfiedRequirement';
  readonly finding: RequirementFinding;
}

/** The only two things that are counted and become diagnostics. */
export type Problem = FailedAccount | UnsatisfiedRequirement;

/**
 * All that one answer means, made once. Every surface shows this, so that none disagrees with another.
 * It knows of mutes only in which order they put the findings at that time: whoever counts or draws asks
 * the memory.
 */
export class Findings {
  /** Failed, not satisfied, unknown, muted, satisfied; each by name. */
  readonly requirements: readonly RequirementFinding[];
  readonly accounts: readonly AccountFinding[];
  /** By the account's id. Of several with one id the first that failed, else the first. */
  readonly accountsById: ReadonlyMap<string, AccountFinding>;
  /** Failed accounts, then unsatisfied requirements, those that were muted last. */
  readonly problems: readonly Problem[];
  /** Whether a problem may be missing here only because it could not be read. */
  readonly couldHide: boolean;
  /** Whether something is unknown beside the problems. */
  readonly isIncomplete: boolean;
  /** By the key of the failed account: the requirements that are not satisfied because of it. */
  private readonly effects: ReadonlyMap<string, readonly RequirementFinding[]>;

  constructor(
    { value, decodeIssues }: Pick<Answer<DeploymentAuthorization>, 'value' | 'decodeIssues'>,
    deploymentId: string,
    isMuted: (identity: Identity) => boolean = () => false,
  ) {
    const accounts = accountFindings(value, deploymentId);
    this.accountsById = byId(accounts);
    const keys = requirementKeys(value.requirements, deploymentId);
    const requirements = value.requirements.map(
      (requirement, at) => new RequirementFinding(requirement, keys[at]!, this.accountsById, deploymentId),
    );
    const worstFirst = byShownStateAndName(isMuted);
    this.accounts = accounts.toSorted(worstFirst);
    this.requirements = requirements.toSorted(worstFirst);
    const problems = this.foundProblems();
    this.problems = [...problems.filter((one) => !isMuted(one)), ...problems.filter(isMuted)];
    this.couldHide = couldHideProblem(decodeIssues);
    this.isIncomplete = this.couldHide || requirements.some(({ state }) => state === 'unknown');
    const effects = this.requirements.filter(({ cause }) => cause?.kind === 'failedAccount');
    this.effects = groupBy(effects, ({ cause }) => cause!.key);
  }

  effectsOf({ key }: Pick<FailedAccount, 'key'>): readonly RequirementFinding[] {
    return this.effects.get(key) ?? [];
  }

  private foundProblems(): readonly Problem[] {
    const problems: Problem[] = [];
    for (const { account, problem } of this.accounts) {
      // Several failed accounts with one id are one problem.
      const isOne = !account.id || this.accountsById.get(account.id)?.problem === problem;
      if (problem && isOne) problems.push(problem);
    }
    for (const { problem } of this.requirements) if (problem) problems.push(problem);
    return problems;
  }
}

function accountFindings(
  { accounts, requirements }: DeploymentAuthorization,
  deploymentId: string,
): readonly AccountFinding[] {
  const bound = groupBy(requirements, boundAccountId);
  const keys = accountKeys(accounts, deploymentId);
  return accounts.map((account, at) => {
    const key = keys[at]!;
    if (!hasFailed(account)) return new AccountFinding(account, key);
    const needing = (account.id && bound.get(account.id)) || [];
    const scopes = [...new Set(needing.flatMap((requirement) => scopesMissing(requirement, account)))];
    const owner = account.id ? undefined : deploymentId;
    return new AccountFinding(account, key, { key, sign: accountSign(account), deploymentId: owner, scopes });
  });
}

function byId(findings: readonly AccountFinding[]): ReadonlyMap<string, AccountFinding> {
  const accounts = new Map<string, AccountFinding>();
  for (const finding of findings) {
    const id = finding.account.id ?? '';
    const before = accounts.get(id);
    if (id && (!before || (finding.problem && !before.problem))) accounts.set(id, finding);
  }
  return accounts;
}

function couldHideProblem(decodeIssues: Answer<unknown>['decodeIssues']): boolean {
  // Where those are that are not listed is unknown.
  return decodeIssues.length >= maxDecodeIssues || decodeIssues.some(({ path }) => problemPath.test(path));
}

export function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Where decoding left something out that may have been a problem. */
const problemPath = /^(?:accounts|requirements)(?:\[\d+\](?:\.(?:error|satisfied))?)?$/;

export function scopesMissing({ connections = [] }: Requirement, bound: Account | undefined): readonly string[] {
  const granted = grantedScopes(bound);
  if (granted === undefined) return [];
  const missing = new Set<string>();
  for (const connection of connections) {
    if (!isOwnConnection(connection, bound)) continue;
    for (const scope of connection.requiredScopes ?? []) missing.add(scope);
  }
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

function byShownStateAndName(isMuted: (problem: Problem) => boolean) {
  const severityOf = ({ cause, state }: Finding): number =>
    severity(cause !== undefined && isMuted(cause) ? 'muted' : state);
  return (a: Finding, b: Finding): number => severityOf(a) - severityOf(b) || compareNames(a.name, b.name);
}

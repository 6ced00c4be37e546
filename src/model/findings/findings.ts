import type { Answer } from '../../api/answer.js';
import type {
  Account,
  Connection,
  DeploymentAuthorization,
  Requirement,
} from '../../api/authorization.js';
import { maxDecodeIssues } from '../../api/decode.js';
import { accountKeys, accountSign, requirementKeys, requirementSign } from './identity.js';
import { compareNames, severity } from './order.js';
import {
  accountName,
  boundAccountId,
  grantedScopes,
  hasFailed,
  isOwnConnection,
  knowsAllConnections,
  knowsAllScopes,
  mayHaveFailed,
  methodIdOf,
  requirementName,
} from './readings.js';

/**
 * granted: the bound account has it. missing: it has not. unknown: no bound account, or its scopes were
 * not sent, or not read whole.
 */
export type ScopeState = 'granted' | 'missing' | 'unknown';

export type ScopeFinding = ReturnType<typeof scopeFindings>[number];
export type ConnectionFinding = ReturnType<RequirementFinding['connections']>[number];

export interface EligibleAccount {
  readonly accountId: string;
  /** Absent if the answer has no account with this ID. */
  readonly account: AccountFinding | undefined;
  /** Absent if none is missing, or none is known to be. */
  readonly missing: MissingScopes | undefined;
}

/** What an account's own connection method requires and the account was not granted. */
export interface MissingScopes {
  readonly first: string;
  readonly count: number;
}

const manyScopes = 20;

/** What an answer says of one account. Made with its `Findings`, and never changed. */
export class AccountFinding {
  /** `label`, else `id`, else `serviceId`, else ''. */
  readonly name: string;
  /** Unknown: what the platform sent as its error could not be read. */
  readonly state: 'failed' | 'unknown' | 'satisfied';
  readonly problem: FailedAccount | undefined;
  private grantedSet: ReadonlySet<string> | undefined;

  /** `failure`: present if failed. `key`: what the finding is about, see identity.ts. */
  constructor(
    readonly account: Account,
    readonly key: string,
    failure?: Omit<FailedAccount, 'kind' | 'finding'>,
  ) {
    this.name = accountName(account);
    this.problem = failure && { ...failure, kind: 'failedAccount', finding: this };
    if (failure) this.state = 'failed';
    else this.state = mayHaveFailed(account) ? 'unknown' : 'satisfied';
  }

  /** What its state comes from, as a requirement has it, too. */
  get cause(): Problem | undefined {
    return this.problem;
  }

  /** `undefined` if the platform did not say, or if this may be a scope that could not be read. */
  grants(scope: string): boolean | undefined {
    if (this.lists(scope)) return true;
    return knowsAllScopes(this.account) ? false : undefined;
  }

  private lists(scope: string): boolean {
    const scopes = grantedScopes(this.account) ?? [];
    // Most accounts have a few, of which a set would take more memory than time.
    if (scopes.length < manyScopes) return scopes.includes(scope);
    this.grantedSet ??= new Set(scopes);
    return this.grantedSet.has(scope);
  }
}

/** What a requirement has to know of the answer that it stands in. */
interface AnswerOfRequirement {
  readonly deploymentId: string;
  /** By their IDs. */
  readonly accounts: ReadonlyMap<string, AccountFinding>;
  /** Whether no account could be missing among these because it could not be read. */
  readonly namesAllAccounts: boolean;
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
    private readonly answer: AnswerOfRequirement,
  ) {
    const { accounts, deploymentId } = answer;
    this.name = requirementName(requirement);
    this.state = stateOfRequirement(requirement);
    this.boundId = boundAccountId(requirement);
    this.bound = accounts.get(this.boundId ?? '');
    this.missingScopes = scopesMissing(requirement, this.bound);
    if (this.state !== 'notSatisfied') return;
    if (this.bound?.problem) {
      this.cause = this.bound.problem;
    } else {
      const sign = requirementSign(requirement, this.missingScopes, this.bound?.account);
      this.problem = { kind: 'unsatisfiedRequirement', finding: this, key, sign, deploymentId };
      this.cause = this.problem;
    }
  }

  /**
   * Whether it is not satisfied because its bound account has failed, which is the problem that
   * counts.
   */
  get isEffect(): boolean {
    return this.cause !== undefined && this.problem === undefined;
  }

  get isBoundAccountAbsent(): boolean {
    return this.bound === undefined && this.boundId !== undefined && this.answer.namesAllAccounts;
  }

  /** Eligible accounts that work, with all required scopes, which the requirement could be bound to instead. */
  advisable(): readonly EligibleAccount[] {
    return this.eligible().filter(
      ({ accountId, account, missing }) =>
        accountId !== this.boundId && account?.problem === undefined && missing === undefined,
    );
  }

  connections() {
    const { bound, requirement } = this;
    return (requirement.connections ?? []).map((connection) => ({
      connection,
      isOfBoundAccount: isOwnConnection(connection, bound?.account),
      scopes: scopeFindings(connection, bound),
    }));
  }

  /** Ranked: complete, unknown, lacking a required scope, failed. */
  eligible(): readonly EligibleAccount[] {
    this.ranked ??= this.rankEligible();
    return this.ranked;
  }

  private rankEligible(): readonly EligibleAccount[] {
    const requiredByMethod = scopesByMethod(this.requirement);
    const isRequiredKnown = knowsAllConnections(this.requirement);
    const ids = new Set(this.requirement.eligibleAccountIds);
    const ranked = Array.from(ids, (accountId) => {
      const account = this.answer.accounts.get(accountId);
      const method = account && methodIdOf(account.account);
      const required = method === undefined ? undefined : requiredByMethod.get(method);
      const missing = account && missingOf(required, account);
      const isKnown = required !== undefined && isRequiredKnown && knowsAllScopes(account!.account);
      const eligible: EligibleAccount = { accountId, account, missing };
      return { eligible, rank: rankOf(eligible, isKnown) };
    });
    return ranked.toSorted((a, b) => a.rank - b.rank).map(({ eligible }) => eligible);
  }
}

/** `isKnown`: whether the scopes are known that it needs and that it has. */
function rankOf({ account, missing }: EligibleAccount, isKnown: boolean): number {
  if (account?.problem) return 3;
  if (missing) return 2;
  return isKnown && account?.state === 'satisfied' ? 0 : 1;
}

function stateOfRequirement({ satisfied }: Requirement): RequirementFinding['state'] {
  if (satisfied === undefined) return 'unknown';
  return satisfied ? 'satisfied' : 'notSatisfied';
}

export type Finding = AccountFinding | RequirementFinding;

export interface Identity {
  /** What the problem is about, within its organization; never shown. */
  readonly key: string;
  /** What must stay for it to be the same problem; `undefined` if a part of it could not be read. */
  readonly sign: string | undefined;
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
 * Mutes only decide its order at that time: views and counts ask the problem memory what is muted.
 */
export class Findings {
  /** Failed, not satisfied, unknown, muted, satisfied; each by name. */
  readonly requirements: readonly RequirementFinding[];
  readonly accounts: readonly AccountFinding[];
  /** By the account's id. Of several with one id the first of the worst state. */
  readonly accountsById: ReadonlyMap<string, AccountFinding>;
  /** Failed accounts, then unsatisfied requirements, those that were muted last. */
  readonly problems: readonly Problem[];
  /**
   * The IDs of the accounts that unsatisfied requirements are bound to. Absent if there are none, as in most
   * answers.
   */
  private readonly stopping: ReadonlySet<string> | undefined;
  /** Whether a problem, or what it is known by, may be missing only because it could not be read. */
  readonly mayHideProblem: boolean;
  /** Whether something is unknown beside the problems. */
  readonly isIncomplete: boolean;
  /** Whether the answer has no account beside those that could be read, with their IDs. */
  readonly namesAllAccounts: boolean;
  /**
   * By the key of the failed account: the requirements that are not satisfied because of it. Absent if
   * all are satisfied.
   */
  private readonly effects: ReadonlyMap<string, readonly RequirementFinding[]> | undefined;

  constructor(
    { value, decodeIssues }: Pick<Answer<DeploymentAuthorization>, 'value' | 'decodeIssues'>,
    deploymentId: string,
    isMuted: (identity: Identity) => boolean = () => false,
  ) {
    const accounts = accountFindings(value, deploymentId);
    this.accountsById = byId(accounts);
    const leftOut = whatIsLeftOut(decodeIssues);
    this.mayHideProblem = leftOut.problem || leftOut.identity;
    this.namesAllAccounts = !leftOut.account;
    const keys = requirementKeys(value.requirements, deploymentId);
    const own = {
      deploymentId,
      accounts: this.accountsById,
      namesAllAccounts: this.namesAllAccounts,
    };
    const requirements = value.requirements.map(
      (one, at) => new RequirementFinding(one, keys[at]!, own),
    );
    const muted = new Set<Problem>();
    for (const findings of [accounts, requirements]) {
      for (const { problem } of findings) if (problem && isMuted(problem)) muted.add(problem);
    }
    const worstFirst = byShownStateAndName(muted);
    this.accounts = accounts.toSorted(worstFirst);
    this.requirements = requirements.toSorted(worstFirst);
    this.problems = this.foundProblems().toSorted(
      (a, b) => Number(muted.has(a)) - Number(muted.has(b)),
    );
    this.isIncomplete = leftOut.problem || requirements.some(({ state }) => state === 'unknown');
    const unsatisfied = this.requirements.filter(({ state }) => state === 'notSatisfied');
    if (unsatisfied.length > 0) {
      this.stopping = new Set(unsatisfied.flatMap(({ boundId }) => boundId ?? []));
      const effects = unsatisfied.filter(({ cause }) => cause?.kind === 'failedAccount');
      this.effects = groupBy(effects, ({ cause }) => cause!.key);
    }
  }

  /** Of which the platform did not say how they are, or could not be read when it said so. */
  get unknownFindings(): readonly Finding[] {
    const isUnknown = ({ state }: Finding): boolean => state === 'unknown';
    return [...this.requirements.filter(isUnknown), ...this.accounts.filter(isUnknown)];
  }

  /** Whether a requirement that is bound to this account is not satisfied. */
  hasUnsatisfiedBoundTo(accountId: string): boolean {
    return this.stopping?.has(accountId) === true;
  }

  effectsOf({ key }: Pick<FailedAccount, 'key'>): readonly RequirementFinding[] {
    return this.effects?.get(key) ?? [];
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
    const finding = new AccountFinding(account, key);
    if (!hasFailed(account)) return finding;
    const needing = (account.id && bound.get(account.id)) || [];
    const scopes = [
      ...new Set(needing.flatMap((requirement) => scopesMissing(requirement, finding))),
    ];
    const owner = account.id ? undefined : deploymentId;
    return new AccountFinding(account, key, {
      key,
      sign: accountSign(account),
      deploymentId: owner,
      scopes,
    });
  });
}

function byId(findings: readonly AccountFinding[]): ReadonlyMap<string, AccountFinding> {
  const accounts = new Map<string, AccountFinding>();
  for (const finding of findings) {
    const id = finding.account.id ?? '';
    const before = accounts.get(id);
    if (id && (!before || severity(finding.state) < severity(before.state)))
      accounts.set(id, finding);
  }
  return accounts;
}

/** Returns whether decoding may have left out a problem, what one is known by, an account or its ID. */
function whatIsLeftOut(decodeIssues: Answer<unknown>['decodeIssues']) {
  // Where those are that are not listed is unknown.
  if (decodeIssues.length >= maxDecodeIssues)
    return { problem: true, identity: true, account: true };
  const leftOut = { problem: false, identity: false, account: false };
  for (const { path } of decodeIssues) {
    leftOut.problem ||= problemPath.test(path);
    leftOut.identity ||= identityPath.test(path);
    leftOut.account ||= accountPath.test(path);
  }
  return leftOut;
}

export function groupBy<K, T>(
  items: readonly T[],
  keyOf: (item: T) => K,
): ReadonlyMap<K, readonly T[]> {
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

/** Where decoding left out an account, or by which ID it is known. */
const accountPath = /^accounts(?:\[\d+\](?:\.id)?)?$/;

/** Where decoding left out what a problem is known by. */
const identityPath = /^(?:accounts\[\d+\]\.id|requirements\[\d+\]\.(?:binding|serviceId))$/;

export function scopesMissing(
  { connections = [] }: Requirement,
  bound: AccountFinding | undefined,
): readonly string[] {
  const missing = new Set<string>();
  for (const connection of connections) {
    if (!isOwnConnection(connection, bound?.account)) continue;
    for (const scope of connection.requiredScopes ?? []) {
      if (bound?.grants(scope) === false) missing.add(scope);
    }
  }
  return [...missing];
}

/** What a requirement requires, by connection method. */
function scopesByMethod({
  connections = [],
}: Requirement): ReadonlyMap<string, ReadonlySet<string>> {
  const byMethod = new Map<string, Set<string>>();
  for (const connection of connections) {
    const method = methodIdOf(connection);
    if (method === undefined) continue;
    const scopes = byMethod.get(method) ?? new Set<string>();
    byMethod.set(method, scopes);
    for (const scope of connection.requiredScopes ?? []) scopes.add(scope);
  }
  return byMethod;
}

/**
 * Goes over the shorter list: a requirement can have thousands of eligible accounts, and each of these
 * thousands of scopes.
 */
function missingOf(
  required: ReadonlySet<string> | undefined,
  account: AccountFinding,
): MissingScopes | undefined {
  const granted = grantedScopes(account.account);
  if (required === undefined || granted === undefined || !knowsAllScopes(account.account))
    return undefined;
  const isHeld = (scope: string): boolean => account.grants(scope) === true;
  const held =
    required.size < granted.length
      ? Array.from(required).filter(isHeld).length
      : new Set(granted.filter((scope) => required.has(scope))).size;
  for (const first of required) {
    if (!isHeld(first)) return { first, count: required.size - held };
  }
  return undefined;
}

/** Missing first, then by name; every scope of `requiredScopes` and `minimalScopes` once. */
function scopeFindings(connection: Connection, bound: AccountFinding | undefined) {
  const required = new Set(connection.requiredScopes);
  const minimal = new Set(connection.minimalScopes);
  const stateOf = (scope: string): ScopeState => {
    const isGranted = bound?.grants(scope);
    if (isGranted === undefined) return 'unknown';
    return isGranted ? 'granted' : 'missing';
  };
  return [...new Set([...required, ...minimal])]
    .map((scope) => ({
      scope,
      isRequired: required.has(scope),
      isMinimal: minimal.has(scope),
      state: stateOf(scope),
    }))
    .toSorted(
      (a, b) =>
        Number(b.state === 'missing') - Number(a.state === 'missing') ||
        compareNames(a.scope, b.scope),
    );
}

function byShownStateAndName(muted: ReadonlySet<Problem>) {
  const severityOf = ({ cause, state }: Finding): number =>
    severity(cause !== undefined && muted.has(cause) ? 'muted' : state);
  return (a: Finding, b: Finding): number =>
    severityOf(a) - severityOf(b) || compareNames(a.name, b.name);
}

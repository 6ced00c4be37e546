import type { Answer } from '../../api/answer.js';
import type {
  Account,
  Connection,
  DeploymentAuthorization,
  Requirement,
} from '../../api/authorization.js';
import { maxDecodeIssues } from '../../api/decode.js';
import { accountKeys, accountSign, requirementKeys, requirementSign } from './identity.js';
import { compareNames, type State, severity } from './order.js';
import {
  accountName,
  boundAccountId,
  grantedScopes,
  hasFailed,
  isConnectionOf,
  knowsAllConnections,
  knowsAllScopes,
  mayHaveFailed,
  methodIdOf,
  requirementName,
} from './readings.js';

/** What a problem is recognized by. */
export interface Identity {
  /** What the problem is about, within its organization. Never shown. */
  readonly key: string;
  /**
   * What must stay for it to be the same problem; `undefined` if a part of that could not be read,
   * or if an answer has the account twice, with different errors.
   */
  readonly sign: string | undefined;
  /**
   * The deployment to which the problem belongs. `undefined` for a failed account with an ID, which
   * is one problem in all deployments.
   */
  readonly deploymentId: string | undefined;
}

interface FoundProblem extends Identity {
  /** The deployment whose answer shows the problem. */
  readonly foundIn: string;
}

interface FailedAccount extends FoundProblem {
  readonly kind: 'failedAccount';
  readonly finding: AccountFinding;
  /**
   * The scopes that requirements bound to this account lack, to be granted when it is reconnected.
   */
  readonly scopes: readonly string[];
  /**
   * The same scopes by the ID of the connection method. Present if the problem stands for all
   * deployments that have the account.
   */
  readonly methods?: ReadonlyMap<string, readonly string[]>;
}

interface UnsatisfiedRequirement extends FoundProblem {
  readonly kind: 'unsatisfiedRequirement';
  readonly finding: RequirementFinding;
}

/** The only two things that are counted and become diagnostics. */
export type Problem = FailedAccount | UnsatisfiedRequirement;

/**
 * Whether the bound account has a scope. `unknown`: there is no bound account, or its scopes were
 * not sent or could not be read whole.
 */
export type ScopeState = 'granted' | 'missing' | 'unknown';

/** One scope of a connection method. */
export interface ScopeFinding {
  readonly scope: string;
  readonly isRequired: boolean;
  readonly isMinimal: boolean;
  readonly state: ScopeState;
}

/** One connection method of a requirement. */
export interface ConnectionFinding {
  readonly connection: Connection;
  /** Whether the requirement's bound account was connected by this method. */
  readonly isOfBoundAccount: boolean;
  /** Missing scopes first, then by name. */
  readonly scopes: readonly ScopeFinding[];
}

/** An account that a requirement could be bound to. */
export interface EligibleAccount {
  readonly accountId: string;
  /** `undefined` if the answer has no account with this ID. */
  readonly account: AccountFinding | undefined;
  /** `undefined` if no scope is missing, or none is known to be missing. */
  readonly missing: MissingScopes | undefined;
}

/** The scopes that an account's connection method requires and that the account was not granted. */
export interface MissingScopes {
  readonly first: string;
  readonly count: number;
}

/** From so many scopes on, an account's scopes are kept as a set, too. */
const manyScopes = 20;

/**
 * What an answer says of one account: its state, and the problem if it has failed. Made with its
 * `Findings`, or with a `SharedAccount` if it has failed, and never changed.
 */
export class AccountFinding {
  /** `label`, else `id`, else `serviceId`, else ''. */
  readonly name: string;
  /** `unknown`: what the platform sent as the account's error could not be read. */
  readonly state: 'failed' | 'unknown' | 'works';
  /** `undefined` if the account has not failed. */
  readonly problem: FailedAccount | undefined;
  /** Made when first needed, and only if the account has many scopes. */
  private grantedSet: ReadonlySet<string> | undefined;

  /** `key`: see identity.ts. `failure`: present if the account has failed. */
  constructor(
    readonly account: Account,
    readonly key: string,
    failure?: Omit<FailedAccount, 'kind' | 'finding'>,
  ) {
    this.name = accountName(account);
    this.problem = failure && { ...failure, kind: 'failedAccount', finding: this };
    if (failure) this.state = 'failed';
    else this.state = mayHaveFailed(account) ? 'unknown' : 'works';
  }

  /** Why the account's state is bad. Requirements have this member, too. */
  get cause(): Problem | undefined {
    return this.problem;
  }

  /**
   * Returns whether the account was granted this scope; `undefined` if the platform did not say, or
   * if the scope may be one of those that could not be read.
   */
  grants(scope: string): boolean | undefined {
    if (this.hasScope(scope)) return true;
    return knowsAllScopes(this.account) ? false : undefined;
  }

  private hasScope(scope: string): boolean {
    const scopes = grantedScopes(this.account) ?? [];
    // Most accounts have a few scopes, for which a set would cost more memory than it saves time.
    if (scopes.length < manyScopes) return scopes.includes(scope);
    this.grantedSet ??= new Set(scopes);
    return this.grantedSet.has(scope);
  }
}

/**
 * What a requirement has to know of the rest of its answer. Made with its `Findings`; the findings
 * of all requirements share it.
 */
class AnswerOfRequirement {
  /** Made when first asked for. */
  private uniqueBindings: ReadonlySet<string> | undefined;

  constructor(
    readonly deploymentId: string,
    /** By ID. */
    readonly accounts: ReadonlyMap<string, AccountFinding>,
    readonly requirements: readonly Requirement[],
    private readonly unread: UnreadParts,
  ) {}

  /** Whether every account of the answer, with its ID, could be read. */
  get namesAllAccounts(): boolean {
    return !this.unread.mayBeAccount;
  }

  /**
   * Returns whether certainly only one requirement of the answer has this `binding`: not if that of
   * another could not be read. A blank one is no name.
   */
  isUnique(binding: string): boolean {
    if (this.unread.mayBeBinding) return false;
    this.uniqueBindings ??= uniqueBindings(this.requirements);
    return this.uniqueBindings.has(binding);
  }
}

/**
 * What an answer says of one requirement: its state, its bound account, and what is wrong. Made
 * with its `Findings`, and never changed.
 */
export class RequirementFinding {
  /** `binding`, else `serviceId`, else ''. */
  readonly name: string;
  /** The platform's own word, which scopes and accounts never overrule. */
  readonly state: 'notSatisfied' | 'unknown' | 'satisfied';
  /**
   * The ID of the account to which the requirement is bound. The answer may not have this account.
   */
  readonly boundId: string | undefined;
  /** The account with the ID `boundId`; `undefined` if the answer does not have it. */
  readonly bound: AccountFinding | undefined;
  /** What the bound account's connection method requires and the account was not granted. */
  readonly missingScopes: readonly string[];
  /** Present if the requirement is not satisfied and its bound account has not failed. */
  readonly problem: UnsatisfiedRequirement | undefined;
  /** Why the requirement is not satisfied: its own problem, or that of its failed bound account. */
  readonly cause: Problem | undefined;
  /** Made when first asked for. */
  private rankedAccounts: readonly EligibleAccount[] | undefined;

  /** `key`: see identity.ts. */
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
      this.problem = {
        kind: 'unsatisfiedRequirement',
        finding: this,
        key,
        sign: this.signOfProblem(),
        deploymentId,
        foundIn: deploymentId,
      };
      this.cause = this.problem;
    }
  }

  /** Whether certainly no other requirement of the answer has the same `binding`. */
  get hasUniqueBinding(): boolean {
    return this.answer.isUnique(this.requirement.binding ?? '');
  }

  /**
   * Whether the requirement is not satisfied because its bound account has failed: only the account
   * counts then.
   */
  get isEffect(): boolean {
    return this.cause !== undefined && this.problem === undefined;
  }

  /** Whether the answer certainly has no account with the ID to which the requirement is bound. */
  get isBoundAccountAbsent(): boolean {
    return this.boundId !== undefined && this.bound === undefined && this.answer.namesAllAccounts;
  }

  /**
   * Returns the other eligible accounts that have not failed and are not known to lack a required
   * scope.
   */
  advisable(): readonly EligibleAccount[] {
    return this.eligible().filter(({ accountId, account, missing }) => {
      const hasFailedAccount = account?.problem !== undefined;
      return accountId !== this.boundId && !hasFailedAccount && missing === undefined;
    });
  }

  connections(): readonly ConnectionFinding[] {
    const { bound, requirement } = this;
    const connections = requirement.connections ?? [];
    return connections.map((connection) => ({
      connection,
      isOfBoundAccount: isConnectionOf(bound?.account, connection),
      scopes: scopeFindings(connection, bound),
    }));
  }

  /**
   * Returns the eligible accounts, the best first: complete, unknown, lacking a required scope,
   * failed.
   */
  eligible(): readonly EligibleAccount[] {
    this.rankedAccounts ??= this.rankEligible();
    return this.rankedAccounts;
  }

  /** Returns the sign of the problem; `undefined` if a part of it could not be read. */
  private signOfProblem(): string | undefined {
    const isBoundUnread =
      this.boundId !== undefined && this.bound === undefined && !this.answer.namesAllAccounts;
    if (isBoundUnread) return undefined;
    return requirementSign(this.requirement, this.missingScopes, this.bound?.account);
  }

  private rankEligible(): readonly EligibleAccount[] {
    const requiredByMethod = scopesByMethod(this.requirement);
    const areRequiredKnown = knowsAllConnections(this.requirement);
    const ids = new Set(this.requirement.eligibleAccountIds);
    const ranked = Array.from(ids, (accountId) => {
      const account = this.answer.accounts.get(accountId);
      const methodId = account && methodIdOf(account.account);
      const required = methodId === undefined ? undefined : requiredByMethod.get(methodId);
      const missing = account && missingOf(required, account);
      const areScopesKnown =
        required !== undefined && areRequiredKnown && knowsAllScopes(account!.account);
      const eligible: EligibleAccount = { accountId, account, missing };
      return { eligible, rank: rankOf(eligible, areScopesKnown) };
    });
    return ranked.toSorted((a, b) => a.rank - b.rank).map(({ eligible }) => eligible);
  }
}

/**
 * Returns the rank by which eligible accounts are sorted: 0 if the account works and has all
 * required scopes, 1 if that is unknown, 2 if it lacks scopes, and 3 if it has failed.
 * `areScopesKnown`: whether the scopes are known that the account needs and that it has.
 */
function rankOf({ account, missing }: EligibleAccount, areScopesKnown: boolean): 0 | 1 | 2 | 3 {
  if (account?.problem) return 3;
  if (missing) return 2;
  return areScopesKnown && account?.state === 'works' ? 0 : 1;
}

function stateOfRequirement({ satisfied }: Requirement): RequirementFinding['state'] {
  if (satisfied === undefined) return 'unknown';
  return satisfied ? 'satisfied' : 'notSatisfied';
}

export type Finding = AccountFinding | RequirementFinding;

/** Returns the state with which the finding is shown unless it is muted. */
export function unmutedState({ state }: Finding): State {
  return state === 'works' ? 'satisfied' : state;
}

/**
 * All that one answer means. Made once, and shown by every surface, so that no two of them
 * disagree. Mutes only decide the order of the findings at that time: views and counts ask the
 * problem memory what is muted.
 */
export class Findings {
  /** The worst state first, muted before satisfied; then by name. */
  readonly requirements: readonly RequirementFinding[];
  /** In the same order. */
  readonly accounts: readonly AccountFinding[];
  /** By ID. Of several accounts with one ID, the first with the worst state. */
  readonly accountsById: ReadonlyMap<string, AccountFinding>;
  /** Failed accounts, then unsatisfied requirements; those that were muted last. */
  readonly problems: readonly Problem[];
  /** Whether a part that could not be read may be a problem, or what a problem is recognized by. */
  readonly mayHideProblem: boolean;
  /** Whether there may be more problems, because the state of something is unknown. */
  readonly isIncomplete: boolean;
  /** Whether every account of the answer, with its ID, could be read. */
  readonly namesAllAccounts: boolean;
  /**
   * The IDs of the accounts to which unsatisfied requirements are bound. Absent if no requirement
   * is unsatisfied, as in most answers.
   */
  private readonly unsatisfiedBoundIds: ReadonlySet<string> | undefined;
  /**
   * By the key of a failed account: the requirements that are not satisfied because of it. Absent
   * if no requirement is unsatisfied.
   */
  private readonly effects: ReadonlyMap<string, readonly RequirementFinding[]> | undefined;

  constructor(
    { value, decodeIssues }: Pick<Answer<DeploymentAuthorization>, 'value' | 'decodeIssues'>,
    deploymentId: string,
    isMuted: (problem: Problem) => boolean = () => false,
  ) {
    const unread = partsUnread(decodeIssues);
    this.mayHideProblem = unread.mayBeProblem || unread.mayBeIdentity;
    this.namesAllAccounts = !unread.mayBeAccount;

    const accounts = accountFindings(value, deploymentId);
    this.accountsById = worstById(accounts);
    const requirements = requirementFindings(
      new AnswerOfRequirement(deploymentId, this.accountsById, value.requirements, unread),
    );
    this.isIncomplete =
      unread.mayBeProblem || requirements.some(({ state }) => state === 'unknown');

    const muted = mutedIn([...accounts, ...requirements], isMuted);
    const worstFirst = byShownStateAndName(muted);
    this.accounts = accounts.toSorted(worstFirst);
    this.requirements = requirements.toSorted(worstFirst);
    this.problems = this.foundProblems().toSorted(
      (a, b) => Number(muted.has(a)) - Number(muted.has(b)),
    );

    const unsatisfied = this.requirements.filter(({ state }) => state === 'notSatisfied');
    if (unsatisfied.length > 0) {
      this.unsatisfiedBoundIds = new Set(unsatisfied.flatMap(({ boundId }) => boundId ?? []));
      const effects = unsatisfied.filter(({ cause }) => cause?.kind === 'failedAccount');
      this.effects = groupBy(effects, ({ cause }) => cause!.key);
    }
  }

  /**
   * The findings of which the platform did not say how they are, or said it in a way that could not
   * be read.
   */
  get unknownFindings(): readonly Finding[] {
    const isUnknown = ({ state }: Finding): boolean => state === 'unknown';
    return [...this.requirements.filter(isUnknown), ...this.accounts.filter(isUnknown)];
  }

  /** Returns whether a requirement that is bound to this account is not satisfied. */
  hasUnsatisfiedRequirementOf(accountId: string): boolean {
    return this.unsatisfiedBoundIds?.has(accountId) === true;
  }

  /** Returns the requirements that are not satisfied because this account has failed. */
  effectsOf({ key }: Pick<FailedAccount, 'key'>): readonly RequirementFinding[] {
    return this.effects?.get(key) ?? [];
  }

  private foundProblems(): readonly Problem[] {
    const problems: Problem[] = [];
    for (const { account, problem } of this.accounts) {
      if (problem === undefined) continue;
      // Several failed accounts with one ID are one problem.
      const stands = !account.id || this.accountsById.get(account.id)?.problem === problem;
      if (stands) problems.push(problem);
    }
    for (const { problem } of this.requirements) if (problem) problems.push(problem);
    return problems;
  }
}

/** Returns findings in the order of the accounts. */
function accountFindings(
  { accounts, requirements }: DeploymentAuthorization,
  deploymentId: string,
): readonly AccountFinding[] {
  const requirementsByAccountId = groupBy(requirements, boundAccountId);
  const failedById = groupBy(
    accounts.filter((account) => account.id && hasFailed(account)),
    ({ id }) => id,
  );
  const keys = accountKeys(accounts, deploymentId);
  return accounts.map((account, index) => {
    const key = keys[index]!;
    const finding = new AccountFinding(account, key);
    if (!hasFailed(account)) return finding;

    const boundRequirements = (account.id && requirementsByAccountId.get(account.id)) || [];
    const scopes = boundRequirements.flatMap((requirement) => scopesMissing(requirement, finding));
    return new AccountFinding(account, key, {
      key,
      sign: signOfAll(failedById.get(account.id) ?? [account]),
      deploymentId: account.id ? undefined : deploymentId,
      foundIn: deploymentId,
      scopes: [...new Set(scopes)],
    });
  });
}

/**
 * Returns the sign of failed accounts with one ID, which are one problem; `undefined` if their
 * signs differ, because what holds for one of the errors need not hold for another.
 */
function signOfAll(accounts: readonly Account[]): string | undefined {
  const signs = new Set(accounts.map(accountSign));
  const [sign] = signs;
  return signs.size === 1 ? sign : undefined;
}

/** Returns findings in the order of the requirements. */
function requirementFindings(answer: AnswerOfRequirement): readonly RequirementFinding[] {
  const keys = requirementKeys(answer.requirements, answer.deploymentId);
  return answer.requirements.map(
    (requirement, index) => new RequirementFinding(requirement, keys[index]!, answer),
  );
}

/** Returns each `binding` that exactly one of the requirements has, without blank ones. */
function uniqueBindings(requirements: readonly Requirement[]): ReadonlySet<string> {
  const byBinding = groupBy(requirements, ({ binding }) => binding ?? '');
  const unique = Array.from(byBinding).filter(
    ([binding, { length }]) => binding.trim() !== '' && length === 1,
  );
  return new Set(unique.map(([binding]) => binding));
}

/** Returns the accounts by their IDs. Of several with one ID, the first with the worst state. */
function worstById(findings: readonly AccountFinding[]): ReadonlyMap<string, AccountFinding> {
  const accounts = new Map<string, AccountFinding>();
  for (const finding of findings) {
    const { id } = finding.account;
    if (!id) continue;
    const before = accounts.get(id);
    const isWorse =
      before === undefined || severity(unmutedState(finding)) < severity(unmutedState(before));
    if (isWorse) accounts.set(id, finding);
  }
  return accounts;
}

/** What the parts of an answer that could not be read may have been. */
interface UnreadParts {
  readonly mayBeProblem: boolean;
  /** What a problem is recognized by. */
  readonly mayBeIdentity: boolean;
  /** An account, or the ID of one. */
  readonly mayBeAccount: boolean;
  /** A requirement, or the `binding` of one. */
  readonly mayBeBinding: boolean;
}

/** "accounts[0].error", "requirements[3].satisfied", "requirements[3]", "accounts" */
const problemPath = /^(?:accounts|requirements)(?:\[\d+\](?:\.(?:error|satisfied))?)?$/;

/** "accounts[0].id", "accounts[0]", "accounts" */
const accountPath = /^accounts(?:\[\d+\](?:\.id)?)?$/;

/** "requirements[3].binding", "requirements[3]", "requirements" */
const bindingPath = /^requirements(?:\[\d+\](?:\.binding)?)?$/;

/** "accounts[0].id", "requirements[3].binding", "requirements[3].serviceId" */
const identityPath = /^(?:accounts\[\d+\]\.id|requirements\[\d+\]\.(?:binding|serviceId))$/;

function partsUnread(decodeIssues: Answer<unknown>['decodeIssues']): UnreadParts {
  // Decoding lists no more issues than these, and what it does not list may be anything.
  const isAnythingPossible = decodeIssues.length >= maxDecodeIssues;
  const unread = {
    mayBeProblem: isAnythingPossible,
    mayBeIdentity: isAnythingPossible,
    mayBeAccount: isAnythingPossible,
    mayBeBinding: isAnythingPossible,
  };
  if (isAnythingPossible) return unread;
  for (const { path } of decodeIssues) {
    unread.mayBeProblem ||= problemPath.test(path);
    unread.mayBeIdentity ||= identityPath.test(path);
    unread.mayBeAccount ||= accountPath.test(path);
    unread.mayBeBinding ||= bindingPath.test(path);
  }
  return unread;
}

function mutedIn(
  findings: readonly Finding[],
  isMuted: (problem: Problem) => boolean,
): ReadonlySet<Problem> {
  const muted = new Set<Problem>();
  for (const { problem } of findings) if (problem && isMuted(problem)) muted.add(problem);
  return muted;
}

/** Keeps the order of the items, and has the groups in the order of their first items. */
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

/**
 * Returns the scopes that the account's connection method requires for the requirement and that the
 * account was certainly not granted. None without an account.
 */
export function scopesMissing(
  { connections = [] }: Requirement,
  account: AccountFinding | undefined,
): readonly string[] {
  const missing = new Set<string>();
  for (const connection of connections) {
    if (!isConnectionOf(account?.account, connection)) continue;
    for (const scope of connection.requiredScopes ?? []) {
      if (account?.grants(scope) === false) missing.add(scope);
    }
  }
  return [...missing];
}

/** Returns the scopes that a requirement requires, by the ID of the connection method. */
function scopesByMethod({
  connections = [],
}: Requirement): ReadonlyMap<string, ReadonlySet<string>> {
  const byMethod = new Map<string, Set<string>>();
  for (const connection of connections) {
    const methodId = methodIdOf(connection);
    if (methodId === undefined) continue;
    const scopes = byMethod.get(methodId) ?? new Set<string>();
    byMethod.set(methodId, scopes);
    for (const scope of connection.requiredScopes ?? []) scopes.add(scope);
  }
  return byMethod;
}

/**
 * Returns which of the required scopes the account lacks; `undefined` if none, or if that is
 * unknown. Goes over the shorter list, because a requirement can have thousands of eligible
 * accounts with thousands of scopes each.
 */
function missingOf(
  required: ReadonlySet<string> | undefined,
  account: AccountFinding,
): MissingScopes | undefined {
  const granted = grantedScopes(account.account);
  if (required === undefined || granted === undefined) return undefined;
  if (!knowsAllScopes(account.account)) return undefined;

  const isGranted = (scope: string): boolean => account.grants(scope) === true;
  let grantedCount: number;
  if (required.size < granted.length) grantedCount = Array.from(required).filter(isGranted).length;
  else grantedCount = new Set(granted.filter((scope) => required.has(scope))).size;

  for (const scope of required) {
    if (!isGranted(scope)) return { first: scope, count: required.size - grantedCount };
  }
  return undefined;
}

/**
 * Returns each scope of `requiredScopes` and `minimalScopes` once: missing scopes first, then by
 * name.
 */
function scopeFindings(
  connection: Connection,
  bound: AccountFinding | undefined,
): readonly ScopeFinding[] {
  const required = new Set(connection.requiredScopes);
  const minimal = new Set(connection.minimalScopes);
  const findings = Array.from(new Set([...required, ...minimal]), (scope) => ({
    scope,
    isRequired: required.has(scope),
    isMinimal: minimal.has(scope),
    state: scopeState(scope, bound),
  }));
  const isMissing = ({ state }: ScopeFinding): boolean => state === 'missing';
  return findings.toSorted(
    (a, b) => Number(isMissing(b)) - Number(isMissing(a)) || compareNames(a.scope, b.scope),
  );
}

function scopeState(scope: string, bound: AccountFinding | undefined): ScopeState {
  const isGranted = bound?.grants(scope);
  if (isGranted === undefined) return 'unknown';
  return isGranted ? 'granted' : 'missing';
}

/** Returns the order of findings: the worst state first, then by name. */
function byShownStateAndName(muted: ReadonlySet<Problem>): (a: Finding, b: Finding) => number {
  const severityOf = (finding: Finding): number => {
    const { cause } = finding;
    const isMuted = cause !== undefined && muted.has(cause);
    return severity(isMuted ? 'muted' : unmutedState(finding));
  };
  return (a, b) => severityOf(a) - severityOf(b) || compareNames(a.name, b.name);
}

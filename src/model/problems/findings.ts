import type { Answer } from '../../api/answer.js';
import type { Account, Connection, DeploymentAuthorization, Requirement } from '../../api/authorization.js';
import { maxDecodeIssues } from '../../api/decode.js';
import { compareNames, type State, severity } from '../order.js';
import { accountKeys, accountSign, requirementKeys, requirementSign } from './identity.js';
import { accountName, boundAccountId, grantedScopes, hasFailed, isOwnConnection, requirementName } from './readings.js';

/** granted: the bound account has it. missing: it has not. unknown: no bound account, or its scopes were not sent. */
export type ScopeState = 'granted' | 'missing' | 'unknown';

export type ScopeFinding = ReturnType<typeof scopeFindings>[number];
export type ConnectionFinding = RequirementFinding['connections'][number];

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
  readonly state: 'failed' | 'muted' | 'satisfied';
  readonly problem: FailedAccount | undefined;

  /** `failure`: present if failed. `key`: what the finding is about, see identity.ts. */
  constructor(
    readonly account: Account,
    readonly key: string,
    failure?: Omit<FailedAccount, 'kind' | 'finding'>,
  ) {
    this.name = accountName(account);
    this.problem = failure && { ...failure, kind: 'failedAccount', finding: this };
    this.state = failure === undefined ? 'satisfied' : failure.mutedUntil === undefined ? 'failed' : 'muted';
  }
}

export class RequirementFinding {
  /** `binding`, else `serviceId`, else ''. */
  readonly name: string;
  /** The service's own word: never overruled by what the scopes or accounts suggest. */
  readonly said: 'notSatisfied' | 'unknown' | 'satisfied';
  readonly state: RequirementFinding['said'] | 'muted';
  /** The account that it is bound to, which may not be among the accounts. */
  readonly boundId: string | undefined;
  readonly bound: AccountFinding | undefined;
  /** Present if not satisfied, unless that is an effect of its bound account's failure. */
  readonly problem: UnsatisfiedRequirement | undefined;
  /** Why it is not satisfied: its own problem, or the failed account whose effect it is. */
  readonly cause: Problem | undefined;

  /** `missingScopes`: note, required by the bound account's connection method and not granted to it. */
  constructor(
    readonly requirement: Requirement,
    readonly key: string,
    private readonly accounts: ReadonlyMap<string, AccountFinding>,
    private readonly deploymentId: string,
    recall: Recall,
    readonly missingScopes = scopesMissing(requirement, accounts.get(boundAccountId(requirement) ?? '')?.account),
  ) {
    const { satisfied } = requirement;
    this.name = requirementName(requirement);
    this.said = satisfied === undefined ? 'unknown' : satisfied ? 'satisfied' : 'notSatisfied';
    this.boundId = boundAccountId(requirement);
    this.bound = accounts.get(this.boundId ?? '');
    if (this.said === 'notSatisfied' && !this.bound?.problem) {
      const identity = { key, sign: requirementSign(requirement, missingScopes), deploymentId };
      this.problem = { kind: 'unsatisfiedRequirement', finding: this, ...identity, ...recall(identity) };
    }
    this.cause = this.said === 'notSatisfied' ? (this.problem ?? this.bound?.problem) : undefined;
    this.state = this.cause?.mutedUntil === undefined ? this.said : 'muted';
  }

  /** With accounts that are muted or not; itself if it has to do with none of those that changed. */
  withAccounts(accounts: ReadonlyMap<string, AccountFinding>, mutedUntil: MutedUntil): RequirementFinding {
    const { requirement, key, deploymentId, problem } = this;
    const ids = [this.boundId ?? '', ...(requirement.eligibleAccountIds ?? [])];
    const isSame = ids.every((id) => accounts.get(id) === this.accounts.get(id));
    const until = problem && mutedUntil(problem);
    if (isSame && problem?.mutedUntil === until) return this;
    const recall = () => ({ seenSince: problem!.seenSince, mutedUntil: until });
    return new RequirementFinding(requirement, key, accounts, deploymentId, recall, this.missingScopes);
  }

  get boundAbsent(): boolean {
    return this.bound === undefined && this.boundId !== undefined;
  }

  /** Ranked: complete, unknown, lacking a required scope, failed. */
  get eligible(): readonly EligibleAccount[] {
    const ids = new Set(this.requirement.eligibleAccountIds);
    const eligible = Array.from(ids, (accountId): EligibleAccount => {
      const account = this.accounts.get(accountId);
      return { accountId, account, missingScopes: scopesMissing(this.requirement, account?.account) };
    });
    return eligible.toSorted((a, b) => this.rank(a) - this.rank(b));
  }

  get advisable(): readonly EligibleAccount[] {
    return this.eligible.filter(
      ({ accountId, account, missingScopes }) =>
        accountId !== this.boundId && !account?.problem && missingScopes.length === 0,
    );
  }

  private rank({ account: finding, missingScopes }: EligibleAccount): number {
    if (finding?.problem) return 3;
    if (missingScopes.length > 0) return 2;
    const account = finding?.account;
    const isKnown = this.requirement.connections?.some((connection) => isOwnConnection(connection, account));
    return isKnown && grantedScopes(account) !== undefined ? 0 : 1;
  }

  get connections() {
    const account = this.bound?.account;
    return (this.requirement.connections ?? []).map((connection) => ({
      connection,
      own: isOwnConnection(connection, account),
      scopes: scopeFindings(connection, grantedScopes(account)),
    }));
  }
}

export type Finding = AccountFinding | RequirementFinding;

export interface Remembered {
  /** Epoch ms at which it was first seen. */
  readonly seenSince: number;
  /** Epoch ms. Present while it is muted: it is shown, and counted nowhere. */
  readonly mutedUntil?: number | undefined;
}

export interface Identity {
  /** What the problem is about, within its organization; never shown. */
  readonly key: string;
  /** What must stay for it to be the same problem. */
  readonly sign: string;
  /** The deployment that it belongs to. Absent for an account with an ID, which is the same in all deployments. */
  readonly deploymentId: string | undefined;
}

export type Recall = (identity: Identity) => Remembered;

/** Epoch ms, if it is muted now. */
export type MutedUntil = (identity: Identity) => number | undefined;

interface ProblemBase extends Identity, Remembered {}

interface FailedAccount extends ProblemBase {
  readonly kind: 'failedAccount';
  readonly finding: AccountFinding;
  /** Scopes that some requirement bound to this account lacks: the reconnect step names them. */
  readonly scopes: readonly string[];
  /** The same by connection method, where the problem stands for all deployments that have the account. */
  readonly methods?: ReadonlyMap<string, readonly string[]>;
}

interface UnsatisfiedRequirement extends ProblemBase {
  readonly kind: 'unsatisfiedRequirement';
  readonly finding: RequirementFinding;
}

/** The only two things that are counted and become diagnostics. */
export type Problem = FailedAccount | UnsatisfiedRequirement;

type Parts = Pick<Findings, 'accountsById' | 'accounts' | 'requirements'>;

/** All that one answer means. Every surface shows this, so that none disagrees with another. */
export class Findings {
  readonly state: Exclude<State, 'notYetRead'>;
  /** Problems first, then by name. */
  readonly requirements: readonly RequirementFinding[];
  readonly accounts: readonly AccountFinding[];
  /** By the account's id. Of several with one id the first that failed, else the first. */
  readonly accountsById: ReadonlyMap<string, AccountFinding>;
  /** Those that are not muted: failed accounts, then unsatisfied requirements, each by name. */
  readonly problems: readonly Problem[];
  readonly muted: readonly Problem[];
  readonly all: readonly Problem[];

  /** `from`: what is remembered of each problem, or what was found already. */
  constructor(
    private readonly answer: Pick<Answer<DeploymentAuthorization>, 'value' | 'decodeIssues'>,
    private readonly deploymentId: string,
    from: Recall | Parts,
  ) {
    const parts = typeof from === 'function' ? partsOf(answer.value, deploymentId, from) : from;
    this.accountsById = parts.accountsById;
    this.accounts = parts.accounts;
    this.requirements = parts.requirements;
    const all: Problem[] = [];
    for (const { account, problem } of this.accounts) {
      // Several failed accounts with one id are one problem.
      if (problem && (!account.id || this.accountsById.get(account.id)?.problem === problem)) all.push(problem);
    }
    for (const { problem } of this.requirements) if (problem) all.push(problem);
    this.problems = all.filter(({ mutedUntil }) => mutedUntil === undefined);
    this.muted = all.filter(({ mutedUntil }) => mutedUntil !== undefined);
    this.all = this.muted.length > 0 ? [...this.problems, ...this.muted] : this.problems;
    this.state = this.worstState();
  }

  private worstState(): Findings['state'] {
    const [worst] = this.problems;
    if (worst) return worst.kind === 'failedAccount' ? 'failed' : 'notSatisfied';
    if (this.isIncomplete) return 'unknown';
    return this.muted.length > 0 ? 'muted' : 'satisfied';
  }

  get isIncomplete(): boolean {
    return this.couldHide || this.requirements.some(({ said }) => said === 'unknown');
  }

  /** Whether a problem may be missing here only because it could not be read. */
  get couldHide(): boolean {
    const listed = this.answer.decodeIssues;
    // Where those are that are not listed is unknown.
    return listed.length >= maxDecodeIssues || listed.some(({ path }) => problemPath.test(path));
  }

  effectsOf({ finding }: FailedAccount): readonly RequirementFinding[] {
    return this.requirements.filter(({ cause }) => cause?.key === finding.key);
  }

  /** The same answer with the mutes of now, every finding at its place; itself if nothing differs. */
  withMutes(mutedUntil: MutedUntil): Findings {
    if (this.all.every((problem) => mutedUntil(problem) === problem.mutedUntil)) return this;
    const accountsById = new Map(this.accountsById);
    const accounts = this.accounts.map((finding) => {
      const { account, key, problem } = finding;
      const until = problem && mutedUntil(problem);
      if (!problem || until === problem.mutedUntil) return finding;
      const now = new AccountFinding(account, key, { ...problem, mutedUntil: until });
      if (account.id && accountsById.get(account.id) === finding) accountsById.set(account.id, now);
      return now;
    });
    const requirements = this.requirements.map((finding) => finding.withAccounts(accountsById, mutedUntil));
    return new Findings(this.answer, this.deploymentId, { accountsById, accounts, requirements });
  }
}

function partsOf({ accounts, requirements }: DeploymentAuthorization, deploymentId: string, recall: Recall): Parts {
  const bound = groupBy(requirements, boundAccountId);
  const keys = accountKeys(accounts, deploymentId);
  const found = accounts.map((account, at) => {
    const key = keys[at]!;
    if (!hasFailed(account)) return new AccountFinding(account, key);
    const needing = (account.id && bound.get(account.id)) || [];
    const scopes = [...new Set(needing.flatMap((requirement) => scopesMissing(requirement, account)))];
    const identity = { key, sign: accountSign(account), deploymentId: account.id ? undefined : deploymentId };
    return new AccountFinding(account, key, { ...identity, scopes, ...recall(identity) });
  });
  const accountsById = new Map<string, AccountFinding>();
  for (const finding of found) {
    const { id } = finding.account;
    const before = accountsById.get(id ?? '');
    if (id && (!before || (finding.problem && !before.problem))) accountsById.set(id, finding);
  }
  const ownKeys = requirementKeys(requirements, deploymentId);
  const needs = requirements.map(
    (requirement, at) => new RequirementFinding(requirement, ownKeys[at]!, accountsById, deploymentId, recall),
  );
  return {
    accountsById,
    accounts: found.toSorted(byStateAndName),
    requirements: needs.toSorted(byStateAndName),
  };
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

function byStateAndName(a: Finding, b: Finding): number {
  return severity(a.state) - severity(b.state) || compareNames(a.name, b.name);
}

import type { Disposable } from '../base/emitter.js';
import { type AccountReading, outranks, readingOf } from '../findings/accountReadings.js';
import type { Deployment } from '../findings/deployment.js';
import {
  AccountFinding,
  groupBy,
  type RequirementFinding,
  scopesMissing,
} from '../findings/findings.js';
import { methodIdOf } from '../findings/readings.js';
import type { Store } from '../store/store.js';

/** An account in one deployment, with the requirements that are bound to it there. */
export interface AccountUse extends AccountReading {
  readonly requirements: readonly RequirementFinding[];
}

/** An account with all listed deployments that have it, of which there is at least one. */
export class SharedAccount {
  readonly newest: AccountUse;
  /** That of the newest answer. Its problem names the scopes that all deployments together miss. */
  readonly finding: AccountFinding;

  constructor(readonly uses: readonly AccountUse[]) {
    this.newest = newestOf(uses);
    this.finding = ofAll(this.newest.finding, uses);
  }
}

function newestOf<T extends AccountReading>(readings: readonly T[]): T {
  return readings.reduce((newest, one) => (outranks(one, newest) ? one : newest));
}

/** What is granted to an account by one connection method, its newest answer knows best. */
function ofAll(finding: AccountFinding, uses: readonly AccountUse[]): AccountFinding {
  const { account: newest, key, problem } = finding;
  if (problem === undefined) return finding;
  const byMethod = new Map<string, Set<string>>();
  for (const use of uses) {
    const method = methodIdOf(use.finding.account) ?? '';
    const known = method === methodIdOf(newest) ? finding : use.finding;
    const missing = use.requirements.flatMap(({ requirement }) =>
      scopesMissing(requirement, known),
    );
    for (const scope of missing)
      byMethod.set(method, (byMethod.get(method) ?? new Set()).add(scope));
  }
  const methods = new Map([...byMethod].map(([method, scopes]) => [method, [...scopes]]));
  return new AccountFinding(newest, key, {
    ...problem,
    scopes: [...new Set([...methods.values()].flat())],
    methods,
  });
}

/** All accounts of a deployment, also those without an ID. */
export function accountUsesIn(deployment: Deployment): readonly AccountUse[] {
  const { answer } = deployment;
  if (answer === undefined) return [];
  const { accounts, accountsById, requirements } = answer.findings;
  const bound = groupBy(requirements, ({ boundId }) => boundId);
  return accounts.flatMap((finding) => {
    const { id } = finding.account;
    if (!id) return { deployment, answer, finding, requirements: [] };
    if (accountsById.get(id) !== finding) return [];
    return { deployment, answer, finding, requirements: bound.get(id) ?? [] };
  });
}

/** Which listed deployments have each account: known with each event of the store, before its other listeners ask. */
export class Impact implements Disposable {
  /** By account: the ids of the deployments, in the order of the list. */
  private holders: ReadonlyMap<string, readonly string[]> = new Map();
  /** Those of the last event. */
  private deployments: readonly Deployment[] = [];
  private readonly subscription: Disposable;
  /** Another one after an account is in more or fewer deployments. */
  holdersVersion = 0;

  constructor(
    private readonly store: Pick<Store, 'accountAnswers' | 'deployments' | 'get' | 'onDidChange'>,
  ) {
    this.subscription = store.onDidChange(() => this.update());
    this.update();
  }

  get accountIds(): Iterable<string> {
    return this.holders.keys();
  }

  /** 0 without an id, by which an account could be found elsewhere. */
  countHolders(accountId: string | undefined): number {
    return this.holdersOf(accountId).length;
  }

  countStopped(accountId: string): number {
    return this.deploymentsWith(accountId).filter(({ answer }) =>
      answer?.findings.hasUnsatisfiedBoundTo(accountId),
    ).length;
  }

  deploymentsWith(accountId: string | undefined): readonly Deployment[] {
    return this.holdersOf(accountId).flatMap((id) => this.store.get(id) ?? []);
  }

  /** What the newest answer says of an account; `undefined` if no listed deployment has it. */
  newestReading(accountId: string): AccountReading | undefined {
    const holder = this.store.get(this.store.accountAnswers.newestHolder(accountId) ?? '');
    const newest = holder && readingOf(holder, accountId);
    if (newest) return newest;
    const readings = this.deploymentsWith(accountId).flatMap(
      (deployment) => readingOf(deployment, accountId) ?? [],
    );
    return readings.length > 0 ? newestOf(readings) : undefined;
  }

  /** Whether a later refresh has shown something else of an account; without an ID, of any account of this deployment. */
  isOutdated(deploymentId: string, accountId?: string): boolean {
    const { accountAnswers } = this.store;
    const accounts =
      accountId === undefined ? accountAnswers.accountsIn(deploymentId) : [accountId];
    for (const account of accounts)
      if (accountAnswers.isOutdated(deploymentId, account)) return true;
    return false;
  }

  /**
   * Returns the newest answer about an account that has failed by this deployment's answer, if the newest says
   * that it works: nobody needs to be asked to fix it.
   */
  newestIfWorking(deploymentId: string, accountId = ''): AccountReading | undefined {
    if (!this.store.accountAnswers.isContradicted(deploymentId, accountId)) return undefined;
    const newest = this.newestReading(accountId);
    return newest?.finding.problem === undefined ? newest : undefined;
  }

  /** Whether not all listed deployments say the same of an account. */
  isDisputed(accountId: string): boolean {
    return this.store.accountAnswers.isDisputed(accountId);
  }

  /** The IDs of this deployment's accounts of which not all listed deployments say the same. */
  disputedAccountsIn(deploymentId: string): readonly string[] {
    return this.store.accountAnswers.disputedAccounts(deploymentId);
  }

  /**
   * Returns these accounts by their IDs, with all their uses. Looks through each deployment once, however
   * many of the accounts it has.
   */
  sharedAccounts(ids: ReadonlySet<string>): ReadonlyMap<string, SharedAccount> {
    const holders = new Set(Array.from(ids).flatMap((id) => this.holdersOf(id)));
    const uses = Array.from(holders).flatMap((id) => {
      const deployment = this.store.get(id);
      return deployment ? accountUsesIn(deployment) : [];
    });
    const wanted = uses.filter(({ finding }) => ids.has(finding.account.id ?? ''));
    const byId = groupBy(wanted, ({ finding }) => finding.account.id ?? '');
    return new Map(Array.from(byId, ([id, own]) => [id, new SharedAccount(own)]));
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private holdersOf(accountId = ''): readonly string[] {
    return this.holders.get(accountId) ?? [];
  }

  private update(): void {
    const before = this.deployments;
    this.deployments = this.store.deployments;
    const isKnown = (one: Deployment, at: number): boolean => haveSameAccounts(one, before[at]);
    if (this.deployments.length === before.length && this.deployments.every(isKnown)) return;
    const holders = new Map<string, string[]>();
    for (const { id, answer } of this.deployments) {
      for (const account of answer?.findings.accountsById.keys() ?? []) {
        const known = holders.get(account);
        if (known) known.push(id);
        else holders.set(account, [id]);
      }
    }
    const isSame = Array.from(holders).every(
      ([account, { length }]) => length === this.countHolders(account),
    );
    if (!isSame || holders.size !== this.holders.size) this.holdersVersion++;
    this.holders = holders;
  }
}

function haveSameAccounts(a: Deployment, b: Deployment | undefined): boolean {
  if (a === b) return true;
  if (a.id !== b?.id) return false;
  const accounts = a.answer?.findings.accountsById;
  const others = b.answer?.findings.accountsById;
  return (
    accounts?.size === others?.size &&
    Array.from(accounts?.keys() ?? []).every((id) => others?.has(id))
  );
}

import { type Deployment, isUnreadable, type LastAnswer } from '../deployment.js';
import { type State, severity } from '../order.js';
import type { Store } from '../store/store.js';
import { AccountFinding, missingScopes, type RequirementFinding } from './findings.js';

/** A deployment that has an account, and what is bound to the account there. */
export type AccountUse = ReturnType<typeof usesOf>[number];

/** An account with all listed deployments that have it, of which there is at least one. */
export class SharedAccount {
  /** Of the newest answer. */
  readonly newest: AccountUse;
  /** That of the newest answer. Its problem names the scopes that all deployments together miss. */
  readonly finding: AccountFinding;
  /** How many requirements that are not satisfied are bound to it, without muted ones. */
  readonly unsatisfied: number;
  readonly state: State;

  constructor(readonly uses: readonly AccountUse[]) {
    this.newest = uses.reduce((a, b) => (b.answer.receivedAt > a.answer.receivedAt ? b : a));
    this.finding = ofAll(this.newest.finding, uses);
    const requirements = uses.flatMap((use) => use.requirements);
    this.unsatisfied = requirements.filter(({ state }) => state === 'notSatisfied').length;
    this.state = worstState([this.finding, ...requirements], uses);
  }
}

/** Of findings in these deployments. What no deployment can show any more is unknown. */
export function worstState(
  findings: readonly (AccountFinding | RequirementFinding)[],
  uses: readonly { readonly deployment: Deployment }[],
): State {
  if (uses.every(({ deployment }) => isUnreadable(deployment))) return 'unknown';
  return findings.map(({ state }) => state).reduce<State>((a, b) => (severity(a) < severity(b) ? a : b), 'satisfied');
}

/** What is granted to an account by one connection method, its newest answer knows best. */
function ofAll(finding: AccountFinding, uses: readonly AccountUse[]): AccountFinding {
  const { account: newest, key, problem } = finding;
  if (problem === undefined) return finding;
  const byMethod = new Map<string, Set<string>>();
  for (const use of uses) {
    const { account: own } = use.finding;
    const account = own.connectionMethodId === newest.connectionMethodId ? newest : own;
    const method = account.connectionMethodId ?? '';
    for (const scope of use.requirements.flatMap(({ requirement }) => missingScopes(requirement, account))) {
      byMethod.set(method, (byMethod.get(method) ?? new Set()).add(scope));
    }
  }
  const methods = new Map([...byMethod].map(([method, scopes]) => [method, [...scopes]]));
  return new AccountFinding(newest, key, { ...problem, scopes: [...new Set([...methods.values()].flat())], methods });
}

/** Each account of a deployment's answer, once, with what is bound to it. */
export function usesOf(deployment: Deployment) {
  const { answer } = deployment;
  if (answer === undefined) return [];
  const { accounts, accountsById, requirementsByAccount } = answer.findings;
  return accounts.flatMap((finding) => {
    const { id } = finding.account;
    if (!id) return { deployment, answer, finding, requirements: [] };
    if (accountsById.get(id) !== finding) return [];
    return { deployment, answer, finding, requirements: requirementsByAccount.get(id) ?? [] };
  });
}

/** In how many listed deployments each account is. It follows the store when asked, and looks only at new answers. */
export class Impact {
  private seen: readonly Deployment[] = [];
  private readonly counts = new Map<string, number>();
  private changes = 0;

  constructor(private readonly store: Pick<Store, 'deployments'>) {}

  /** 0 without an id, by which an account could be found elsewhere. */
  count(accountId: string | undefined): number {
    this.follow();
    return (accountId && this.counts.get(accountId)) || 0;
  }

  /** Another one after any count has changed. */
  get version(): number {
    this.follow();
    return this.changes;
  }

  /** `undefined` if no listed deployment has it. */
  account(accountId: string): SharedAccount | undefined {
    const uses = this.store.deployments.flatMap((deployment) =>
      usesOf(deployment).filter(({ finding }) => finding.account.id === accountId),
    );
    return uses.length > 0 ? new SharedAccount(uses) : undefined;
  }

  /** To be called now and then while many answers come, so that nobody has to wait for all of them. */
  follow(): void {
    const { deployments } = this.store;
    if (deployments === this.seen) return;
    const before = new Set<LastAnswer | undefined>();
    const after = new Set<LastAnswer | undefined>();
    // While answers come deployments keep their places, so most answers are where they were.
    for (let at = 0; at < Math.max(deployments.length, this.seen.length); at++) {
      const old = this.seen[at]?.answer;
      const answer = deployments[at]?.answer;
      if (answer === old) continue;
      before.add(old);
      after.add(answer);
    }
    this.seen = deployments;
    const changes = new Map<string, number>();
    for (const answer of before) if (!after.has(answer)) countAccounts(answer, -1, changes);
    for (const answer of after) if (!before.has(answer)) countAccounts(answer, 1, changes);
    for (const [id, by] of changes) {
      if (by === 0) continue;
      this.counts.set(id, (this.counts.get(id) ?? 0) + by);
      this.changes++;
    }
  }
}

function countAccounts(answer: LastAnswer | undefined, by: 1 | -1, counts: Map<string, number>): void {
  for (const id of answer?.findings.accountsById.keys() ?? []) {
    if (id) counts.set(id, (counts.get(id) ?? 0) + by);
  }
}

import { type Deployment, standing } from '../deployment.js';
import { compareNames, type State, severity } from '../order.js';
import { type AccountUse, SharedAccount, usesOf, worstOf } from '../problems/impact.js';
import type { Store } from '../store/store.js';
import { encodePart, type GroupElement, type Member, type TreeElement } from './elements.js';
import { type Filter, isShown } from './roots.js';

/** Deployments, accounts or comparisons after which a pause may come. */
const atATime = 500;

/**
 * The roots of the Deployments view grouped by account: the accounts, worst first, with the deployments that have them. What belongs
 * to no account has rows of its own, so that nothing is out of sight because an account or an answer is missing.
 */
export class Grouped {
  /** Those that were made the last time. */
  private groups: readonly GroupElement[] = [];

  constructor(private readonly store: Pick<Store, 'deployments'>) {}

  /** Yields now and then: with ten thousand deployments it takes longer than the extension host may be held. */
  *all(filter: Filter): Generator<void, readonly TreeElement[], void> {
    const { deployments } = this.store;
    const byAccount = new Map<string, AccountUse[]>();
    const unbound: Member[] = [];
    for (const [at, deployment] of deployments.entries()) {
      if (at % atATime === atATime - 1) yield;
      for (const [position, use] of [...usesOf(deployment)].entries()) {
        const { id } = use.finding.account;
        // What has no id is the same account nowhere else.
        const key = id ? encodePart(id) : `%:${encodePart(deployment.id)}:${position}`;
        const uses = byAccount.get(key);
        if (uses) uses.push(use);
        else byAccount.set(key, [use]);
      }
      const requirements = deployment.answer?.findings.requirements.filter(({ bound }) => !bound) ?? [];
      if (requirements.length > 0) unbound.push({ deployment, requirements });
    }
    const made: { readonly group: GroupElement; readonly account: SharedAccount }[] = [];
    for (const [at, [key, uses]] of [...byAccount].entries()) {
      if (at % atATime === atATime - 1) yield;
      const account = new SharedAccount(uses);
      const group = groupElement(`account:${key}`, uses, filter, account.state, account);
      if (group.members.length > 0) made.push({ group, account });
    }
    const sorted = yield* sortInSteps(
      made,
      ({ account: a }, { account: b }) =>
        severity(a.state) - severity(b.state) ||
        b.unsatisfied - a.unsatisfied ||
        compareNames(a.finding.name, b.finding.name),
    );
    const last = groupElement(
      'noAccount',
      unbound,
      filter,
      worstOf(unbound.flatMap(({ requirements }) => requirements)),
    );
    this.groups = [...sorted.map(({ group }) => group), ...(last.members.length > 0 ? [last] : [])];
    const unseen = deployments.filter((one) => standing(one) === 'unknown' || standing(one) === 'notYetRead');
    // An empty tree would say that nothing is listed.
    const others = this.groups.length > 0 ? unseen : deployments.filter((one) => isShown(one, filter));
    if (others.length === 0) return this.groups;
    return [{ kind: 'unseen', id: 'unseen', copyId: undefined, deployments: others }, ...this.groups];
  }

  /** The first of them that has the deployment; `undefined` if none has it. */
  of(deploymentId: string): GroupElement | undefined {
    return this.groups.find(({ members }) => members.some(({ deployment }) => deployment.id === deploymentId));
  }

  forget(): void {
    this.groups = [];
  }
}

function groupElement(
  id: string,
  all: readonly Member[],
  filter: Filter,
  state: State,
  account?: SharedAccount,
): GroupElement {
  return {
    kind: 'group',
    id,
    copyId: account?.finding.account.id,
    account,
    state,
    finding: account?.finding,
    deployments: [
      ...new Set([account?.newest.deployment ?? [], all.map(({ deployment }): Deployment => deployment)].flat()),
    ],
    members: all.filter(({ deployment }) => isShown(deployment, filter)),
  };
}

/** Merges runs that are sorted one by one: a sort of all at once cannot be interrupted. */
function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Generator<void, readonly T[], void> {
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += atATime) {
    runs.push(items.slice(start, start + atATime).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<void, readonly T[], void> {
  const all: T[] = [];
  for (let [left, right] = [0, 0]; ; ) {
    const [one, other] = [a[left], b[right]];
    if (one === undefined || other === undefined) return [...all, ...a.slice(left), ...b.slice(right)];
    const isLeft = compare(one, other) <= 0;
    all.push(isLeft ? one : other);
    if (isLeft) left++;
    else right++;
    if (all.length % atATime === 0) yield;
  }
}

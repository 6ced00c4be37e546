import { deploymentNames, namedDeployment } from '../deploymentNames.js';
import type { Deployment, LastAnswer, ListedDeployment } from '../findings/deployment.js';
import { compareNames, severity } from '../findings/order.js';

/**
 * The listed deployments in the order in which they are shown. The store owns it, replaces
 * deployments as they change, and sorts them at the end of a refresh, so that rows stay where they
 * are meanwhile.
 */
export class Listing {
  /** By ID, in the order in which they are shown. */
  private byId = new Map<string, Deployment>();
  /** The values of `byId` as an array; `undefined` after `replace`, until `deployments` is read. */
  private snapshot: readonly Deployment[] | undefined;
  /**
   * How often the deployments were sorted. Rows keep their order while this number stays the same.
   */
  orderVersion = 0;

  get deployments(): readonly Deployment[] {
    this.snapshot ??= [...this.byId.values()];
    return this.snapshot;
  }

  get size(): number {
    return this.byId.size;
  }

  /** The good answer whose request was sent last; `undefined` if no deployment was read. */
  get newestAnswer(): LastAnswer | undefined {
    let newest: LastAnswer | undefined;
    for (const { answer } of this.deployments) {
      if (answer === undefined) continue;
      if (newest === undefined || answer.sequence >= newest.sequence) newest = answer;
    }
    return newest;
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  get(id: string): Deployment | undefined {
    return this.byId.get(id);
  }

  /** Keeps the position of the deployment. Does nothing if its ID is not listed any more. */
  replace(deployment: Deployment): void {
    if (!this.byId.has(deployment.id)) return;
    this.byId.set(deployment.id, deployment);
    this.snapshot = undefined;
  }

  /**
   * Takes a new list. Its new deployments come last until the next sorting. Returns the IDs of the
   * deployments that left the list; `undefined` if the new list has the same deployments, in any
   * order, with the same labels and groups.
   */
  list(listed: readonly ListedDeployment[]): readonly string[] | undefined {
    const before = this.byId;
    const names = deploymentNames(listed);
    const wanted = new Map<string, Deployment>();
    for (const deployment of listed) {
      const { id } = deployment;
      wanted.set(id, namedDeployment(deployment, names.get(id) ?? id, before.get(id)));
    }
    const areUnchanged = [...wanted].every(([id, deployment]) => before.get(id) === deployment);
    if (areUnchanged && wanted.size === before.size) return undefined;

    const idsInOrder = new Set([...before.keys(), ...wanted.keys()]);
    this.setDeployments([...idsInOrder].flatMap((id) => wanted.get(id) ?? []));
    return [...before.keys()].filter((id) => !wanted.has(id));
  }

  /** Forgets all that was read, and keeps the list. */
  forgetData(): void {
    this.setDeployments(
      this.deployments.map((deployment) => namedDeployment(deployment, deployment.name)),
    );
  }

  /** Sorts the deployments: the worst first, then by name. Returns whether any of them moved. */
  sortWorstFirst(): boolean {
    this.orderVersion += 1;
    const before = this.deployments;
    const sorted = before.toSorted(worstFirst);
    if (sorted.every((deployment, index) => deployment === before[index])) return false;
    this.setDeployments(sorted);
    return true;
  }

  private setDeployments(deployments: readonly Deployment[]): void {
    this.byId = new Map(deployments.map((deployment) => [deployment.id, deployment]));
    this.snapshot = deployments;
  }
}

function worstFirst(a: Deployment, b: Deployment): number {
  const byState = severity(a.state) - severity(b.state);
  if (byState !== 0) return byState;
  const byName = compareNames(a.name, b.name);
  if (byName !== 0) return byName;
  return a.id < b.id ? -1 : 1;
}

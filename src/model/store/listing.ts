import { deploymentNames, named } from '../deploymentNames.js';
import type { Deployment, LastAnswer, ListedDeployment } from '../findings/deployment.js';
import { compareNames, severity } from '../findings/order.js';

export class Listing {
  private byId = new Map<string, Deployment>();
  private snapshot: readonly Deployment[] | undefined;
  orderVersion = 0;

  get deployments(): readonly Deployment[] {
    this.snapshot ??= [...this.byId.values()];
    return this.snapshot;
  }

  get size(): number {
    return this.byId.size;
  }

  /** Of all good answers that are known, the one whose request was sent last. */
  get newestAnswer(): LastAnswer | undefined {
    const answers = this.deployments.flatMap(({ answer }) => answer ?? []);
    return answers.reduce<LastAnswer | undefined>(
      (a, b) => (a && a.sequence > b.sequence ? a : b),
      undefined,
    );
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  get(id: string): Deployment | undefined {
    return this.byId.get(id);
  }

  replace(deployment: Deployment): void {
    if (!this.byId.has(deployment.id)) return;
    this.byId.set(deployment.id, deployment);
    this.snapshot = undefined;
  }

  /** Takes over a new list, its new members at the end until the order is settled. The ids that left; undefined: no change. */
  list(listed: readonly ListedDeployment[]): readonly string[] | undefined {
    const before = this.byId;
    const names = deploymentNames(listed);
    const wanted = new Map(
      listed.map((one) => [one.id, named(one, names.get(one.id) ?? one.id, before.get(one.id))]),
    );
    const isSame = [...wanted.values()].every(
      (deployment) => before.get(deployment.id) === deployment,
    );
    if (isSame && wanted.size === before.size) return undefined;
    const order = new Set([...before.keys(), ...wanted.keys()]);
    this.replaceAll([...order].flatMap((id) => wanted.get(id) ?? []));
    return [...before.keys()].filter((id) => !wanted.has(id));
  }

  forgetData(): void {
    this.replaceAll(this.deployments.map((deployment) => named(deployment, deployment.name)));
  }

  /** Worst first, then by name. Whether anything moved. */
  settle(): boolean {
    this.orderVersion++;
    const before = this.deployments;
    const settled = before.toSorted(worstFirst);
    if (settled.every((deployment, at) => deployment === before[at])) return false;
    this.replaceAll(settled);
    return true;
  }

  private replaceAll(deployments: readonly Deployment[]): void {
    this.byId = new Map(deployments.map((deployment) => [deployment.id, deployment]));
    this.snapshot = deployments;
  }
}

function worstFirst(a: Deployment, b: Deployment): number {
  return (
    severity(a.state) - severity(b.state) || compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1)
  );
}

import { type Deployment, type ListedDeployment, severityOf } from '../deployment.js';
import { sortByName } from '../order.js';

interface Entry {
  readonly id: string;
  name: string;
  deployment: Deployment;
  /** Place of the name among all, so that settling the order compares numbers, not names. */
  rank: number;
}

/** The listed deployments in their settled order. */
export class Listing {
  private entries = new Map<string, Entry>();
  private order: readonly Entry[] = [];
  private snapshot: readonly Deployment[] | undefined;

  get deployments(): readonly Deployment[] {
    this.snapshot ??= this.order.map((entry) => entry.deployment);
    return this.snapshot;
  }

  get ids(): readonly string[] {
    return this.order.map(({ id }) => id);
  }

  get(id: string): Deployment | undefined {
    return this.entries.get(id)?.deployment;
  }

  replace(deployment: Deployment): void {
    const entry = this.entries.get(deployment.id);
    if (entry === undefined) return;
    entry.deployment = deployment;
    this.snapshot = undefined;
  }

  /** Takes over a new list, its new members at the end until the order is settled. The ids that left; undefined: no change. */
  list(listed: readonly ListedDeployment[]): readonly string[] | undefined {
    const before = this.entries;
    const entries = new Map<string, Entry>();
    let changed = false;
    for (const { id, label } of listed) {
      const entry = before.get(id);
      if (entries.has(id)) continue;
      if (entry !== undefined && entry.deployment.label === label) {
        entries.set(id, entry);
        continue;
      }
      const name = label !== undefined && /\S/.test(label) ? label : id;
      const { label: _, ...known } = entry?.deployment ?? notYetRead;
      const deployment = { ...known, id, name, ...(label !== undefined && { label }) };
      entries.set(id, { id, name, deployment, rank: 0 });
      changed = true;
    }
    const removed = [...before.keys()].filter((id) => !entries.has(id));
    if (!changed && removed.length === 0) return undefined;
    this.entries = entries;
    const byName = sortByName([...entries.values()]);
    for (const [rank, entry] of byName.entries()) entry.rank = rank;
    const stayed = this.order.flatMap(({ id }) => entries.get(id) ?? []);
    this.order = [...stayed, ...byName.filter(({ id }) => !before.has(id))];
    this.snapshot = undefined;
    return removed;
  }

  forgetData(): void {
    for (const entry of this.entries.values()) {
      const { id, label, name } = entry.deployment;
      entry.deployment = { ...notYetRead, id, name, ...(label !== undefined && { label }) };
    }
    this.snapshot = undefined;
  }

  /** Worst first, then by name. Whether anything moved. */
  settle(): boolean {
    const before = this.order;
    this.order = before.toSorted((a, b) => severityOf(a.deployment) - severityOf(b.deployment) || a.rank - b.rank);
    if (this.order.every((entry, at) => entry === before[at])) return false;
    this.snapshot = undefined;
    return true;
  }
}

const notYetRead: Pick<Deployment, 'label' | 'state' | 'activity'> = { state: 'notYetRead', activity: 'idle' };

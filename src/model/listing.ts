import type { Deployment, ListedDeployment } from './deployment.js';
import { compareNames, severity } from './order.js';

interface Entry {
  deployment: Deployment;
  /** Place of the name among all, so that settling the order compares numbers, not names. */
  rank: number;
}

/** The listed deployments in their settled order. */
export class Listing {
  private entries = new Map<string, Entry>();
  private order: Entry[] = [];
  private snapshot: readonly Deployment[] | undefined;

  get deployments(): readonly Deployment[] {
    this.snapshot ??= this.order.map((entry) => entry.deployment);
    return this.snapshot;
  }

  get ids(): readonly string[] {
    return this.order.map((entry) => entry.deployment.id);
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
    const entries = new Map<string, Entry>();
    let changed = false;
    for (const { id, label } of listed) {
      if (entries.has(id)) continue;
      const name = label !== undefined && /\S/.test(label) ? label : id;
      const entry = this.entries.get(id);
      if (entry === undefined) {
        entries.set(id, { deployment: notYetRead(id, label, name), rank: 0 });
        changed = true;
        continue;
      }
      entries.set(id, entry);
      if (entry.deployment.label === label) continue;
      const { state, activity, answer, failure } = entry.deployment;
      entry.deployment = {
        ...identity(id, label, name),
        state,
        activity,
        ...(answer && { answer }),
        ...(failure && { failure }),
      };
      changed = true;
    }
    const removed = [...this.entries.keys()].filter((id) => !entries.has(id));
    if (!changed && removed.length === 0) return undefined;
    const before = this.entries;
    this.entries = entries;
    const byName = [...entries.values()].toSorted((a, b) => compareDeployments(a.deployment, b.deployment));
    for (const [rank, entry] of byName.entries()) entry.rank = rank;
    this.order = [
      ...this.order.filter((entry) => entries.has(entry.deployment.id)),
      ...byName.filter((entry) => !before.has(entry.deployment.id)),
    ];
    this.snapshot = undefined;
    return removed;
  }

  forgetData(): void {
    for (const entry of this.entries.values()) {
      const { id, label, name } = entry.deployment;
      entry.deployment = notYetRead(id, label, name);
    }
    this.snapshot = undefined;
  }

  /** Worst first, then by name. Whether anything moved. */
  settle(): boolean {
    const count = this.order.length;
    const place = (entry: Entry): number => severity(entry.deployment.state) * count + entry.rank;
    const settled = this.order.toSorted((a, b) => place(a) - place(b));
    if (settled.every((entry, index) => entry === this.order[index])) return false;
    this.order = settled;
    this.snapshot = undefined;
    return true;
  }
}

function notYetRead(id: string, label: string | undefined, name: string): Deployment {
  return { ...identity(id, label, name), state: 'notYetRead', activity: 'idle' };
}

function identity(id: string, label: string | undefined, name: string): Pick<Deployment, 'id' | 'label' | 'name'> {
  return label === undefined ? { id, name } : { id, label, name };
}

/** Equal names keep a fixed order by id, so that no refresh swaps them. */
function compareDeployments(a: Deployment, b: Deployment): number {
  return compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1);
}

import type { Deployment, ListedDeployment } from '../deployment.js';
import { severity, sortByName } from '../order.js';

interface Entry {
  readonly id: string;
  name: string;
  deployment: Deployment;
  /** Place of the name among all, so that settling the order compares numbers, not names. */
  rank: number;
  /** Place among all at the last settling. */
  place: number;
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
    const entries = new Map<string, Entry>();
    let changed = false;
    for (const { id, label } of listed) {
      if (entries.has(id)) continue;
      const name = label !== undefined && /\S/.test(label) ? label : id;
      const entry = this.entries.get(id);
      if (entry === undefined) {
        entries.set(id, { id, name, deployment: notYetRead(id, label, name), rank: 0, place: 0 });
        changed = true;
        continue;
      }
      entries.set(id, entry);
      if (entry.deployment.label === label) continue;
      entry.name = name;
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
    const byName = sortByName([...entries.values()]);
    for (const [rank, entry] of byName.entries()) entry.rank = rank;
    const stayed = this.order.filter(({ id }) => entries.has(id));
    this.order = stayed.length === 0 ? byName : [...stayed, ...byName.filter(({ id }) => !before.has(id))];
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
    let last = -1;
    let isSettled = true;
    for (const entry of this.order) {
      entry.place = severity(entry.deployment.state) * count + entry.rank;
      if (entry.place < last) isSettled = false;
      last = entry.place;
    }
    if (isSettled) return false;
    this.order = this.order.toSorted((a, b) => a.place - b.place);
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

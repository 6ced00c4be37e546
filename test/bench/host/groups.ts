// What groups of deployments cost where rows are made: by the same sources, with a store and choices in memory.
import { setImmediate as turn } from 'node:timers/promises';
import type { Grouping } from '../../../src/host/grouping.js';
import type { TreeElement } from '../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { answerOf } from '../../support/answers.js';
import { createGraph } from '../../support/window/graph.js';
import { comparisonOf, rounds, timed } from '../compare.js';
import { deployments, lots } from '../data.js';

const groupCount = 200;
const chosenCount = 10;
/** So many deployments are read between two events of the store. */
const readAtOnce = 400;
const groupName = (at: number) => `team ${at % groupCount}`;

interface Listed {
  readonly hasGroups: boolean;
  readonly by: Grouping['by'];
  /** How many of the groups are chosen. */
  readonly chosen?: number;
  /** Of how many groups the deployments are seen, too. */
  readonly open?: number;
}

/** All deployments, listed and read, with or without groups. */
class Listing {
  private readonly graph = createGraph();
  private readonly answers = deployments(lots);
  private readonly ids = [...this.answers.keys()];
  /** Answers each request that waits. */
  private readonly waiting = new Map<string, () => void>();
  private isHeld = false;
  private sequence = 0;

  constructor(private readonly listed: Listed) {}

  async open(): Promise<this> {
    const { organizations, store, myGroups } = this.graph.services;
    const baseUrl = 'https://acme.example/api/v1';
    await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1234567890' });
    const { hasGroups, chosen = 0 } = this.listed;
    store.setListed(this.ids.map((id, at) => (hasGroups ? { id, group: groupName(at) } : { id })));
    store.setOrganization({ id: 'bench', read: (id) => this.read(id) });
    await store.refresh();
    await myGroups.choose(Array.from({ length: chosen }, (_, at) => groupName(at)));
    return this;
  }

  private async read(id: string) {
    if (this.isHeld) await new Promise<void>((resolve) => this.waiting.set(id, resolve));
    this.sequence += 1;
    return answerOf(this.answers.get(id)!, { sentAt: Date.now(), sequence: this.sequence });
  }

  private createRows(): DeploymentsProvider {
    return new DeploymentsProvider({
      ...this.graph.services,
      grouping: { by: this.listed.by },
    });
  }

  /** Ms until VS Code has the rows at the root, and those of the open groups. */
  async firstRows(): Promise<number> {
    const rows = this.createRows();
    const time = await timed(() => this.drawAll(rows));
    rows.dispose();
    return time;
  }

  /** Ms for all that is drawn, and counted for the header, while all deployments are read again. */
  async refresh(): Promise<number> {
    const { store, myGroups } = this.graph.services;
    const rows = this.createRows();
    this.drawAll(rows);
    rows.onDidChangeTreeData((changed) => {
      if (changed === undefined) this.drawAll(rows);
      else draw(rows, changed);
    });
    this.isHeld = true;
    const done = store.refresh();
    await turn();
    let total = 0;
    for (let from = 0; from < this.ids.length; from += readAtOnce) {
      const read = this.ids.slice(from, from + readAtOnce);
      for (const id of read) this.waiting.get(id)!();
      await turn();
      total += await timed(() => {
        rows.redraw(new Set(read));
        return myGroups.counts;
      });
    }
    this.isHeld = false;
    await done;
    rows.dispose();
    return total;
  }

  /** Asks for what VS Code asks for when all rows may have changed. */
  private drawAll(rows: DeploymentsProvider): void {
    const roots = rows.getChildren();
    draw(rows, roots);
    const openGroups = roots.filter(({ kind }) => kind === 'group').slice(0, this.listed.open);
    for (const group of openGroups) draw(rows, rows.getChildren(group));
  }
}

function draw(rows: DeploymentsProvider, elements: readonly TreeElement[]): void {
  for (const element of elements) rows.getTreeItem(element);
}

/** Beside the same deployments in no group. */
export async function groups(count: number) {
  const open = (listed: Listed) => new Listing(listed).open();
  const limit = await open({ hasGroups: false, by: 'deployment' });
  const byGroup = await open({ hasGroups: true, by: 'group', open: 3 });
  const allOpen = await open({ hasGroups: true, by: 'group', open: groupCount });
  const chosen = await open({ hasGroups: true, by: 'deployment', chosen: chosenCount });
  const compare = async (ours: Listing, work: (listing: Listing) => Promise<number>) =>
    comparisonOf(
      await rounds(
        count,
        () => work(ours),
        () => work(limit),
      ),
    );
  return {
    firstRowsByGroup: await compare(byGroup, (listing) => listing.firstRows()),
    firstRowsChosen: await compare(chosen, (listing) => listing.firstRows()),
    refreshByGroup: await compare(byGroup, (listing) => listing.refresh()),
    refreshAllOpen: await compare(allOpen, (listing) => listing.refresh()),
    refreshChosen: await compare(chosen, (listing) => listing.refresh()),
  };
}

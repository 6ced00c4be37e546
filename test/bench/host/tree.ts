import * as vscode from 'vscode';
import { Impact } from '../../../src/model/problems/impact.js';
import { Slices } from '../../../src/model/slices.js';
import type { Store } from '../../../src/model/store/store.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { compare, timed, timedNow } from '../compare.js';
import { parsed, readFrom } from '../data.js';
import { slices as slicesOf } from '../node/growth.js';
import { storeOf } from '../store.js';
import type { Job, TreeTimes } from './jobs.js';
import { longestStall } from './longestStall.js';

/** Rows of 10,000 deployments. */
export async function tree({ rounds }: Job): Promise<TreeTimes> {
  const answers = parsed(10_000);
  const ids = [...answers.keys()];
  const store = await readStore(ids, answers);
  const first: { stall: number; time: number }[] = [];
  for (let round = 0; round < 5; round++) {
    const provider = providerOf(store);
    let time = 0;
    const stall = await longestStall(async () => {
      time = await timed(() => everyRow(provider));
    });
    first.push({ stall, time });
  }
  const ready = rowsOf(providerOf(store)).map(fieldsOf);
  const few = await Promise.all(slicesOf(ids).map((some) => readStore(some, answers)));
  const all = () => madeAnew([store]);
  return {
    first,
    items: await compare(rounds, all, () => timedNow(() => ready.map(itemOf))),
    growth: await compare(rounds, all, () => madeAnew(few)),
  };
}

async function readStore(ids: readonly string[], answers: ReturnType<typeof parsed>): Promise<Store> {
  const store = storeOf(ids, readFrom(answers));
  await store.refreshAll();
  return store;
}

function madeAnew(stores: readonly Store[]): number {
  const providers = stores.map(providerOf);
  const cost = timedNow(() => providers.map(rowsOf));
  for (const provider of providers) provider.dispose();
  return cost;
}

function providerOf(store: Store): DeploymentsProvider {
  const impact = new Impact(store);
  impact.follow();
  const organization = { id: 'bench', name: 'Bench', baseUrl: '', source: 'keyring', hasSessionToken: false } as const;
  return new DeploymentsProvider({
    store,
    impact,
    grouping: { byAccount: false },
    organizations: { current: organization },
    deploymentList: { untrusted: false },
    filter: { onlyProblems: false },
    watches: { has: () => false },
  });
}

/** As the view is asked. */
async function everyRow(provider: DeploymentsProvider): Promise<void> {
  const slices = new Slices();
  const elements = await slices.soon(() => provider.getChildren());
  await Promise.all(elements.map(async (element) => slices.soon(() => provider.getTreeItem(element))));
}

/** In one slice, however long it takes. */
function rowsOf(provider: DeploymentsProvider): vscode.TreeItem[] {
  const slices = new Slices(60_000);
  return provider.getChildren().map((element) => {
    const item = slices.soon(() => provider.getTreeItem(element));
    if (item instanceof Promise) throw new Error('The rows took more than one slice');
    return item;
  });
}

type Fields = ReturnType<typeof fieldsOf>;

function fieldsOf(item: vscode.TreeItem) {
  const { label, collapsibleState, id, description, iconPath, accessibilityInformation, contextValue, resourceUri } =
    item;
  return {
    label: label!,
    collapsibleState,
    id,
    description,
    iconPath,
    spoken: accessibilityInformation!.label,
    contextValue,
    resourceUri,
  };
}

function itemOf({ label, collapsibleState, spoken, resourceUri, ...fields }: Fields): vscode.TreeItem {
  const item = new vscode.TreeItem(label, collapsibleState);
  item.id = fields.id!;
  item.description = fields.description!;
  item.iconPath = fields.iconPath!;
  item.accessibilityInformation = { label: spoken };
  item.contextValue = fields.contextValue!;
  if (resourceUri) item.resourceUri = resourceUri;
  return item;
}

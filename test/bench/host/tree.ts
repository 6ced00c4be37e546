import * as vscode from 'vscode';
import { Slices } from '../../../src/model/slices.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { compare, timed, timedNow } from '../compare.js';
import { parsed, readFrom } from '../data.js';
import { slices as slicesOf } from '../node/growth.js';
import { storeOf } from '../store.js';
import type { Job, TreeTimes } from './jobs.js';
import { longestStall } from './longestStall.js';

/** Rows of 10,000 deployments, as VS Code asks for them after each change of all: of a provider that it has asked before. */
export async function tree({ rounds }: Job): Promise<TreeTimes> {
  const answers = parsed(10_000);
  const ids = [...answers.keys()];
  const provider = await providerOf(ids, answers);
  const first: { stall: number; time: number }[] = [];
  for (const one of [provider, ...(await Promise.all(Array.from({ length: 4 }, () => providerOf(ids, answers))))]) {
    let time = 0;
    const stall = await longestStall(async () => {
      time = await timed(() => everyRow(one));
    });
    first.push({ stall, time });
  }
  const ready = rowsOf(provider).map(fieldsOf);
  const few = await Promise.all(slicesOf(ids).map((some) => providerOf(some, answers)));
  for (const one of few) await everyRow(one);
  const all = () => timedNow(() => rowsOf(provider));
  return {
    first,
    items: await compare(rounds, all, () => timedNow(() => ready.map(itemOf))),
    growth: await compare(rounds, all, () => timedNow(() => few.map(rowsOf))),
  };
}

async function providerOf(ids: readonly string[], answers: ReturnType<typeof parsed>): Promise<DeploymentsProvider> {
  const store = storeOf(ids, readFrom(answers));
  await store.refreshAll();
  const organization = { id: 'bench', name: 'Bench', baseUrl: '', source: 'keyring', hasSessionToken: false } as const;
  return new DeploymentsProvider({
    store,
    organizations: { current: organization },
    deploymentList: { untrusted: false },
    filter: { onlyProblems: false },
  });
}

/** As the view is asked. */
async function everyRow(provider: DeploymentsProvider): Promise<void> {
  const slices = new Slices();
  const elements = await slices.soon(() => provider.getChildren());
  await Promise.all(elements.map(async (element) => slices.soon(() => provider.getTreeItem(element))));
}

/** What was asked for before is there at once, however slow the first rounds are. */
function rowsOf(provider: DeploymentsProvider): vscode.TreeItem[] {
  const slices = new Slices(1000);
  return provider.getChildren().map((element) => {
    const item = slices.soon(() => provider.getTreeItem(element));
    if (item instanceof Promise) throw new Error('A row of before was made anew');
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

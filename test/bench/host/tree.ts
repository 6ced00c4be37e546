import * as vscode from 'vscode';
import { DeploymentsProvider } from '../../../src/views/deploymentsProvider.js';
import { compare, timedNow } from '../compare.js';
import { parsed, readFrom } from '../data.js';
import { slices } from '../node/growth.js';
import { storeOf } from '../store.js';
import type { Job, TreeTimes } from './jobs.js';

/** Rows of 10,000 deployments, as VS Code asks for them after each change of all: of a provider that it has asked before. */
export async function tree({ rounds }: Job): Promise<TreeTimes> {
  const answers = parsed(10_000);
  const provider = await providerOf([...answers.keys()], answers);
  const firstTime = timedNow(() => rowsOf(provider));
  const ready = rowsOf(provider).map(fieldsOf);
  const few = await Promise.all(slices([...answers.keys()]).map((ids) => providerOf(ids, answers)));
  const all = () => timedNow(() => rowsOf(provider));
  return {
    firstTime,
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

function rowsOf(provider: DeploymentsProvider): vscode.TreeItem[] {
  return provider.getChildren().map((element) => provider.getTreeItem(element));
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

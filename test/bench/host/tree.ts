import * as vscode from 'vscode';
import { DeploymentsProvider } from '../../../src/views/deploymentsProvider.js';
import { compare, timedNow } from '../compare.js';
import { parsed, readFrom } from '../data.js';
import { slices } from '../node/growth.js';
import { storeOf } from '../store.js';
import type { Job, TreeTimes } from './jobs.js';

/** Rows of 10,000 deployments, as VS Code asks for them after a change of all. */
export async function tree({ rounds }: Job): Promise<TreeTimes> {
  const answers = parsed(10_000);
  const store = storeOf(answers.keys(), readFrom(answers));
  await store.refreshAll();
  const ready = rowsOf(store).map(fieldsOf);
  const groups = await Promise.all(
    slices([...answers.keys()]).map(async (ids) => {
      const some = storeOf(ids, readFrom(answers));
      await some.refreshAll();
      return some;
    }),
  );
  const all = () => timedNow(() => rowsOf(store));
  return {
    items: await compare(rounds, all, () => timedNow(() => ready.map(itemOf))),
    growth: await compare(rounds, all, () => timedNow(() => groups.map(rowsOf))),
  };
}

function rowsOf(store: ReturnType<typeof storeOf>): vscode.TreeItem[] {
  const organization = { id: 'bench', name: 'Bench', baseUrl: '', source: 'keyring', hasSessionToken: false } as const;
  const provider = new DeploymentsProvider({
    store,
    organizations: { current: organization },
    deploymentList: { untrusted: false },
    filter: { onlyProblems: false },
  });
  const items = provider.getChildren().map((element) => provider.getTreeItem(element));
  provider.dispose();
  return items;
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

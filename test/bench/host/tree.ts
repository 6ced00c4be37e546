import * as vscode from 'vscode';
import { Impact } from '../../../src/model/problems/impact.js';
import { Slices } from '../../../src/model/slices.js';
import type { Store } from '../../../src/model/store/store.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { compare, longestStall, timed } from '../compare.js';
import { lots, parsed, storeOf } from '../data.js';

/** Rows of 10,000 deployments: for the first time, and asked for once more, as after a change of their order. */
export async function tree(count: number) {
  const answers = parsed(lots);
  const store = storeOf(answers.keys(), async (id) => answers.get(id)!);
  await store.refresh();
  const first: { stall: number; time: number }[] = [];
  for (let round = 0; round < 5; round++) {
    const provider = providerOf(store);
    let time = 0;
    const stall = await longestStall(async () => {
      time = await timed(() => everyRow(provider));
    });
    first.push({ stall, time });
  }
  const provider = providerOf(store);
  const ready = rowsOf(provider).map(fieldsOf);
  const again = await compare(
    count,
    () => rowsOf(provider),
    () => ready.map(itemOf),
  );
  return { first, again };
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

function rowsOf(provider: DeploymentsProvider): vscode.TreeItem[] {
  return provider.getChildren().map((element) => provider.getTreeItem(element));
}

/** What a row is made of, ready. */
function fieldsOf(item: vscode.TreeItem) {
  const { label, collapsibleState, id, description, iconPath, contextValue, resourceUri } = item;
  const spoken = item.accessibilityInformation!.label;
  return { label: label!, collapsibleState, id, description, iconPath, spoken, contextValue, resourceUri };
}

function itemOf({ label, collapsibleState, spoken, resourceUri, ...fields }: ReturnType<typeof fieldsOf>) {
  const item = new vscode.TreeItem(label, collapsibleState);
  item.id = fields.id!;
  item.description = fields.description!;
  item.iconPath = fields.iconPath!;
  item.accessibilityInformation = { label: spoken };
  item.contextValue = fields.contextValue!;
  if (resourceUri) item.resourceUri = resourceUri;
  return item;
}

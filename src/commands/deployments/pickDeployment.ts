import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { stateIcon } from '../../host/icons.js';
import { commandIds } from '../../host/ids.js';
import type { Services } from '../../host/services.js';
import { deploymentSummary } from '../../host/text/deployment.js';
import { parts } from '../../host/text/format.js';
import type { Deployment } from '../../model/deployment.js';
import { inertLabel } from '../../model/inertText.js';
import { compareNames, severity } from '../../model/order.js';
import { Slices } from '../../model/slices.js';

interface DeploymentItem extends vscode.QuickPickItem {
  readonly deployment: Deployment;
}

interface Wording {
  readonly title: string;
  readonly placeholder: string;
}

/** VS Code needs half a second for 10,000 items: the first screens are shown at once, and the others follow. */
const firstItems = 200;

/** One of the listed deployments, worst first; `undefined` if the list was dismissed. */
export async function pickDeployment(services: Services, wording: Wording): Promise<Deployment | undefined> {
  const deployments = listedDeployments(services);
  const pick = vscode.window.createQuickPick<DeploymentItem>();
  pick.title = wording.title;
  pick.placeholder = wording.placeholder;
  pick.matchOnDescription = true;
  const first = [...deploymentItems(deployments.slice(0, firstItems))];
  pick.items = first;
  pick.busy = deployments.length > firstItems;
  let open = true;
  const rest = setTimeout(() => void addItems(pick, first, deployments, () => open), 50);
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => {
        const [item] = pick.activeItems;
        if (item) resolve(item.deployment);
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    open = false;
    clearTimeout(rest);
    pick.dispose();
  }
}

async function addItems(
  pick: vscode.QuickPick<DeploymentItem>,
  first: readonly DeploymentItem[],
  deployments: readonly Deployment[],
  isOpen: () => boolean,
): Promise<void> {
  if (deployments.length === first.length) return;
  const others = await new Slices().collect(deploymentItems(deployments.slice(first.length)));
  if (!isOpen()) return;
  const { activeItems } = pick;
  pick.items = [...first, ...others];
  // Setting the items moves the focus to the first one; whoever has moved on stays where they are.
  if (activeItems[0] !== first[0]) pick.activeItems = activeItems;
  pick.busy = false;
}

/** Several of them. */
export async function pickDeployments(services: Services, wording: Wording): Promise<readonly Deployment[]> {
  const items = await vscode.window.showQuickPick(new Slices().collect(deploymentItems(listedDeployments(services))), {
    title: wording.title,
    placeHolder: wording.placeholder,
    matchOnDescription: true,
    canPickMany: true,
  });
  return (items ?? []).map((item) => item.deployment);
}

/** Label, id, state. The icon says the state too, in the colours of the tree. */
export function* deploymentItems(deployments: readonly Deployment[]): Generator<DeploymentItem, void, void> {
  const now = Date.now();
  for (const deployment of deployments) {
    yield {
      deployment,
      label: inertLabel(deployment.name),
      description: inertLabel(
        parts(deployment.name === deployment.id ? undefined : deployment.id, deploymentSummary(deployment, now)),
        400,
      ),
      iconPath: stateIcon(deployment.state),
    };
  }
}

/**
 * The listed deployments, worst first; throws the sentence that says what to do if there are none. Without an organization the
 * store may be empty, but the list can still be edited.
 */
export function listedDeployments({ store, deploymentList }: Services): readonly Deployment[] {
  if (store.deployments.length > 0) return worstFirst(store);
  if (deploymentList.listed.length === 0) {
    throw new UserError(vscode.l10n.t('No deployment is in the list.'), [
      { title: vscode.l10n.t('Add Deployment…'), command: commandIds.addDeployment },
    ]);
  }
  return deploymentList.listed.map((listed) => ({
    ...listed,
    name: listed.label ?? listed.id,
    state: 'notYetRead',
    activity: 'idle',
  }));
}

/** A refresh of all keeps the store's order until it ends, so that rows don't jump. A list that opens now is sorted. */
function worstFirst({ deployments, progress }: Services['store']): readonly Deployment[] {
  if (!progress) return deployments;
  return deployments.toSorted((a, b) => severity(a.state) - severity(b.state) || compareNames(a.name, b.name));
}

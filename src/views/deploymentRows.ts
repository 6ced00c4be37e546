import type * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { countsText, deploymentSummary } from '../host/text.js';
import type { TreeElement } from '../model/tree.js';
import { AgeTicker } from './ageTicker.js';
import { DeploymentsProvider } from './deploymentsProvider.js';
import { viewDescription } from './viewDescription.js';

/** The rows of the Deployments view and the words around them: all that is not needed before an organization is current. */
export interface DeploymentRows extends vscode.Disposable {
  readonly provider: DeploymentsProvider;
  readonly description: string | undefined;
  readonly badgeTooltip: string;
}

export function deploymentRows(
  services: Pick<Services, 'store' | 'organizations' | 'deploymentList' | 'filter'>,
  view: vscode.TreeView<TreeElement>,
): DeploymentRows {
  const { store, organizations } = services;
  const provider = new DeploymentsProvider(services);
  const ticker = new AgeTicker(view, store, deploymentSummary, (ids) => provider.refresh(ids));
  return {
    provider,
    get description() {
      return viewDescription(organizations.current, store);
    },
    get badgeTooltip() {
      return countsText(store.counts);
    },
    dispose() {
      ticker.dispose();
      provider.dispose();
    },
  };
}

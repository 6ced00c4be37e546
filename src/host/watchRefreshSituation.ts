import * as vscode from 'vscode';
import type { RefreshSituation } from '../model/refreshSchedule.js';
import type { DeploymentList } from './list/deploymentList.js';
import type { Services } from './services.js';

/** The part of a view that counts. */
export type Watched = Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>;

/**
 * Tells the refresh schedule what the editor knows: now, and whenever one of it changes. The ids that open documents mention are
 * told by those who read documents.
 */
export function watchRefreshSituation(
  services: Pick<Services, 'organizations' | 'settings'> & {
    readonly deploymentList: Pick<DeploymentList, 'listed' | 'onDidChange'>;
  },
  view: Watched,
  update: (change: Partial<RefreshSituation>) => void,
  window: Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'> = vscode.window,
): vscode.Disposable {
  const { organizations, settings, deploymentList } = services;
  const organization = () => update({ signedIn: organizations.current !== undefined });
  const list = () => update({ listed: deploymentList.listed.map(({ id }) => id) });
  const visibility = () => update({ viewVisible: view.visible });
  const focus = () => update({ focused: window.state.focused });
  const configuration = () =>
    update({
      intervalMinutes: settings.refreshInterval,
      statusBar: settings.statusBarEnabled,
      badge: settings.badgeEnabled,
    });
  // One who is signed in comes last: everything else is known before the first round starts.
  for (const tell of [list, visibility, focus, configuration, organization]) tell();
  return vscode.Disposable.from(
    organizations.onDidChange(organization),
    deploymentList.onDidChange(list),
    view.onDidChangeVisibility(visibility),
    window.onDidChangeWindowState(focus),
    settings.onDidChange(configuration),
  );
}

import * as vscode from 'vscode';
import type { Target } from '../api/send.js';
import type { SeenSince } from '../model/problems/seenSince.js';
import type { RefreshSituation } from '../model/schedule.js';
import type { DeploymentList } from './list/deploymentList.js';
import type { Services } from './services.js';

/**
 * Tells the store whose deployments are shown and which ones are listed. What was read of an organization that is signed out is
 * forgotten everywhere, also when that happened while this window was closed.
 */
export function feedStore(
  services: Pick<Services, 'organizations' | 'deploymentList' | 'client' | 'store' | 'installs'>,
  memories: readonly Pick<SeenSince, 'keepOrganizations'>[],
  restart: () => void,
): vscode.Disposable {
  const { organizations, deploymentList, client, store, installs } = services;
  let told: Target | undefined;
  let known = new Set<string>();

  const tellOrganization = (): void => {
    const ids = new Set(organizations.list.map(({ id }) => id));
    for (const id of known) if (!ids.has(id)) installs.forgetOrganization(id);
    known = ids;
    const kept = organizations.notSignedOut;
    if (kept) for (const memory of memories) memory.keepOrganizations(kept);

    const id = organizations.current?.id;
    const target = id === undefined ? undefined : organizations.target(id, 'access');
    if (isSame(target, told)) return;
    told = target;
    store.setOrganization(
      target && {
        id: target.organizationId,
        read: (deploymentId, call) => client.getDeploymentAuthorization(target, deploymentId, call),
      },
    );
    restart();
  };
  const tellList = (): void => store.setListed(deploymentList.listed);

  tellList();
  tellOrganization();
  return vscode.Disposable.from(organizations.onDidChange(tellOrganization), deploymentList.onDidChange(tellList));
}

function isSame(a: Target | undefined, b: Target | undefined): boolean {
  return a?.organizationId === b?.organizationId && a?.baseUrl === b?.baseUrl && a?.token === b?.token;
}

type Watched = Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>;

/** Tells the refresh schedule what the editor knows, now and after each change, except which ids open documents mention. */
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
  // The organization comes last, since the first round starts as soon as somebody is signed in.
  for (const tell of [list, visibility, focus, configuration, organization]) tell();
  return vscode.Disposable.from(
    organizations.onDidChange(organization),
    deploymentList.onDidChange(list),
    view.onDidChangeVisibility(visibility),
    window.onDidChangeWindowState(focus),
    settings.onDidChange(configuration),
  );
}

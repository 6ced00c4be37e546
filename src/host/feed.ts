import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { AnswerHistory } from '../api/answerer/answerHistory.js';
import type { Call, Target } from '../api/call.js';
import type { Clock } from '../model/base/time.js';
import { lastAttemptAt } from '../model/findings/deployment.js';
import type { ChangesWhileAway } from '../model/problems/changesWhileAway.js';
import type { RefreshSituation } from '../model/schedule.js';
import type { Store } from '../model/store/store.js';
import type { Organizations } from './organizations/organizations.js';
import type { Services } from './services.js';

/** What was read of an organization that is signed out is forgotten everywhere, also when that happened while this window was closed. */
export function feedStore(
  services: Pick<
    Services,
    'organizations' | 'deploymentList' | 'ignoredSettings' | 'client' | 'installs' | 'memory'
  > & {
    readonly store: Pick<Store, 'setListed' | 'setListIgnored' | 'setOrganization'>;
  },
): vscode.Disposable {
  const { organizations, deploymentList, ignoredSettings, client, store, installs, memory } =
    services;
  let current: Target | undefined;

  const feedOrganization = (): void => {
    for (const { organizationId } of installs.installs) {
      if (!organizations.get(organizationId)) installs.forgetOrganization(organizationId);
    }
    const kept = organizations.idsNotSignedOut;
    if (kept) memory.keepOrganizations(kept);

    const id = organizations.current?.id;
    const target = id === undefined ? undefined : organizations.target(id, 'access');
    if (isDeepStrictEqual(target, current)) return;
    current = target;
    store.setOrganization(
      target && {
        id: target.organizationId,
        read: (deploymentId, call) =>
          client.getDeploymentAuthorization(target, deploymentId, following(call)),
      },
    );
  };
  /** What another window has signed out is not read any more, also if the request has waited for others or for its connection. */
  const following = (call: Call): Call => ({
    ...call,
    onPhase: (phase) => {
      if (phase.kind !== 'waiting') organizations.forgetSignedOutElsewhere();
      call.onPhase?.(phase);
    },
  });
  const feedList = (): void => store.setListed(deploymentList.listed);

  const feedIgnored = (): void => {
    const isIgnored = ignoredSettings.current.deployments !== undefined;
    store.setListIgnored(ignoredSettings.isRead ? isIgnored : undefined);
  };

  feedList();
  feedIgnored();
  feedOrganization();
  return vscode.Disposable.from(
    organizations.onDidChange(feedOrganization),
    deploymentList.onDidChange(feedList),
    ignoredSettings.onDidChange(feedIgnored),
  );
}

/** After a sign-in with another token, in this window or another one, what the organization answered before says nothing. */
export function watchSignIns(
  organizations: Pick<Organizations, 'list' | 'target' | 'onDidChange'>,
  history: Pick<AnswerHistory, 'forget'>,
): vscode.Disposable {
  /** By organization. Nothing is kept of one that is signed out. */
  let tokens = new Map<string, string | undefined>();
  const update = (): void => {
    const before = tokens;
    tokens = new Map(
      organizations.list.map(({ id }) => [id, organizations.target(id, 'access')?.token]),
    );
    for (const [id, token] of tokens) {
      if (before.has(id) && before.get(id) !== token) history.forget(id);
    }
  };
  update();
  return organizations.onDidChange(update);
}

const recentMs = 30_000;

/**
 * When the window gets the focus, reads one deployment of each problem whose fix the user wants to be
 * notified of, unless that was read just now. The other deployments of an account learn of it by this answer.
 */
export function readOnFocus(
  { memory, store }: Pick<Services, 'memory' | 'store'>,
  window: Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>,
  { now }: Pick<Clock, 'now'>,
): vscode.Disposable {
  let hadFocus = window.state.focused;
  return window.onDidChangeWindowState(({ focused }) => {
    const gotFocus = focused && !hadFocus;
    hadFocus = focused;
    // A rejected token, an open circuit, or a pause: what holds for all is told already.
    if (!gotFocus || store.cause !== undefined) return;
    const holders = memory.holdersToNotifyOf(store.deployments);
    const old = holders.filter((deployment) => {
      const at = lastAttemptAt(deployment) ?? -Infinity;
      // The clock may have been set back since.
      return Math.abs(now() - at) >= recentMs;
    });
    if (old.length > 0) void store.refresh(old.map(({ id }) => id));
  });
}

/** Tells when the window loses the focus, and when it gets it back. */
export function watchAbsence(
  changes: Pick<ChangesWhileAway, 'focusLost' | 'focusReturned'>,
  window: Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>,
): vscode.Disposable {
  let hadFocus = window.state.focused;
  return window.onDidChangeWindowState(({ focused }) => {
    if (focused === hadFocus) return;
    hadFocus = focused;
    if (focused) changes.focusReturned();
    else changes.focusLost();
  });
}

/** Passes to the refresh schedule what the editor knows, now and after each change, except which ids open documents mention. */
export function watchRefreshSituation(
  services: Pick<Services, 'settings' | 'deploymentList' | 'store'>,
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  update: (situation: Omit<RefreshSituation, 'mentioned'>) => void,
  window: Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>,
): vscode.Disposable {
  const { settings, deploymentList, store } = services;
  const report = () => {
    update({
      breaker: store.breaker,
      intervalMinutes: settings.refreshInterval,
      focused: window.state.focused,
      viewVisible: view.visible,
      statusBar: settings.statusBarEnabled,
      badge: settings.badgeEnabled,
      paused: store.cause?.kind === 'paused',
      listed: deploymentList.listed.map(({ id }) => id),
    });
  };
  report();
  const sources = [deploymentList, settings, store];
  return vscode.Disposable.from(
    ...sources.map((one) => one.onDidChange(report)),
    view.onDidChangeVisibility(report),
    window.onDidChangeWindowState(report),
  );
}

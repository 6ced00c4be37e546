import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { AnswerHistory } from '../api/answerer/answerHistory.js';
import type { Call, Target } from '../api/call.js';
import type { Clock } from '../model/base/time.js';
import { type Deployment, lastAttemptAt } from '../model/findings/deployment.js';
import type { ChangesWhileAway } from '../model/problems/changesWhileAway.js';
import type { RefreshSituation } from '../model/schedule.js';
import type { Store } from '../model/store/store.js';
import type { Organizations } from './organizations/organizations.js';
import type { Services } from './services.js';

type FedServices = Pick<
  Services,
  'organizations' | 'deploymentList' | 'ignoredSettings' | 'client' | 'installs' | 'memory'
> & {
  readonly store: Pick<Store, 'setListed' | 'setListIgnored' | 'setOrganization'>;
};

/**
 * Passes the current organization and the list to the store, now and after each change. Forgets
 * what was read of an organization that is signed out, even if it was signed out while this window
 * was closed.
 */
export function feedStore(services: FedServices): vscode.Disposable {
  const { organizations, deploymentList, ignoredSettings, client, store } = services;
  let currentTarget: Target | undefined;

  const feedOrganization = (): void => {
    forgetSignedOut(services);
    const target = currentTargetOf(organizations);
    if (isDeepStrictEqual(target, currentTarget)) return;
    currentTarget = target;
    if (target === undefined) {
      store.setOrganization(undefined);
      return;
    }
    store.setOrganization({
      id: target.organizationId,
      read: (deploymentId, call) =>
        client.getDeploymentAuthorization(target, deploymentId, checkingSignOuts(call)),
    });
  };

  /**
   * Before a request is sent, checks whether another window has signed out: then it is not sent,
   * even if it has waited for other requests or for its connection.
   */
  const checkingSignOuts = (call: Call): Call => ({
    ...call,
    onPhase: (phase) => {
      if (phase.kind !== 'waiting') organizations.forgetSignedOutElsewhere();
      call.onPhase?.(phase);
    },
  });

  const feedList = (): void => store.setListed(deploymentList.listed);

  const feedIgnored = (): void => {
    const isListIgnored = ignoredSettings.current.deployments !== undefined;
    store.setListIgnored(ignoredSettings.isRead ? isListIgnored : undefined);
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

/**
 * Forgets pending installs of organizations that this window does not have, and problems of those
 * that are signed out. Problems of all organizations stay while the keyring cannot list its
 * sign-ins.
 */
function forgetSignedOut({
  organizations,
  installs,
  memory,
}: Pick<Services, 'organizations' | 'installs' | 'memory'>): void {
  for (const { organizationId } of installs.installs) {
    if (!organizations.get(organizationId)) installs.forgetOrganization(organizationId);
  }
  const idsNotSignedOut = organizations.idsNotSignedOut;
  if (idsNotSignedOut) memory.keepOrganizations(idsNotSignedOut);
}

/** Returns `undefined` without a current organization, or without its token. */
function currentTargetOf(organizations: Organizations): Target | undefined {
  const id = organizations.current?.id;
  return id === undefined ? undefined : organizations.target(id, 'access');
}

/**
 * Forgets what an organization has answered when it gets another token, in this window or another
 * one: earlier answers say nothing about requests with this token.
 */
export function watchSignIns(
  organizations: Pick<Organizations, 'list' | 'target' | 'onDidChange'>,
  history: Pick<AnswerHistory, 'forget'>,
): vscode.Disposable {
  /** By organization ID, only of organizations that are signed in. */
  let tokens = new Map<string, string | undefined>();
  const update = (): void => {
    const tokensBefore = tokens;
    // `target` may fire `onDidChange`, so the new tokens count only once there are all.
    const newTokens = new Map<string, string | undefined>();
    for (const { id } of organizations.list) {
      newTokens.set(id, organizations.target(id, 'access')?.token);
    }
    tokens = newTokens;
    for (const [id, token] of newTokens) {
      if (tokensBefore.has(id) && tokensBefore.get(id) !== token) history.forget(id);
    }
  };
  update();
  return organizations.onDidChange(update);
}

/** A deployment that was read within this time is not read when the window gets the focus. */
const recentMs = 30_000;

/**
 * When the window gets the focus, reads one deployment of each problem whose fix the user wants to
 * be notified of, unless it was read within the last 30 seconds. Other deployments with the same
 * account are judged by this answer, too.
 */
export function readOnFocus(
  { memory, store }: Pick<Services, 'memory' | 'store'>,
  window: Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>,
  { now }: Pick<Clock, 'now'>,
): vscode.Disposable {
  let hadFocus = window.state.focused;
  const isRecentlyRead = (deployment: Deployment): boolean => {
    const readAt = lastAttemptAt(deployment) ?? -Infinity;
    // The clock may have been set back since.
    return Math.abs(now() - readAt) < recentMs;
  };
  return window.onDidChangeWindowState(({ focused }) => {
    const gotFocus = focused && !hadFocus;
    hadFocus = focused;
    // A rejected token, an open circuit, or a pause concerns all deployments, and is shown already.
    if (!gotFocus || store.cause !== undefined) return;
    const holders = memory.holdersToNotifyOf(store.deployments);
    const toRead = holders.filter((deployment) => !isRecentlyRead(deployment));
    if (toRead.length > 0) void store.refresh(toRead.map(({ id }) => id));
  });
}

/**
 * Calls `focusLost()` when the window loses the focus, and `focusReturned()` when it gets it back.
 */
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

/**
 * Calls `update` with what the refresh schedule depends on, now and after each change, except the
 * IDs that open documents mention.
 */
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
      hasFocus: window.state.focused,
      isViewVisible: view.visible,
      isStatusBarShown: settings.statusBarEnabled,
      isBadgeShown: settings.badgeEnabled,
      isPaused: store.cause?.kind === 'paused',
      listed: deploymentList.listed.map(({ id }) => id),
    });
  };
  report();
  const sources = [deploymentList, settings, store];
  return vscode.Disposable.from(
    ...sources.map((source) => source.onDidChange(report)),
    view.onDidChangeVisibility(report),
    window.onDidChangeWindowState(report),
  );
}

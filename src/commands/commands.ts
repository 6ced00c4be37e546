import * as vscode from 'vscode';
import { signInPrefill } from '../host/actions.js';
import type { CommandName } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { addCheck } from './addCheck.js';
import { type CommandArguments, type Row, readArguments, readRows, selectedDeployments } from './arguments.js';
import { checkConnection } from './checkConnection.js';
import { addDeployment, revealDeployment } from './deployments/addDeployment.js';
import { addDeploymentsFromText } from './deployments/addDeploymentsFromText.js';
import { editDeploymentId, removeDeployment, setDeploymentLabel } from './deployments/changeList.js';
import { copyId, copyLink, copyReport, copyStep, findInFiles } from './deployments/copy.js';
import { copyRequest } from './deployments/copyRequest.js';
import { findDeployments } from './deployments/findDeployments.js';
import { muteProblem, unmuteProblem } from './deployments/muteProblem.js';
import { openInDashboard } from './deployments/openInDashboard.js';
import { chooseDeployments, listedDeployments } from './deployments/pickDeployment.js';
import { setOwner } from './deployments/setOwner.js';
import { offerWatch, stopWatching, watchDeployment } from './deployments/watch.js';
import { forgetInstall, lookUpInstall } from './lookUpInstall.js';
import { currentOrganization, setSessionToken, signOut, switchOrganization } from './organizations.js';
import { RevokeApiKey } from './revokeApiKey.js';
import { SignInDialog } from './signIn.js';

/** Only Sign In has a result, an opaque id: every extension can run these commands and gets what they return. */
type Result = void | Promise<string | undefined | void>;

export type Commands = { readonly [Name in CommandName]: (argument: CommandArguments[Name]) => Result };

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties a command to what is read for it.
export function runCommand<Name extends CommandName>(
  commands: Commands,
  name: Name,
  given: readonly unknown[],
): Result {
  return commands[name](readArguments(name, given));
}

/** What the commands do, by the names of their ids, so that none is forgotten. `selected`: the rows that are selected in the view. */
export function commandsOf(services: Services, selected: () => readonly unknown[]): Commands {
  const { store, filter, grouping, log, organizations } = services;
  const dialog = new SignInDialog(services);
  const revocation = new RevokeApiKey(services);
  return {
    signIn: ({ isForCurrent, ...prefill }) => dialog.run(isForCurrent ? signInPrefill(organizations.current) : prefill),
    switchOrganization: () => switchOrganization(services, dialog),
    setSessionToken: () => setSessionToken(services),
    signOut: () => signOut(services),
    addDeployment: (prefill) => addDeployment(services, prefill),
    addDeploymentsFromText: () => addDeploymentsFromText(services),
    removeDeployment: async (rows) => {
      const isByKey = rows === 'selection';
      const chosen = isByKey ? selectedDeployments(selected()) : rows;
      if (chosen) await removeDeployment(services, chosen, isByKey);
    },
    setDeploymentLabel: async (rows) => {
      const chosen = rows === 'selection' ? selectedDeployments(selected()) : rows;
      if (chosen) await setDeploymentLabel(services, chosen);
    },
    findDeployments: () => findDeployments(services),
    setOwner: (rows) => setOwner(services, rows),
    editDeploymentId: (rows) => editDeploymentId(services, rows),
    refresh: async () => {
      await currentOrganization(services);
      // Throws what to do if there are none.
      listedDeployments(services);
      await store.refresh();
    },
    cancelRefresh: () => store.cancelRefresh(),
    refreshDeployment: (rows) => refreshDeployment(services, rows),
    watchDeployment: (rows) => watchDeployment(services, rows),
    stopWatching: (rows) => stopWatching(services, rows),
    // Hides what is fine; what can't be read is kept.
    showOnlyProblems: () => filter.set(true),
    showAll: () => filter.set(false),
    groupByAccount: () => grouping.set(true),
    groupByDeployment: () => grouping.set(false),
    goToDeployment: () => goToDeployment(services),
    muteProblem: (rows) => muteProblem(services, rows),
    unmuteProblem: (rows) => unmuteProblem(services, rows),
    openInDashboard: (rows) => openInDashboard(services, rows),
    lookUpInstall: (prefill) => lookUpInstall(services, prefill),
    forgetInstall: (rows) => forgetInstall(services, rows),
    revokeApiKey: (prefill) => revocation.run(prefill),
    copyId: (rows) => copyId(services, rows === 'selection' ? readRows([undefined, selected()]) : rows),
    copyLink: (rows) => copyLink(services, rows),
    findInFiles: (rows) => findInFiles(services, rows),
    copyRequest: (rows) => copyRequest(services, rows),
    copyReport: (rows) => copyReport(services, rows),
    copyStep: (rows) => copyStep(services, rows),
    addCheck: () => addCheck(services),
    checkConnection: () => checkConnection(services),
    showLog: () => log.show(),
    revealDeployment: async (id) => {
      if (id === undefined) return;
      await currentOrganization(services);
      await revealDeployment(services, id);
    },
  };
}

async function goToDeployment(services: Services): Promise<void> {
  // Without an organization the view is empty: there would be no row to go to.
  await currentOrganization(services);
  const wording = { title: vscode.l10n.t('Go to Deployment'), placeHolder: vscode.l10n.t('Label, ID, or state') };
  const [deployment] = await chooseDeployments(services, [], wording);
  if (!deployment) return;
  await revealDeployment(services, deployment.id);
}

/** Reads one deployment (or the selected ones), ahead of a refresh of all. What came of it is in the rows. */
async function refreshDeployment(services: Services, rows: readonly Row[]): Promise<void> {
  await currentOrganization(services);
  const wording = { title: vscode.l10n.t('Refresh Deployment'), placeHolder: vscode.l10n.t('Deployment to refresh') };
  const chosen = await chooseDeployments(services, rows, wording);
  if (chosen.length === 0) return;
  const ids = chosen.map(({ id }) => id);
  await services.store.refresh(ids, { urgent: true });
  // By an id it was Check Again in an editor, where no row says what came of it.
  const [row] = rows;
  if (row?.isIdAlone) offerWatch(services, chosen[0]!.id);
}

import * as vscode from 'vscode';
import { signInPrefill } from '../host/actions.js';
import type { CommandName } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { addCheck } from './addCheck.js';
import {
  type Given,
  isOfKey,
  isRow,
  type Row,
  readOneRow,
  readRows,
  readText,
  readTexts,
  selectedDeployments,
} from './arguments.js';
import { checkConnection } from './checkConnection.js';
import { addDeployment, revealDeployment } from './deployments/addDeployment.js';
import { addDeploymentsFromText } from './deployments/addDeploymentsFromText.js';
import { editDeploymentId, removeDeployment, setDeploymentLabel, setOwner } from './deployments/changeList.js';
import { copyId, copyLink, copyReport, copyRequest, findInFiles } from './deployments/copy.js';
import { findDeployments } from './deployments/findDeployments.js';
import { muteProblem, unmuteProblem } from './deployments/muteProblem.js';
import { openInDashboard } from './deployments/openInDashboard.js';
import { chooseDeployments, listedDeployments } from './deployments/pickDeployment.js';
import { offerWatch, stopWatching, watchDeployment } from './deployments/watch.js';
import { forgetInstall, lookUpInstall } from './lookUpInstall.js';
import { currentOrganization, setSessionToken, signOut, switchOrganization } from './organizations.js';
import { revokeApiKey } from './revokeApiKey.js';
import { SignInDialog } from './signIn.js';

/** Only Sign In has a result, an opaque id: every extension can run these commands and gets what they return. */
type Result = void | Promise<string | undefined | void>;

/** What each command makes of what it is given, read here and typed from here on. */
export type Commands = { readonly [Name in CommandName]: (...given: Given) => Result };

/** `selected`: the rows that are selected in the view. */
export function commandsOf(services: Services, selected: () => Given): Commands {
  const { store, filter, grouping, log, organizations } = services;
  const dialog = new SignInDialog(services);
  return {
    // From the row of a rejected token it is about the current organization.
    signIn: (...given) =>
      dialog.run(isRow(given) ? signInPrefill(organizations.current) : readTexts(given, 'baseUrl', 'name')),
    switchOrganization: () => switchOrganization(services, dialog),
    setSessionToken: () => setSessionToken(services),
    signOut: () => signOut(services),
    addDeployment: (...given) => addDeployment(services, readTexts(given, 'id', 'label')),
    addDeploymentsFromText: () => addDeploymentsFromText(services),
    findDeployments: () => findDeployments(services),
    removeDeployment: async (...given) => {
      const rows = isOfKey(given) ? selectedDeployments(selected()) : readRows(given);
      if (rows) await removeDeployment(services, rows, isOfKey(given));
    },
    setDeploymentLabel: async (...given) => {
      const rows = isOfKey(given) ? selectedDeployments(selected()) : readOneRow(given);
      if (rows) await setDeploymentLabel(services, rows);
    },
    setOwner: (...given) => setOwner(services, readOneRow(given)),
    editDeploymentId: (...given) => editDeploymentId(services, readOneRow(given)),
    refresh: async () => {
      await currentOrganization(services);
      // Throws what to do if there are none.
      listedDeployments(services);
      await store.refresh();
    },
    cancelRefresh: () => store.cancelRefresh(),
    // By an ID it is a quick fix or a hover, where no row says what came of it.
    refreshDeployment: (...given) => refreshDeployment(services, readRows(given), readText(given) !== undefined),
    watchDeployment: (...given) => watchDeployment(services, readRows(given)),
    stopWatching: (...given) => stopWatching(services, readRows(given)),
    showOnlyProblems: () => filter.set(true),
    showAll: () => filter.set(false),
    groupByAccount: () => grouping.set(true),
    groupByDeployment: () => grouping.set(false),
    goToDeployment: () => goToDeployment(services),
    muteProblem: (...given) => muteProblem(services, readRows(given)),
    unmuteProblem: (...given) => unmuteProblem(services, readRows(given)),
    openInDashboard: (...given) => openInDashboard(services, readOneRow(given)),
    lookUpInstall: (...given) => lookUpInstall(services, readText(given)),
    forgetInstall: (...given) => forgetInstall(services, readRows(given)),
    revokeApiKey: (...given) => revokeApiKey(services, readText(given)),
    copyId: (...given) => copyId(services, readRows(isOfKey(given) ? [undefined, selected()] : given)),
    copyLink: (...given) => copyLink(services, readRows(given)),
    findInFiles: (...given) => findInFiles(services, readOneRow(given)),
    copyRequest: (...given) => copyRequest(services, readRows(given)),
    copyReport: (...given) => copyReport(services, readRows(given)),
    addCheck: () => addCheck(services),
    checkConnection: () => checkConnection(services),
    showLog: () => log.show(),
    revealDeployment: async (...given) => {
      const id = readText(given);
      if (id === undefined) return;
      await currentOrganization(services);
      await revealDeployment(services, id);
    },
  };
}

async function goToDeployment(services: Services): Promise<void> {
  // Without an organization the view is empty: there would be no row to go to.
  await currentOrganization(services);
  const [deployment] = await chooseDeployments(services, [], vscode.l10n.t('Go to Deployment'));
  if (!deployment) return;
  await revealDeployment(services, deployment.id);
}

/** Reads one deployment (or the selected ones), ahead of a refresh of all. What came of it is in the rows. */
async function refreshDeployment(services: Services, rows: readonly Row[], isInEditor: boolean): Promise<void> {
  await currentOrganization(services);
  const chosen = await chooseDeployments(services, rows, vscode.l10n.t('Refresh Deployment'));
  if (chosen.length === 0) return;
  const ids = chosen.map(({ id }) => id);
  await services.store.refresh(ids, { urgent: true });
  if (isInEditor) offerWatch(services, chosen[0]!.id);
}

import * as vscode from 'vscode';
import {
  addDeploymentAction,
  remedyAction,
  type SignInPrefill,
  signInPrefill,
  UserError,
} from '../host/actions.js';
import { setContext } from '../host/contextKeys.js';
import { type CommandName, commandIds } from '../host/ids.js';
import { showMessage } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { causeWords } from '../host/text/cause.js';
import { problemSentence } from '../host/text/problem.js';
import { shortName } from '../model/deploymentNames.js';
import { countedProblems } from '../model/findings/state.js';
import { addCheck } from './addCheck.js';
import {
  type Given,
  isFirstRow,
  isFromView,
  isOfKey,
  isRow,
  type Row,
  readRows,
  readText,
  readTexts,
  selectedDeployments,
} from './arguments.js';
import { checkConnection } from './checkConnection.js';
import { addDeployment, isListed } from './deployments/addDeployment.js';
import { addDeploymentsFromText } from './deployments/addDeploymentsFromText.js';
import {
  editDeploymentId,
  removeDeployment,
  setDeploymentLabel,
} from './deployments/changeList.js';
import { copyId, copyReport, findInFiles } from './deployments/copy.js';
import { copyRequest } from './deployments/copyRequest.js';
import { findDeployments } from './deployments/findDeployments.js';
import { muteProblem, unmuteProblem } from './deployments/muteProblem.js';
import { notifyWhenFixed, stopNotifying } from './deployments/notifyWhenFixed.js';
import { openInDashboard } from './deployments/openInDashboard.js';
import { chooseDeployments, listedDeployments } from './deployments/pickDeployment.js';
import { setOwner } from './deployments/setOwner.js';
import { forgetInstall, lookUpInstall } from './lookUpInstall.js';
import {
  currentOrganization,
  setSessionToken,
  signOut,
  switchOrganization,
} from './organizations.js';
import { revokeApiKey } from './revokeApiKey.js';
import { SignInDialog } from './signIn.js';

/** Only Sign In has a result, an opaque id: every extension can run these commands and gets what they return. */
type Result = void | Promise<string | undefined | void>;

export type Commands = { readonly [Name in CommandName]: (...given: Given) => Result };

export function commandsOf(services: Services): Commands {
  const { store, filter, grouping, log, organizations } = services;
  const dialog = new SignInDialog(services);
  const isSelected = (ids: readonly string[]): boolean =>
    readRows(undefined, services.selectedRows()).some(({ deploymentIds }) =>
      deploymentIds.some((id) => ids.includes(id)),
    );
  /** From the palette or an editor a command shows rows, while the user may be typing elsewhere. */
  const keepingFocus: Services = {
    ...services,
    reveal: (id) => services.reveal(id, { keepsFocus: true }),
    focus: () => Promise.resolve(),
    // A selection goes with its row.
    neighborOf: (ids) => (isSelected(ids) ? services.neighborOf(ids) : undefined),
    focusAfterRemoval: async (id) => {
      if (id !== undefined) await services.select(id);
    },
  };
  /** The welcome view goes with the first row, and its button may have the focus. */
  const servicesFor = (given: Given): Services =>
    isFromView(given) || store.deployments.length === 0 ? services : keepingFocus;
  const signIn = async (prefill?: SignInPrefill) => {
    const id = await dialog.run(prefill);
    if (id !== undefined) await services.focus();
    return id;
  };
  return {
    signIn: (given) => signIn(signInPrefillFor(services, given)),
    signInFromTitle: () => signIn(),
    switchOrganization: async (...given) => {
      const before = organizations.current;
      await switchOrganization(services, signIn);
      if (organizations.current !== before) await servicesFor(given).focus();
    },
    setSessionToken: () => setSessionToken(services),
    signOut: (given) => signOut(services, readTexts(given, 'organizationId').organizationId),
    addDeployment: (...given) =>
      addDeployment(servicesFor(given), readTexts(given[0], 'id', 'label')),
    addDeploymentsFromText: (...given) => addDeploymentsFromText(servicesFor(given)),
    findDeployments: (...given) => findDeployments(servicesFor(given)),
    removeDeployment: async (...given) => {
      const [row, selection] = given;
      const rows = isOfKey(row)
        ? selectedDeployments(services.selectedRows())
        : readRows(row, selection);
      if (rows) await removeDeployment(servicesFor(given), rows, isOfKey(row));
    },
    setDeploymentLabel: async (row) => {
      const rows = isOfKey(row) ? selectedDeployments(services.selectedRows()) : readRows(row);
      if (rows) await setDeploymentLabel(services, rows);
    },
    setOwner: (row) => setOwner(services, readRows(row)),
    editDeploymentId: (...given) => editDeploymentId(servicesFor(given), readRows(given[0])),
    refresh: async () => {
      await currentOrganization(services);
      // Throws what to do if there are none.
      listedDeployments(services);
      await store.refresh(undefined, { rereadsFinished: true });
    },
    cancelRefresh: () => store.cancelRefresh(),
    // By an ID it is a hover's link, where no row says what came of it.
    refreshDeployment: (row, selection) =>
      refreshDeployment(services, readRows(row, selection), readText(row) !== undefined),
    showOnlyProblems: () => filter.set(true),
    showAll: () => filter.set(false),
    groupByAccount: () => grouping.set(true),
    groupByDeployment: () => grouping.set(false),
    goToDeployment: () => goToDeployment(services),
    notifyWhenFixed: (row, selection) => notifyWhenFixed(services, readRows(row, selection)),
    stopNotifying: (row, selection) => stopNotifying(services, readRows(row, selection)),
    muteProblem: (row, selection) => muteProblem(services, readRows(row, selection)),
    unmuteProblem: (row, selection) => unmuteProblem(services, readRows(row, selection)),
    openInDashboard: (row) => openInDashboard(services, readRows(row)),
    lookUpInstall: (token) => lookUpInstall(services, readText(token)),
    forgetInstall: (row, selection) => forgetInstall(services, readRows(row, selection)),
    revokeApiKey: (keyId) => revokeApiKey(services, readText(keyId)),
    copyId: (row, selection) =>
      copyId(services, readRows(row, isOfKey(row) ? services.selectedRows() : selection)),
    findInFiles: (row) => findInFiles(services, readRows(row)),
    copyRequest: (row, selection) => copyRequest(services, readRows(row, selection)),
    copyReport: (row, selection) => copyReport(services, readRows(row, selection)),
    // The view's own report is about all of its deployments.
    copyReportFromTitle: () => copyReport({ ...services, selectedRows: () => [] }, []),
    addCheck: () => addCheck(services),
    checkConnection: () => checkConnection(services),
    manageTrust: async () => {
      await vscode.commands.executeCommand('workbench.trust.manage');
    },
    showLog: () => log.show(),
    revealDeployment: async (given) => {
      const id = readText(given);
      if (id === undefined) return;
      await currentOrganization(services);
      if (isListed(services, id)) return services.reveal(id);
      const add = { ...addDeploymentAction, arguments: [{ id }] };
      throw new UserError(vscode.l10n.t('“{id}” is not in the list.', { id }), [add]);
    },
  };
}

/**
 * The button of a first row begins with what its click begins with; from a row of a rejected token
 * it is about the current organization.
 */
function signInPrefillFor({ store, organizations }: Services, given: unknown): SignInPrefill {
  const { current } = organizations;
  if (isRow(given)) return signInPrefill(current);
  const { cause } = store;
  const step =
    isFirstRow(given) && cause && remedyAction(causeWords(cause, current).remedy, current);
  return readTexts(step ? step.arguments?.[0] : given, 'organizationId', 'baseUrl', 'name');
}

async function goToDeployment(services: Services): Promise<void> {
  // Without an organization the view is empty: there would be no row to go to.
  await currentOrganization(services);
  const [deployment] = await chooseDeployments(services, [], vscode.l10n.t('Go to Deployment'));
  if (!deployment) return;
  await services.reveal(deployment.id);
  setContext('hasGoneToDeployment', true);
}

async function refreshDeployment(
  services: Services,
  rows: readonly Row[],
  isInEditor: boolean,
): Promise<void> {
  await currentOrganization(services);
  const chosen = await chooseDeployments(services, rows, vscode.l10n.t('Refresh Deployment'));
  if (chosen.length === 0) return;
  const ids = chosen.map(({ id }) => id);
  await services.store.refresh(ids, { urgent: true });
  if (isInEditor) showRemainingProblem(services, chosen[0]!.id);
}

/** In an editor no row shows what the refresh found: "Billing sync: Finance Slack (slack) failed: token_revoked." */
function showRemainingProblem({ memory, store }: Services, id: string): void {
  const deployment = store.get(id);
  const [problem] = countedProblems(deployment?.answer?.findings, memory);
  if (!deployment || !problem || deployment.failedRead) return;
  const words = { deployment: shortName(deployment), text: problemSentence(problem) };
  const row = { deployment: { id }, problem: { key: problem.key } };
  showMessage(vscode.l10n.t('{deployment}: {text}', words), {
    title: vscode.l10n.t('Copy Request'),
    command: commandIds.copyRequest,
    arguments: [row],
  });
}

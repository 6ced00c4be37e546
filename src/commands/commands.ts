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
import { unmutedProblems } from '../model/findings/state.js';
import { addCheck } from './addCheck/addCheck.js';
import {
  type CommandArguments,
  hasDeployment,
  isFromKey,
  isFromView,
  isOutageRow,
  type Row,
  readRows,
  readText,
  readTexts,
  selectedDeploymentRows,
} from './arguments.js';
import { checkConnection } from './checkConnection.js';
import { addDeployment, isListed } from './deployments/addDeployment.js';
import { addDeploymentsFromText } from './deployments/addDeploymentsFromText.js';
import {
  editDeploymentId,
  removeDeployment,
  setDeploymentLabel,
} from './deployments/changeList.js';
import { chooseGroups, showAllGroups } from './deployments/chooseGroups.js';
import { copyId, copyReport, findInFiles } from './deployments/copy.js';
import { copyRequest } from './deployments/copyRequest.js';
import { findDeployments } from './deployments/findDeployments.js';
import { notifyWhenFixed, stopNotifying } from './deployments/notifyWhenFixed.js';
import { openInDashboard } from './deployments/openInDashboard.js';
import { chooseDeployments, listedDeployments } from './deployments/pickDeployment.js';
import { setGroup } from './deployments/setGroup.js';
import { setOwner } from './deployments/setOwner.js';
import { forgetInstall, lookUpInstall } from './lookUpInstall.js';
import { muteProblem } from './mutes/muteProblem.js';
import { unmuteProblem } from './mutes/unmuteProblem.js';
import {
  currentOrganization,
  setSessionToken,
  signOut,
  switchOrganization,
} from './organizations.js';
import { revokeApiKey } from './revokeApiKey.js';
import { SignInDialog } from './signIn.js';

/**
 * Only Sign In has a result, the opaque ID of an organization: every extension can run these
 * commands and gets what they return.
 */
type Result = void | Promise<string | undefined | void>;

export type Commands = { readonly [Name in CommandName]: (...args: CommandArguments) => Result };

/** What several commands share. */
interface CommandContext {
  readonly services: Services;
  /**
   * The services for a command with these arguments: they move the focus only if it is in a view.
   */
  readonly servicesFor: (args: CommandArguments) => Services;
  /**
   * Opens Sign In, and moves the focus into the view after a sign-in. Returns the ID of the
   * organization; `undefined` if the user dismisses the dialog.
   */
  readonly signIn: (prefill?: SignInPrefill) => Promise<string | undefined>;
}

/** Returns what each command runs. It reads its arguments with `arguments.ts`. */
export function commandsOf(services: Services): Commands {
  const dialog = new SignInDialog(services);
  const keepingFocus = withoutMovingFocus(services);
  const context: CommandContext = {
    services,
    servicesFor: (args) => {
      // The welcome view goes away with the first row, and its button may have the focus.
      const isInView = isFromView(args) || services.store.deployments.length === 0;
      return isInView ? services : keepingFocus;
    },
    signIn: async (prefill) => {
      const id = await dialog.run(prefill);
      if (id !== undefined) await services.focus();
      return id;
    },
  };
  return {
    ...organizationCommands(context),
    ...listCommands(context),
    ...viewCommands(context),
    ...problemCommands(context),
    ...installAndKeyCommands(context),
    ...copyCommands(context),
    ...helpCommands(context),
  };
}

/**
 * For commands from the palette or an editor: they show rows, while the user may be typing
 * elsewhere.
 */
function withoutMovingFocus(services: Services): Services {
  return {
    ...services,
    reveal: (id) => services.reveal(id, { keepsFocus: true }),
    focus: () => Promise.resolve(),
    // If a selected row goes away, `focusAfterRemoval` selects its neighbor.
    neighborOf: (ids) => (isAnySelected(services, ids) ? services.neighborOf(ids) : undefined),
    focusAfterRemoval: async (id) => {
      if (id !== undefined) await services.select(id);
    },
  };
}

/** Whether a row of one of these deployments is selected. */
function isAnySelected(services: Services, deploymentIds: readonly string[]): boolean {
  const selected = readRows(undefined, services.selectedRows());
  return selected.some((row) => row.deploymentIds.some((id) => deploymentIds.includes(id)));
}

function organizationCommands({ services, servicesFor, signIn }: CommandContext) {
  const { organizations } = services;
  return {
    signIn: (argument) => signIn(signInPrefillFor(services, argument)),
    signInFromTitle: () => signIn(),
    switchOrganization: async (...args) => {
      const before = organizations.current;
      await switchOrganization(services, signIn);
      if (organizations.current !== before) await servicesFor(args).focus();
    },
    setSessionToken: () => setSessionToken(services),
    signOut: (argument) => signOut(services, readTexts(argument, 'organizationId').organizationId),
  } satisfies Partial<Commands>;
}

/** Commands that change the list of deployments. */
function listCommands({ services, servicesFor }: CommandContext) {
  return {
    addDeployment: (...args) => addDeployment(servicesFor(args), readTexts(args[0], 'id', 'label')),
    addDeploymentsFromText: (...args) => addDeploymentsFromText(servicesFor(args)),
    findDeployments: (...args) => findDeployments(servicesFor(args)),
    removeDeployment: async (...args) => {
      const [row, selection] = args;
      const isByKey = isFromKey(row);
      const rows = isByKey
        ? selectedDeploymentRows(services.selectedRows())
        : readRows(row, selection);
      if (rows) await removeDeployment(servicesFor(args), rows, isByKey);
    },
    setDeploymentLabel: async (row) => {
      const rows = isFromKey(row) ? selectedDeploymentRows(services.selectedRows()) : readRows(row);
      if (rows) await setDeploymentLabel(services, rows);
    },
    setGroup: (...args) => setGroup(servicesFor(args), readRows(args[0], args[1])),
    setOwner: (row) => setOwner(services, readRows(row)),
    editDeploymentId: (...args) => editDeploymentId(servicesFor(args), readRows(args[0])),
  } satisfies Partial<Commands>;
}

/** Commands that refresh the view of deployments, or change what it shows. */
function viewCommands({ services, servicesFor }: CommandContext) {
  const { store, filter, grouping, myGroups } = services;
  return {
    refresh: async () => {
      await currentOrganization(services);
      // Throws what to do if no deployment is listed.
      listedDeployments(services);
      await store.refresh(undefined, { rereadsFinished: true });
    },
    cancelRefresh: () => store.cancelRefresh(),
    refreshDeployment: (row, selection) => {
      // An ID comes from the link of a hover, where no row shows the result.
      const isInEditor = readText(row) !== undefined;
      return refreshDeployment(services, readRows(row, selection), isInEditor);
    },
    showOnlyProblems: () => filter.set(true),
    showAll: () => filter.set(false),
    groupByAccount: () => grouping.set('account'),
    groupByGroup: () => grouping.set('group'),
    groupByDeployment: () => grouping.set('deployment'),
    chooseGroups: (...args) => chooseGroups(servicesFor(args)),
    showAllGroups: () => showAllGroups(services),
    showMyGroups: () => myGroups.showAgain(),
    goToDeployment: () => goToDeployment(services),
    revealDeployment: (argument) => revealDeployment(services, readText(argument)),
  } satisfies Partial<Commands>;
}

function problemCommands({ services }: CommandContext) {
  return {
    notifyWhenFixed: (row, selection) => notifyWhenFixed(services, readRows(row, selection)),
    stopNotifying: (row, selection) => stopNotifying(services, readRows(row, selection)),
    muteProblem: (row, selection) => muteProblem(services, readRows(row, selection)),
    unmuteProblem: (row, selection) => unmuteProblem(services, readRows(row, selection)),
    openInDashboard: (row) => openInDashboard(services, readRows(row)),
  } satisfies Partial<Commands>;
}

function installAndKeyCommands({ services }: CommandContext) {
  return {
    lookUpInstall: (token) => lookUpInstall(services, readText(token)),
    forgetInstall: (row, selection) => forgetInstall(services, readRows(row, selection)),
    revokeApiKey: (keyId) => revokeApiKey(services, readText(keyId)),
  } satisfies Partial<Commands>;
}

function copyCommands({ services }: CommandContext) {
  return {
    copyId: (row, selection) => {
      const selected = isFromKey(row) ? services.selectedRows() : selection;
      return copyId(services, readRows(row, selected));
    },
    findInFiles: (row) => findInFiles(services, readRows(row)),
    copyRequest: (row, selection) => copyRequest(services, readRows(row, selection)),
    copyReport: (row, selection) => copyReport(services, readRows(row, selection)),
    // From the view's title, all deployments are checked at first, whatever is selected.
    copyReportFromTitle: () => copyReport({ ...services, selectedRows: () => [] }, []),
  } satisfies Partial<Commands>;
}

function helpCommands({ services }: CommandContext) {
  return {
    addCheck: () => addCheck(services),
    checkConnection: () => checkConnection(services),
    manageTrust: async () => {
      await vscode.commands.executeCommand('workbench.trust.manage');
    },
    showLog: () => services.log.show(),
  } satisfies Partial<Commands>;
}

/**
 * Returns what Sign In begins with. The button of the row of an outage begins as a click on the row
 * does. From a row of a rejected token, Sign In is about the current organization.
 */
function signInPrefillFor({ store, organizations }: Services, argument: unknown): SignInPrefill {
  const { current } = organizations;
  if (hasDeployment(argument)) return signInPrefill(current);

  const { cause } = store;
  const clickAction =
    isOutageRow(argument) && cause && remedyAction(causeWords(cause, current).remedy, current);
  const fields = clickAction ? clickAction.arguments?.[0] : argument;
  return readTexts(fields, 'organizationId', 'baseUrl', 'name');
}

/** Shows the deployment's row. Rejects with an Add button if the deployment is not listed. */
async function revealDeployment(services: Services, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  await currentOrganization(services);
  if (isListed(services, id)) return services.reveal(id);
  const add = { ...addDeploymentAction, arguments: [{ id }] };
  throw new UserError(vscode.l10n.t('“{id}” is not in the list.', { id }), [add]);
}

/** Asks for a deployment, and shows its row. */
async function goToDeployment(services: Services): Promise<void> {
  // Without an organization the view is empty, so there would be no row to go to.
  await currentOrganization(services);
  const title = vscode.l10n.t('Go to Deployment');
  const [deployment] = await chooseDeployments(services, [], title, { isOfMyGroups: true });
  if (!deployment) return;
  await services.reveal(deployment.id);
  setContext('hasGoneToDeployment', true);
}

/** `isInEditor`: a message shows what the refresh has found, because no row does. */
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

/**
 * Shows the first problem of a deployment that was just refreshed, with Copy Request: "Billing
 * sync: Finance Slack (slack) failed: token_revoked." Shows nothing without a problem, or if the
 * refresh failed.
 */
function showRemainingProblem({ memory, store }: Services, id: string): void {
  const deployment = store.get(id);
  const [problem] = unmutedProblems(deployment?.answer?.findings, memory);
  if (!deployment || !problem || deployment.failedRead) return;
  const words = { deployment: shortName(deployment), text: problemSentence(problem) };
  const row = { deployment: { id }, problem: { key: problem.key } };
  showMessage(vscode.l10n.t('{deployment}: {text}', words), {
    title: vscode.l10n.t('Copy Request'),
    command: commandIds.copyRequest,
    arguments: [row],
  });
}

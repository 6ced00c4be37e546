import { isRecord } from '../api/json.js';
import { signInAction } from '../host/actions.js';
import type { commandIds, internalCommandIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import type { CommandArguments } from './arguments.js';
import { checkConnection } from './checkConnection.js';
import { addDeployment } from './deployments/addDeployment.js';
import { addDeploymentsFromText } from './deployments/addDeploymentsFromText.js';
import { editDeploymentId, removeDeployment, setDeploymentLabel } from './deployments/changeList.js';
import { copyId, copyReport, copyStep, findInFiles } from './deployments/copy.js';
import { goToDeployment, revealById } from './deployments/goToDeployment.js';
import { muteProblem, unmuteProblem } from './deployments/muteProblem.js';
import { openInDashboard } from './deployments/openInDashboard.js';
import { listedDeployments } from './deployments/pickDeployment.js';
import { refreshDeployment } from './deployments/refreshDeployment.js';
import { stopWatching, watchDeployment } from './deployments/watch.js';
import { forgetInstall, lookUpInstall } from './lookUpInstall.js';
import { currentOrganization } from './organizations/currentOrganization.js';
import { setSessionToken } from './organizations/setSessionToken.js';
import { signIn } from './organizations/signIn.js';
import { signOut } from './organizations/signOut.js';
import { switchOrganization } from './organizations/switchOrganization.js';
import { RevokeApiKey } from './revokeApiKey.js';

export type CommandName = keyof typeof commandIds | keyof typeof internalCommandIds;

/** Only Sign In has a result, an opaque id: every extension can run these commands and gets what they return. */
type Body = (...args: CommandArguments) => void | Promise<string | undefined | void>;

/** What the commands do, by the names of their ids, so that none is forgotten. `selected`: the rows that are selected in the view. */
export function commandsOf(services: Services, selected: () => readonly unknown[]): Record<CommandName, Body> {
  const { store, filter, grouping, log, organizations } = services;
  const revocation = new RevokeApiKey(services);
  return {
    signIn: (prefill) => {
      // From the row of a rejected token: for the organization that it belongs to.
      const isRow = isRecord(prefill) && 'deployment' in prefill;
      return signIn(services, isRow ? signInAction(organizations.current).arguments?.[0] : prefill);
    },
    switchOrganization: () => switchOrganization(services),
    setSessionToken: () => setSessionToken(services),
    signOut: () => signOut(services),
    addDeployment: (prefill) => addDeployment(services, prefill),
    addDeploymentsFromText: () => addDeploymentsFromText(services),
    removeDeployment: (...args) => removeDeployment(services, ...args),
    setDeploymentLabel: (row) => setDeploymentLabel(services, row),
    editDeploymentId: (row) => editDeploymentId(services, row),
    refresh: async () => {
      await currentOrganization(services);
      // Throws what to do if there are none.
      listedDeployments(services);
      await store.refresh();
    },
    cancelRefresh: () => store.cancelRefresh(),
    refreshDeployment: (...args) => refreshDeployment(services, ...args),
    watchDeployment: (...args) => watchDeployment(services, ...args),
    stopWatching: (...args) => stopWatching(services, ...args),
    // Hides what is fine; what can't be read is kept.
    showOnlyProblems: () => filter.set(true),
    showAll: () => filter.set(false),
    groupByAccount: () => grouping.set(true),
    groupByDeployment: () => grouping.set(false),
    goToDeployment: () => goToDeployment(services),
    muteProblem: (...args) => muteProblem(services, ...args),
    unmuteProblem: (...args) => unmuteProblem(services, ...args),
    openInDashboard: (row) => openInDashboard(services, row),
    lookUpInstall: (prefill) => lookUpInstall(services, prefill),
    forgetInstall: (...args) => forgetInstall(services, ...args),
    revokeApiKey: (prefill) => revocation.run(prefill),
    copyId: (...args) => copyId(services, ...(isSelection(args[0]) ? [undefined, selected()] : args)),
    findInFiles: (row) => findInFiles(services, row),
    copyReport: (...args) => copyReport(services, ...args),
    copyStep: (row) => copyStep(services, row),
    checkConnection: () => checkConnection(services),
    showLog: () => log.show(),
    revealDeployment: (id) => revealById(services, id),
  };
}

/** The argument of our keybinding in the tree. Elsewhere what is selected there answers for nothing. */
function isSelection(argument: unknown): boolean {
  return isRecord(argument) && argument['selection'] === true;
}

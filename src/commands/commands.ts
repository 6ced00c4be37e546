import type { commandIds, internalCommandIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { type CommandArguments, rowsOf } from './arguments.js';
import { checkConnection } from './checkConnection.js';
import { copyId } from './copyId.js';
import { addDeployment } from './deployments/addDeployment.js';
import { copyReport } from './deployments/copyReport.js';
import { goToDeployment, revealById } from './deployments/goToDeployment.js';
import { refresh, refreshDeployment } from './deployments/refresh.js';
import { removeDeployment } from './deployments/removeDeployment.js';
import { setDeploymentLabel } from './deployments/setDeploymentLabel.js';
import { forgetInstall, lookUpInstall } from './lookUpInstall.js';
import { setSessionToken } from './organizations/setSessionToken.js';
import { signIn } from './organizations/signIn.js';
import { signOut } from './organizations/signOut.js';
import { switchOrganization } from './organizations/switchOrganization.js';
import { createRevokeApiKey } from './revokeApiKey.js';

export type CommandName = keyof typeof commandIds | keyof typeof internalCommandIds;

/** Only Sign In has a result, an opaque id: every extension can run these commands and gets what they return. */
type Body = (...args: CommandArguments) => void | Promise<string | undefined | void>;

/** What the commands do: loaded with the first of them. Typed by the ids, so that none is forgotten. */
export function commandBodies(services: Services, selected: () => readonly unknown[]): Record<CommandName, Body> {
  const revokeApiKey = createRevokeApiKey(services);
  return {
    signIn: (prefill) => signIn(services, prefill),
    switchOrganization: () => switchOrganization(services),
    setSessionToken: () => setSessionToken(services),
    signOut: () => signOut(services),
    addDeployment: (prefill) => addDeployment(services, prefill),
    removeDeployment: (...args) => removeDeployment(services, ...args),
    setDeploymentLabel: (row) => setDeploymentLabel(services, row),
    refresh: () => refresh(services),
    cancelRefresh: () => cancelRefresh(services),
    refreshDeployment: (...args) => refreshDeployment(services, ...args),
    showOnlyProblems: () => showOnlyProblems(services),
    showAll: () => showAll(services),
    goToDeployment: () => goToDeployment(services),
    lookUpInstall: (prefill) => lookUpInstall(services, prefill),
    forgetInstall: (...args) => forgetInstall(services, ...args),
    revokeApiKey: (prefill) => revokeApiKey(prefill),
    copyId: (...args) => copyId(services, ...(rowsOf(args).length > 0 ? args : [undefined, selected()])),
    copyReport: (...args) => copyReport(services, ...args),
    checkConnection: () => checkConnection(services),
    showLog: () => showLog(services),
    revealDeployment: (id) => revealById(services, id),
  };
}

/** Ends the refresh of all; what has arrived stays. */
function cancelRefresh({ store }: Services): void {
  store.cancelRefresh();
}

async function showAll({ filter }: Services): Promise<void> {
  await filter.set(false);
}

function showLog({ log }: Services): void {
  log.show();
}

/** Hides what is fine; what can't be read is kept. */
async function showOnlyProblems({ filter }: Services): Promise<void> {
  await filter.set(true);
}

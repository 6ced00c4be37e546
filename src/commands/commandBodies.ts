import type { commandIds, internalCommandIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { addDeployment } from './addDeployment.js';
import { cancelRefresh } from './cancelRefresh.js';
import { checkConnection } from './checkConnection.js';
import { copyId } from './copyId.js';
import { copyReport } from './copyReport.js';
import { forgetInstall } from './forgetInstall.js';
import { goToDeployment } from './goToDeployment.js';
import { lookUpInstall } from './lookUpInstall.js';
import { refresh } from './refresh.js';
import { refreshDeployment } from './refreshDeployment.js';
import { removeDeployment } from './removeDeployment.js';
import { revealById } from './revealDeployment.js';
import { createRevokeApiKey } from './revokeApiKey.js';
import { type CommandArguments, rowsOf } from './rows.js';
import { setDeploymentLabel } from './setDeploymentLabel.js';
import { setSessionToken } from './setSessionToken.js';
import { showAll } from './showAll.js';
import { showLog } from './showLog.js';
import { showOnlyProblems } from './showOnlyProblems.js';
import { signIn } from './signIn.js';
import { signOut } from './signOut.js';
import { switchOrganization } from './switchOrganization.js';

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

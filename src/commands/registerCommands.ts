import * as vscode from 'vscode';
import { commandIds, internalCommandIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { showErrors } from '../host/showError.js';
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

type Body = (...args: CommandArguments) => unknown;

/**
 * Every command, each with its errors shown in the one place that does so. `selected` gives the rows selected in the view that
 * has the focus: a keybinding hands over no row, and the tree is the views' own.
 */
export function registerCommands(services: Services, selected: () => readonly unknown[] = () => []): vscode.Disposable {
  const revokeApiKey = createRevokeApiKey(services);
  // Typed by the ids, so that none is forgotten.
  const bodies: Record<keyof typeof commandIds, Body> = {
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
  };
  const register = (id: string, body: Body) => vscode.commands.registerCommand(id, showErrors(services.log, body));
  const ids = new Map<string, string>(Object.entries(commandIds));
  return vscode.Disposable.from(
    ...Object.entries(bodies).map(([name, body]) => register(ids.get(name)!, body)),
    register(internalCommandIds.revealDeployment, (id) => revealById(services, id)),
  );
}

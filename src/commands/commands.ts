import { isRecord } from '../api/json.js';
import { signInAction } from '../host/actions.js';
import type { commandIds, internalCommandIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { type CommandArguments, rowsOf } from './arguments.js';
import { checkConnection } from './checkConnection.js';
import { addDeployment } from './deployments/addDeployment.js';
import { addDeploymentsFromText } from './deployments/addDeploymentsFromText.js';
import { copyId, copyReport, copyStep, findInFiles } from './deployments/copy.js';
import { editDeploymentId } from './deployments/editDeploymentId.js';
import { goToDeployment, revealById } from './deployments/goToDeployment.js';
import { muteProblem, unmuteProblem } from './deployments/muteProblem.js';
import { openInDashboard } from './deployments/openInDashboard.js';
import { listedDeployments } from './deployments/pickDeployment.js';
import { refreshDeployment } from './deployments/refreshDeployment.js';
import { removeDeployment } from './deployments/removeDeployment.js';
import { setDeploymentLabel } from './deployments/setDeploymentLabel.js';
import { stopWatching, watchDeployment } from './deployments/watch.js';
import { forgetInstall, lookUpInstall } from './lookUpInstall.js';
import { setSessionToken } from './organizations/setSessionToken.js';
import { signIn } from './organizations/signIn.js';
import { signOut } from './organizations/signOut.js';
import { currentOrganization, switchOrganization } from './organizations/switchOrganization.js';
import { RevokeApiKey } from './revokeApiKey.js';

export type CommandName = keyof typeof commandIds | keyof typeof internalCommandIds;

/** Only Sign In has a result, an opaque id: every extension can run these commands and gets what they return. */
type Body = (...args: CommandArguments) => void | Promise<string | undefined | void>;

/** What the commands do, by the names of their ids, so that none is forgotten. */
export class Commands implements Record<CommandName, Body> {
  private readonly revocation: RevokeApiKey;

  constructor(
    private readonly services: Services,
    private readonly selected: () => readonly unknown[],
  ) {
    this.revocation = new RevokeApiKey(services);
  }

  /** From the row of a rejected token: for the organization that it belongs to. */
  readonly signIn: Body = (prefill) => {
    const isRow = isRecord(prefill) && 'deployment' in prefill;
    const given = isRow ? signInAction(this.services.organizations.current).arguments?.[0] : prefill;
    return signIn(this.services, given);
  };
  readonly switchOrganization: Body = () => switchOrganization(this.services);
  readonly setSessionToken: Body = () => setSessionToken(this.services);
  readonly signOut: Body = () => signOut(this.services);
  readonly addDeployment: Body = (prefill) => addDeployment(this.services, prefill);
  readonly addDeploymentsFromText: Body = () => addDeploymentsFromText(this.services);
  readonly removeDeployment: Body = (...args) => removeDeployment(this.services, ...args);
  readonly setDeploymentLabel: Body = (row) => setDeploymentLabel(this.services, row);
  readonly editDeploymentId: Body = (row) => editDeploymentId(this.services, row);
  readonly refresh: Body = async () => {
    await currentOrganization(this.services);
    // Throws what to do if there are none.
    listedDeployments(this.services);
    await this.services.store.refreshAll();
  };
  readonly cancelRefresh: Body = () => this.services.store.cancelRefresh();
  readonly refreshDeployment: Body = (...args) => refreshDeployment(this.services, ...args);
  readonly watchDeployment: Body = (...args) => watchDeployment(this.services, ...args);
  readonly stopWatching: Body = (...args) => stopWatching(this.services, ...args);
  /** Hides what is fine; what can't be read is kept. */
  readonly showOnlyProblems: Body = () => this.services.filter.set(true);
  readonly showAll: Body = () => this.services.filter.set(false);
  readonly groupByAccount: Body = () => this.services.grouping.set(true);
  readonly groupByDeployment: Body = () => this.services.grouping.set(false);
  readonly goToDeployment: Body = () => goToDeployment(this.services);
  readonly muteProblem: Body = (...args) => muteProblem(this.services, ...args);
  readonly unmuteProblem: Body = (...args) => unmuteProblem(this.services, ...args);
  readonly openInDashboard: Body = (row) => openInDashboard(this.services, row);
  readonly lookUpInstall: Body = (prefill) => lookUpInstall(this.services, prefill);
  readonly forgetInstall: Body = (...args) => forgetInstall(this.services, ...args);
  readonly revokeApiKey: Body = (prefill) => this.revocation.run(prefill);
  readonly copyId: Body = (...args) =>
    copyId(this.services, ...(rowsOf(args).length > 0 ? args : [undefined, this.selected()]));
  readonly findInFiles: Body = (row) => findInFiles(this.services, row);
  readonly copyReport: Body = (...args) => copyReport(this.services, ...args);
  readonly copyStep: Body = (row) => copyStep(this.services, row);
  readonly checkConnection: Body = () => checkConnection(this.services);
  readonly showLog: Body = () => this.services.log.show();
  readonly revealDeployment: Body = (id) => revealById(this.services, id);
}

import type { commandIds, internalCommandIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { type CommandArguments, rowsOf } from './arguments.js';
import { checkConnection } from './checkConnection.js';
import { addDeployment } from './deployments/addDeployment.js';
import { copyId, copyReport } from './deployments/copy.js';
import { goToDeployment, revealById } from './deployments/goToDeployment.js';
import { refresh, refreshDeployment } from './deployments/refresh.js';
import { removeDeployment } from './deployments/removeDeployment.js';
import { setDeploymentLabel } from './deployments/setDeploymentLabel.js';
import { forgetInstall, lookUpInstall } from './lookUpInstall.js';
import { setSessionToken } from './organizations/setSessionToken.js';
import { signIn } from './organizations/signIn.js';
import { signOut } from './organizations/signOut.js';
import { switchOrganization } from './organizations/switchOrganization.js';
import { RevokeApiKey } from './revokeApiKey.js';

export type CommandName = keyof typeof commandIds | keyof typeof internalCommandIds;

/** Only Sign In has a result, an opaque id: every extension can run these commands and gets what they return. */
type Body = (...args: CommandArguments) => void | Promise<string | undefined | void>;

/** What the commands do, by the names of their ids, so that none is forgotten. */
export class Commands implements Record<CommandName, Body> {
  private readonly revocation: RevokeApiKey;

  /** `selected`: the rows that are selected in the Deployments view. */
  constructor(
    private readonly services: Services,
    private readonly selected: () => readonly unknown[],
  ) {
    this.revocation = new RevokeApiKey(services);
  }

  readonly signIn: Body = (prefill) => signIn(this.services, prefill);
  readonly switchOrganization: Body = () => switchOrganization(this.services);
  readonly setSessionToken: Body = () => setSessionToken(this.services);
  readonly signOut: Body = () => signOut(this.services);
  readonly addDeployment: Body = (prefill) => addDeployment(this.services, prefill);
  readonly removeDeployment: Body = (...args) => removeDeployment(this.services, ...args);
  readonly setDeploymentLabel: Body = (row) => setDeploymentLabel(this.services, row);
  readonly refresh: Body = () => refresh(this.services);
  /** What has arrived stays. */
  readonly cancelRefresh: Body = () => this.services.store.cancelRefresh();
  readonly refreshDeployment: Body = (...args) => refreshDeployment(this.services, ...args);
  /** Hides what is fine; what can't be read is kept. */
  readonly showOnlyProblems: Body = () => this.services.filter.set(true);
  readonly showAll: Body = () => this.services.filter.set(false);
  readonly goToDeployment: Body = () => goToDeployment(this.services);
  readonly lookUpInstall: Body = (prefill) => lookUpInstall(this.services, prefill);
  readonly forgetInstall: Body = (...args) => forgetInstall(this.services, ...args);
  readonly revokeApiKey: Body = (prefill) => this.revocation.run(prefill);
  readonly copyId: Body = (...args) =>
    copyId(this.services, ...(rowsOf(args).length > 0 ? args : [undefined, this.selected()]));
  readonly copyReport: Body = (...args) => copyReport(this.services, ...args);
  readonly checkConnection: Body = () => checkConnection(this.services);
  readonly showLog: Body = () => this.services.log.show();
  readonly revealDeployment: Body = (id) => revealById(this.services, id);
}

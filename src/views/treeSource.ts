import type { DeploymentList } from '../host/list/deploymentList.js';
import type { Organizations } from '../host/organizations/organizations.js';
import type { ProblemFilter } from '../host/services.js';
import { isKeptByOnlyProblems } from '../model/deployment.js';
import type { Store } from '../model/store/store.js';

/** What the rows of the Deployments view are made from. */
export interface TreeSource {
  readonly store: Pick<Store, 'deployments' | 'cause' | 'get' | 'progress'>;
  readonly organizations: Pick<Organizations, 'current'>;
  readonly deploymentList: Pick<DeploymentList, 'untrusted'>;
  readonly filter: Pick<ProblemFilter, 'onlyProblems'>;
}

/** Without making one: a hidden view is asked too. */
export function hasRows({ organizations, filter, deploymentList, store }: TreeSource): boolean {
  if (!organizations.current) return false;
  if (deploymentList.untrusted || store.cause) return true;
  return filter.onlyProblems ? store.deployments.some(isKeptByOnlyProblems) : store.deployments.length > 0;
}

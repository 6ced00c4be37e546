import type { Services } from '../host/services.js';
import { listedDeployments } from './pickDeployment.js';
import { currentOrganization } from './whichOrganization.js';

/** Reads every deployment again. How far it has come stands in the view; what came of it, in the rows. */
export async function refresh(services: Services): Promise<void> {
  await currentOrganization(services);
  listedDeployments(services);
  await services.store.refreshAll();
}

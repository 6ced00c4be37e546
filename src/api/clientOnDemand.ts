import type { ManagedClient } from './createClient.js';

/** A client that is loaded with its first request. */
export function clientOnDemand(load: () => Promise<ManagedClient>): ManagedClient {
  let client: ManagedClient | undefined;
  let loading: Promise<ManagedClient> | undefined;
  let closed = false;

  const create = async (): Promise<ManagedClient> => {
    const created = await load();
    if (closed) {
      await created.close();
    }
    client = created;
    return created;
  };
  const loaded = (): Promise<ManagedClient> => (loading ??= create());

  return {
    // Once it is there it is asked at once, not a turn later.
    getDeploymentAuthorization: async (...asked) => (client ?? (await loaded())).getDeploymentAuthorization(...asked),
    getIntegrationInstall: async (...asked) => (client ?? (await loaded())).getIntegrationInstall(...asked),
    deleteApiKey: async (...asked) => (client ?? (await loaded())).deleteApiKey(...asked),
    pausedUntil: (organizationId) => client?.pausedUntil(organizationId),
    limitsChanged: () => client?.limitsChanged(),
    forgetRoutes: () => client?.forgetRoutes(),
    close: async () => {
      closed = true;
      await client?.close();
    },
  };
}

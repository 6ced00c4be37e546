import type { Deployment } from './deployment.js';
import { accountName } from './readings.js';

/** Returns the names that several accounts of these deployments have. The IDs tell such accounts apart. */
export function sharedAccountNames(deployments: readonly Deployment[]): ReadonlySet<string> {
  const ids = new Map<string, string | undefined>();
  const shared = new Set<string>();
  for (const { answer } of deployments) {
    for (const { account } of answer?.findings.accounts ?? []) {
      const name = accountName(account);
      if (ids.has(name) && ids.get(name) !== account.id) shared.add(name);
      ids.set(name, account.id);
    }
  }
  return shared;
}

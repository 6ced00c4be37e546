import type { Deployment } from './deployment.js';
import { accountName } from './readings.js';

/**
 * Returns the names that different accounts of these deployments share, so that a text adds their
 * IDs.
 */
export function sharedAccountNames(deployments: readonly Deployment[]): ReadonlySet<string> {
  /** The ID of the last account with a name, by that name. */
  const idsByName = new Map<string, string | undefined>();
  const sharedNames = new Set<string>();
  for (const { answer } of deployments) {
    if (answer === undefined) continue;
    for (const { account } of answer.findings.accounts) {
      const name = accountName(account);
      if (idsByName.has(name) && idsByName.get(name) !== account.id) sharedNames.add(name);
      idsByName.set(name, account.id);
    }
  }
  return sharedNames;
}

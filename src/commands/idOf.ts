import type { PendingInstall } from '../model/installStore.js';
import type { TreeElement } from '../model/tree/elements.js';

/**
 * The id that a row stands for, as the service sent it; `undefined` if it was sent none. A row that has no id of its own (an error,
 * a last check) gives that of what it is about.
 */
export function idOf(row: TreeElement): string | undefined {
  switch (row.kind) {
    case 'cause':
      return undefined;
    case 'deployment':
    case 'failure':
    case 'unreadable':
    case 'step':
      return row.deployment.id;
    case 'requirement':
      // The reference gives requirements no id; within a deployment the binding tells them apart (readings.ts).
      return row.finding.requirement.binding || row.finding.requirement.serviceId;
    case 'account':
      return row.accountId ?? row.finding?.account.id;
    case 'connection':
      return row.finding.connection.connectionMethodId;
    case 'scope':
      return row.scope;
    case 'accountError':
    case 'lastCheck':
      return row.finding.account.id;
    default:
      return row satisfies never;
  }
}

/** A pending install is addressed by its token alone, which is a secret: the nearest thing to an id is its service's. */
export function idOfInstall(install: PendingInstall): string | undefined {
  return install.answer.value.serviceId;
}

import { isRecord } from '../host/isRecord.js';
import type { Services } from '../host/services.js';
import type { Deployment } from '../model/deployment.js';
import type { PendingInstall } from '../model/installStore.js';
import type { TreeElement } from '../model/tree/elements.js';

/**
 * What a command is called with: nothing (palette), a row and perhaps the selection (menu of a view), an id (link, quick fix), or
 * anything else (`executeCommand` of another extension). So it is looked at before it is believed, and what it names is looked
 * up again: a row may be older than the data.
 */
export type CommandArguments = readonly unknown[];

/** The rows that are meant: the selection if there is one, else the row. */
export function rowsOf([row, selection]: CommandArguments): readonly unknown[] {
  if (Array.isArray(selection) && selection.length > 0) return selection;
  return row === undefined || row === null ? [] : [row];
}

/** The listed deployments that the arguments name, each once. A row below a deployment stands for it. */
export function deploymentsOf(services: Services, args: CommandArguments): readonly Deployment[] {
  const ids = rowsOf(args).map((row) => {
    if (typeof row === 'string') return row;
    return isTreeElement(row) && row.kind !== 'cause' ? row.deployment.id : undefined;
  });
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : (services.store.get(id) ?? [])));
}

/** The same for rows of Pending Installs. */
export function installsOf(services: Services, args: CommandArguments): readonly PendingInstall[] {
  const ids = rowsOf(args).map((row) => {
    if (typeof row === 'string') return row;
    if (!isRecord(row)) return undefined;
    return isRecord(row['install']) ? row['install']['id'] : row['id'];
  });
  return [...new Set(ids)].flatMap((id) => (typeof id === 'string' ? (services.installs.get(id) ?? []) : []));
}

/** Every kind of row, and whether it cannot be without a finding. */
const kinds: Readonly<Record<TreeElement['kind'], boolean>> = {
  cause: false,
  deployment: false,
  failure: false,
  unreadable: false,
  requirement: true,
  account: false,
  connection: true,
  scope: false,
  accountError: true,
  lastCheck: true,
  step: false,
};

const needsFinding = new Map<unknown, boolean>(Object.entries(kinds));

export function isTreeElement(value: unknown): value is TreeElement {
  if (!isRecord(value) || !needsFinding.has(value['kind'])) return false;
  if (value['kind'] === 'cause') return true;
  const { deployment, finding } = value;
  if (!isRecord(deployment) || typeof deployment['id'] !== 'string') return false;
  return !needsFinding.get(value['kind']) || isRecord(finding);
}

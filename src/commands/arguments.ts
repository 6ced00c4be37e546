import { isRecord } from '../api/json.js';
import type { Deployment } from '../model/deployment.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import type { Store } from '../model/store/store.js';

/**
 * What a command is called with: nothing (palette), a row and perhaps the selection (menu of a view), an id (link, quick fix), or
 * anything else (`executeCommand` of another extension). So it is looked at before it is believed, and what it names is looked
 * up again: a row may be older than the data.
 */
export type CommandArguments = readonly unknown[];

interface WithStore {
  readonly store: Pick<Store, 'get'>;
}
interface WithInstalls {
  readonly installs: Pick<Installs, 'get'>;
}

/** The rows that are meant: the selection if there is one, else the row. */
export function rowsOf([row, selection]: CommandArguments): readonly unknown[] {
  if (Array.isArray(selection) && selection.length > 0) return selection;
  return row === undefined || row === null ? [] : [row];
}

/** The listed deployments that the arguments name, each once. A row below a deployment stands for it. */
export function deploymentsOf({ store }: WithStore, args: CommandArguments): readonly Deployment[] {
  const ids = rowsOf(args).map((row) => (typeof row === 'string' ? row : deploymentIdOf(row)));
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : (store.get(id) ?? [])));
}

/** The same for rows of Pending Installs. */
export function installsOf({ installs }: WithInstalls, args: CommandArguments): readonly PendingInstall[] {
  const ids = rowsOf(args).map((row) => {
    if (typeof row === 'string') return row;
    if (!isRecord(row)) return undefined;
    return isRecord(row['install']) ? row['install']['id'] : row['id'];
  });
  return [...new Set(ids)].flatMap((id) => (typeof id === 'string' ? (installs.get(id) ?? []) : []));
}

/**
 * What Copy ID copies of a row of either view. A pending install is addressed by its token, which is a secret: its service's id is
 * copied instead.
 */
export function copyIdOf({ installs }: WithInstalls, row: unknown): string | undefined {
  const [install] = installsOf({ installs }, [row]);
  if (install) return install.answer.value.serviceId;
  return isRecord(row) && typeof row['copyId'] === 'string' ? row['copyId'] : undefined;
}

function deploymentIdOf(row: unknown): string | undefined {
  if (!isRecord(row) || !isRecord(row['deployment'])) return undefined;
  const { id } = row['deployment'];
  return typeof id === 'string' ? id : undefined;
}

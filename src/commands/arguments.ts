import { isRecord } from '../api/json.js';
import type { Deployment } from '../model/deployment.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import type { Store } from '../model/store/store.js';

/**
 * What a command is called with: nothing (palette), a row and perhaps the selection (menu of a view), an id (link, quick fix), or
 * anything at all (`executeCommand` of another extension). What it names is looked up again, because a row may be older than the
 * data.
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
  return named(args, (row) => idIn(row['deployment'])).flatMap((id) => store.get(id) ?? []);
}

/** The same for rows of Pending Installs. */
export function installsOf({ installs }: WithInstalls, args: CommandArguments): readonly PendingInstall[] {
  return named(args, idIn).flatMap((id) => installs.get(id) ?? []);
}

/** What Copy ID copies of a row of either view. A pending install's own id is made up here: its service's id is copied instead. */
export function copyIdOf({ installs }: WithInstalls, row: unknown): string | undefined {
  const [install] = installsOf({ installs }, [row]);
  if (install) return install.answer.value.serviceId;
  return isRecord(row) && typeof row['copyId'] === 'string' ? row['copyId'] : undefined;
}

/** The ids that are given as such, and those of the rows, each once. */
function named(args: CommandArguments, idOf: (row: Readonly<Record<string, unknown>>) => unknown): readonly string[] {
  const ids = rowsOf(args).map((row) => (isRecord(row) ? idOf(row) : row));
  return [...new Set(ids)].filter((id) => typeof id === 'string');
}

function idIn(row: unknown): unknown {
  return isRecord(row) ? row['id'] : undefined;
}

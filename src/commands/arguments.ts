import { isRecord } from '../api/json.js';
import type { Deployment } from '../model/deployment.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import type { Store } from '../model/store/store.js';

/** Nothing (palette), a row and perhaps the selection (menu), an id (link, quick fix), or anything at all (another extension). */
export type CommandArguments = readonly unknown[];

type WithStore = { readonly store: Pick<Store, 'get'> };
type WithInstalls = { readonly installs: Pick<Installs, 'get'> };
type Row = Readonly<Record<string, unknown>>;

export function rowsOf([row, selection]: CommandArguments): readonly unknown[] {
  if (Array.isArray(selection) && selection.length > 0) return selection;
  return row === undefined || row === null ? [] : [row];
}

/** Looked up again, since a row may be older than the data. A row below a deployment stands for it, an account's for all that have it. */
export function deploymentsOf({ store }: WithStore, args: CommandArguments): readonly Deployment[] {
  const ids = named(args, ({ deployment, deployments }) =>
    Array.isArray(deployments) ? deployments.map(idIn) : [idIn(deployment)],
  );
  return ids.flatMap((id) => store.get(id) ?? []);
}

/**
 * Those that a button or a menu of the tree acts on. VS Code hands the button in one selected row all selected rows, of whatever
 * kind, so among several only the rows of deployments count.
 */
export function chosenDeployments(services: WithStore, args: CommandArguments): readonly Deployment[] {
  const rows = rowsOf(args);
  return deploymentsOf(services, [undefined, rows.length > 1 ? rows.filter(isOfDeployment) : rows]);
}

function isOfDeployment(row: unknown): boolean {
  return !isRecord(row) || ['deployment', 'member', 'failure'].some((kind) => kind === row['kind']);
}

export function installsOf({ installs }: WithInstalls, args: CommandArguments): readonly PendingInstall[] {
  return named(args, (row) => [idIn(row)]).flatMap((id) => installs.get(id) ?? []);
}

/** What Copy ID copies of a row of either view. A pending install's own id is made up here: its service's id is copied instead. */
export function copyIdOf({ installs }: WithInstalls, row: unknown): string | undefined {
  const [install] = installsOf({ installs }, [row]);
  if (install) return install.answer.value.serviceId;
  return isRecord(row) && typeof row['copyId'] === 'string' ? row['copyId'] : undefined;
}

function named(args: CommandArguments, idsIn: (row: Row) => readonly unknown[]): readonly string[] {
  const ids = rowsOf(args).flatMap((row) => (isRecord(row) ? idsIn(row) : [row]));
  return [...new Set(ids)].filter((id) => typeof id === 'string');
}

function idIn(row: unknown): unknown {
  return isRecord(row) ? row['id'] : undefined;
}

/** Longer than real addresses, ids and names. */
const maxPrefillChars = 2000;

/** An argument of another extension only prefills what the user is asked. One of another kind is ignored. */
export function textPrefill(argument: unknown): string | undefined {
  return typeof argument === 'string' && argument.length <= maxPrefillChars ? argument.trim() || undefined : undefined;
}

export function prefills<K extends string>(argument: unknown, ...keys: readonly K[]): Partial<Record<K, string>> {
  const result: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const text = isRecord(argument) ? textPrefill(argument[key]) : undefined;
    if (text !== undefined) result[key] = text;
  }
  return result;
}

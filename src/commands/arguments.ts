import { isRecord } from '../api/decode.js';
import type { Deployment, DeploymentProblem } from '../model/findings/deployment.js';
import { type Findings, groupBy, type Problem } from '../model/findings/findings.js';
import { countedProblems, type Mutes, mutedProblems } from '../model/findings/state.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import type { Store } from '../model/store/store.js';

/** Nothing (palette), a row and perhaps all selected rows (menu), an ID (command link), or anything at all (another extension). */
export type Given = readonly unknown[];

/** A row of a view. An ID alone stands for its deployment's. */
export interface Row {
  /** Not one below it, of an account or a requirement. */
  readonly isOfDeployment: boolean;
  readonly id?: string;
  /** Its own or the one that it is below; of an account's row all that have the account. */
  readonly deploymentIds: readonly string[];
  readonly copyId?: string;
  /**
   * Of its own problem, of all that its advice is about, or of those that requirements bound to its
   * account have. Absent: of all of its deployments.
   */
  readonly problemKeys?: readonly string[];
}

export function readRow(given: unknown): Row | undefined {
  if (typeof given === 'string') return { isOfDeployment: true, id: given, deploymentIds: [given] };
  if (!isRecord(given)) return undefined;
  const { kind, deployment, deployments } = given;
  const ids = (Array.isArray(deployments) ? deployments : [deployment]).flatMap(
    (one) => textIn(one, 'id') ?? [],
  );
  return {
    isOfDeployment: ['deployment', 'member', 'failure'].some((one) => one === kind),
    id: textIn(given, 'id'),
    deploymentIds: ids,
    copyId: textIn(given, 'copyId'),
    problemKeys: problemKeysOf(given),
  };
}

/** The row of an account that works stands for the problems of the requirements that are bound to it. */
function problemKeysOf({
  kind,
  finding,
  problem,
  problems,
  requirements,
}: Record<string, unknown>) {
  if (Array.isArray(problems)) return problems.flatMap((one) => textIn(one, 'key') ?? []);
  const own = textIn(
    (isRecord(finding) ? (finding['cause'] ?? finding['problem']) : undefined) ?? problem,
    'key',
  );
  if (own !== undefined) return [own];
  if (kind !== 'group' || !Array.isArray(requirements)) return undefined;
  return requirements.flatMap((one) => (isRecord(one) ? (textIn(one['cause'], 'key') ?? []) : []));
}

export function rowsOf(deployments: readonly Pick<Deployment, 'id'>[]): readonly Row[] {
  return deployments.flatMap(({ id }) => readRow(id) ?? []);
}

/** As they are now, since a row may be older than the data. */
export function deploymentsOf(store: Pick<Store, 'get'>, of: readonly Row[]) {
  const ids = new Set(of.flatMap(({ deploymentIds }) => deploymentIds));
  return [...ids].flatMap((id): Deployment | [] => store.get(id) ?? []);
}

/** VS Code hands the button of one selected row all selected rows, of whatever kind: among several only those of deployments count. */
export function chosenDeployments(store: Pick<Store, 'get'>, of: readonly Row[]) {
  return deploymentsOf(
    store,
    of.length > 1 ? of.filter(({ isOfDeployment }) => isOfDeployment) : of,
  );
}

const problemsBy = {
  counted: countedProblems,
  muted: mutedProblems,
  all: ({ problems }: Pick<Findings, 'problems'>): readonly Problem[] => problems,
} as const;

/**
 * Returns the own problem of a row. Of a row with several problems it returns those that are muted,
 * or not, or all. An account in several deployments stands with the first.
 */
export function problemsOf(
  { memory, store }: { readonly memory: Mutes; readonly store: Pick<Store, 'get'> },
  of: readonly Row[],
  which: keyof typeof problemsBy,
): readonly DeploymentProblem[] {
  const byKey = new ProblemsByKey();
  const found = of.flatMap((row) =>
    deploymentsOf(store, [row]).flatMap((deployment) => {
      const findings = deployment.answer?.findings;
      if (findings === undefined) return [];
      if (row.problemKeys === undefined) {
        return problemsBy[which](findings, memory).map((problem) => ({ deployment, problem }));
      }
      const own = row.problemKeys.flatMap((key) => byKey.find(findings, key) ?? []);
      const meant = own.length > 1 ? problemsBy[which]({ problems: own }, memory) : own;
      return meant.map((problem) => ({ deployment, problem }));
    }),
  );
  return [...groupBy(found, ({ problem }) => problem.key).values()].map(([first]) => first!);
}

/** Finds the problems of many rows, of which thousands may belong to one deployment. */
class ProblemsByKey {
  private readonly known = new Map<Findings, ReadonlyMap<string, Problem>>();

  find(findings: Findings, key: string): Problem | undefined {
    const problems =
      this.known.get(findings) ?? new Map(findings.problems.map((one) => [one.key, one]));
    this.known.set(findings, problems);
    return problems.get(key);
  }
}

export function installsOf(installs: Pick<Installs, 'get'>, of: readonly Row[]) {
  return of.flatMap(({ id = '' }): PendingInstall | [] => installs.get(id) ?? []);
}

/** What Copy ID copies of a row of either view. A pending install's own id is made up here: its service's id is copied instead. */
export function copyIdOf(installs: Pick<Installs, 'get'>, row: Row): string | undefined {
  const [install] = installsOf(installs, [row]);
  return install ? install.answer.value.serviceId : row.copyId;
}

export function isRow(given: unknown): boolean {
  return isRecord(given) && 'deployment' in given;
}

export function isFirstRow(given: unknown): boolean {
  return isRecord(given) && given['kind'] === 'cause';
}

/**
 * Whether a command comes from a row, a key in the tree, or a button of a view's title: that hands
 * on the focused row, or `undefined`.
 */
export function isFromView(given: Given): boolean {
  const [first] = given;
  return (
    given.length > 0 &&
    (first === undefined || isOfKey(first) || (isRecord(first) && 'kind' in first))
  );
}

/** Our keys in the tree say so: VS Code tells an extension which rows are selected, not which one has the focus. */
export function isOfKey(given: unknown): boolean {
  return isRecord(given) && given['selection'] === true;
}

/** Of the selected rows those of deployments; `undefined`: only others are selected, with which the key does nothing. */
export function selectedDeployments(selected: Given): readonly Row[] | undefined {
  const found = selected.filter(
    (row) => isRecord(row) && (row['kind'] === 'deployment' || row['kind'] === 'member'),
  );
  return selected.length > 0 && found.length === 0
    ? undefined
    : found.flatMap((row) => readRow(row) ?? []);
}

/** Without `selected` the row whose menu was opened, whatever is selected with it. */
export function readRows(row: unknown, selected?: unknown): readonly Row[] {
  const given: Given = Array.isArray(selected) && selected.length > 0 ? selected : [row];
  return given.flatMap((one) => readRow(one) ?? []);
}

/** An argument of another extension only prefills what the user is asked. One of another kind is ignored. */
export function readText(given: unknown): string | undefined {
  return typeof given === 'string' ? given.trim() || undefined : undefined;
}

/**
 * Returns no texts of a row: VS Code hands the focused row to the buttons of a view's title, which
 * are not about it.
 */
export function readTexts<K extends string>(
  given: unknown,
  ...keys: readonly K[]
): Partial<Record<K, string>> {
  const isOfRow = isRecord(given) && 'kind' in given;
  const result: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const found = isRecord(given) && !isOfRow ? readText(given[key]) : undefined;
    if (found !== undefined) result[key] = found;
  }
  return result;
}

function textIn(given: unknown, key: string): string | undefined {
  const value = isRecord(given) ? given[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

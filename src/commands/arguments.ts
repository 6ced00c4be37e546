import { isRecord } from '../api/decode.js';
import type { Deployment, DeploymentProblem } from '../model/findings/deployment.js';
import type { Findings, Problem } from '../model/findings/findings.js';
import {
  isMutedByUser,
  type Mutes,
  mutedProblems,
  unmutedProblems,
} from '../model/findings/state.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import type { Store } from '../model/store/store.js';

/**
 * What a command is called with: nothing (palette), a row and perhaps all selected rows (menu), an
 * ID (command link), or anything else (another extension).
 */
export type CommandArguments = readonly unknown[];

/** What commands use of a row of a view. An ID alone stands for the row of its deployment. */
export interface Row {
  /**
   * Whether the row is a deployment's own or says why its last read failed. Other rows below it,
   * such as those of accounts, do not count.
   */
  readonly isOfDeployment: boolean;
  readonly id?: string;
  /**
   * IDs of the row's deployments: its own or the one that it is below; for a row that groups
   * deployments, such as that of an account at the root, all of these.
   */
  readonly deploymentIds: readonly string[];
  /** What Copy ID copies; `undefined` if the row has no ID of its own. */
  readonly copyId?: string;
  /**
   * Keys of the problems that the row is about: its own; all that its advice is about; or, for a
   * group without a failed account, those of its requirements. `undefined`: all problems of its
   * deployments.
   */
  readonly problemKeys?: readonly string[];
}

/** Reads one argument of a command. Returns `undefined` if it is neither a row nor an ID. */
export function readRow(argument: unknown): Row | undefined {
  if (typeof argument === 'string') {
    return { isOfDeployment: true, id: argument, deploymentIds: [argument] };
  }
  if (!isRecord(argument)) return undefined;
  const { kind, deployment, deployments } = argument;
  return {
    isOfDeployment: kind === 'deployment' || kind === 'member' || kind === 'failure',
    id: textField(argument, 'id'),
    deploymentIds: textFields(Array.isArray(deployments) ? deployments : [deployment], 'id'),
    copyId: textField(argument, 'copyId'),
    problemKeys: problemKeysOf(argument),
  };
}

/** Returns `Row.problemKeys`. The row of an effect is about the problem that causes it. */
function problemKeysOf(row: Record<string, unknown>): readonly string[] | undefined {
  const { kind, finding, problem, problems, requirements } = row;
  if (Array.isArray(problems)) return textFields(problems, 'key');

  const ofFinding = isRecord(finding) ? (finding['cause'] ?? finding['problem']) : undefined;
  const ownKey = textField(ofFinding ?? problem, 'key');
  if (ownKey !== undefined) return [ownKey];

  if (kind !== 'accountGroup' || !Array.isArray(requirements)) return undefined;
  const causes = requirements.map((requirement) =>
    isRecord(requirement) ? requirement['cause'] : undefined,
  );
  return textFields(causes, 'key');
}

/** Returns rows as if the user had chosen these deployments in a view. */
export function rowsOfDeployments(deployments: readonly Pick<Deployment, 'id'>[]): readonly Row[] {
  return deployments.flatMap(({ id }) => readRow(id) ?? []);
}

/**
 * Returns the deployments of the rows, each once, in their present state, because a row may be
 * older than the data. Leaves out those that are no longer listed.
 */
export function deploymentsOf(
  store: Pick<Store, 'get'>,
  rows: readonly Row[],
): readonly Deployment[] {
  const ids = new Set(rows.flatMap(({ deploymentIds }) => deploymentIds));
  return [...ids].map((id) => store.get(id)).filter((deployment) => deployment !== undefined);
}

/**
 * Returns the deployments of the rows that a command is to change. VS Code passes all selected
 * rows, whatever they are, to the button of one of them; of several rows only those of deployments
 * count.
 */
export function chosenDeployments(
  store: Pick<Store, 'get'>,
  rows: readonly Row[],
): readonly Deployment[] {
  const counted = rows.length > 1 ? rows.filter(({ isOfDeployment }) => isOfDeployment) : rows;
  return deploymentsOf(store, counted);
}

/** Which problems of a row a command is about. */
export type ProblemChoice = 'unmuted' | 'muted' | 'notMutedByUser' | 'all';

const problemFilters: Readonly<
  Record<ProblemChoice, (findings: Pick<Findings, 'problems'>, memory: Mutes) => readonly Problem[]>
> = {
  unmuted: unmutedProblems,
  muted: mutedProblems,
  notMutedByUser: ({ problems }, memory) =>
    problems.filter((problem) => !isMutedByUser(problem, memory)),
  all: ({ problems }) => problems,
};

/**
 * Returns the problems of the rows, each with the first deployment where it is muted (or not) as
 * `choice` says, else with the first one that has it. If a row is about a single problem, this
 * problem is returned even if it is muted (or not); of several problems of a row, `choice` decides.
 */
export function problemsOf(
  { memory, store }: { readonly memory: Mutes; readonly store: Pick<Store, 'get'> },
  rows: readonly Row[],
  choice: ProblemChoice,
): readonly DeploymentProblem[] {
  const filter = problemFilters[choice];
  const problemsByKey = new ProblemsByKey();
  const problemsOfRow = ({ problemKeys }: Row, findings: Findings): readonly Problem[] => {
    if (problemKeys === undefined) return filter(findings, memory);
    const problems = problemKeys.flatMap((key) => problemsByKey.find(findings, key) ?? []);
    return problems.length > 1 ? filter({ problems }, memory) : problems;
  };

  const found = new FoundProblems((problem) => filter({ problems: [problem] }, memory).length > 0);
  for (const row of rows) {
    for (const deployment of deploymentsOf(store, [row])) {
      const findings = deployment.answer?.findings;
      const problems = findings ? problemsOfRow(row, findings) : [];
      for (const problem of problems) found.add({ deployment, problem });
    }
  }
  return found.all;
}

/**
 * Collects each problem once: where it is as chosen, or, if it is so nowhere, where it was first.
 */
class FoundProblems {
  private readonly byKey = new Map<string, DeploymentProblem>();
  /** The keys of the problems that are not as chosen where they were found so far. */
  private readonly unchosenKeys = new Set<string>();

  constructor(private readonly isChosen: (problem: Problem) => boolean) {}

  add(found: DeploymentProblem): void {
    const { key } = found.problem;
    const isKnown = this.byKey.has(key);
    if (isKnown && !this.unchosenKeys.has(key)) return;
    if (this.isChosen(found.problem)) this.unchosenKeys.delete(key);
    else if (isKnown) return;
    else this.unchosenKeys.add(key);
    this.byKey.set(key, found);
  }

  get all(): readonly DeploymentProblem[] {
    return [...this.byKey.values()];
  }
}

/** Finds problems by key for many rows, of which thousands may belong to one deployment. */
class ProblemsByKey {
  private readonly maps = new Map<Findings, ReadonlyMap<string, Problem>>();

  find(findings: Findings, key: string): Problem | undefined {
    let problems = this.maps.get(findings);
    if (!problems) {
      problems = new Map(findings.problems.map((problem) => [problem.key, problem]));
      this.maps.set(findings, problems);
    }
    return problems.get(key);
  }
}

/** Returns the pending installs of the rows. Leaves out those that are forgotten. */
export function installsOf(
  installs: Pick<Installs, 'get'>,
  rows: readonly Row[],
): readonly PendingInstall[] {
  return rows.map(({ id = '' }) => installs.get(id)).filter((install) => install !== undefined);
}

/**
 * Returns what Copy ID copies of a row of either view. The ID of a pending install exists only in
 * this window, so the ID of its service is copied.
 */
export function copyIdOf(installs: Pick<Installs, 'get'>, row: Row): string | undefined {
  const [install] = installsOf(installs, [row]);
  return install ? install.answer.value.serviceId : row.copyId;
}

/** Whether the argument is the row of a deployment, or a row below one. */
export function hasDeployment(argument: unknown): boolean {
  return isRecord(argument) && 'deployment' in argument;
}

/**
 * Whether the argument is a first row of the view, which says why deployments cannot be read, or
 * that the workspace is not trusted.
 */
export function isOutageRow(argument: unknown): boolean {
  return isRecord(argument) && argument['kind'] === 'cause';
}

/**
 * Whether a command comes from a row, from a key in the tree, or from a button of a view's title.
 * VS Code calls the command of such a button with the focused row, or with `undefined`.
 */
export function isFromView(args: CommandArguments): boolean {
  if (args.length === 0) return false;
  const [first] = args;
  if (first === undefined || isFromKey(first)) return true;
  return isRecord(first) && 'kind' in first;
}

/**
 * Whether a command comes from one of our keys in the tree, which pass this argument: an extension
 * can ask VS Code which rows are selected, but not which row has the focus.
 */
export function isFromKey(argument: unknown): boolean {
  return isRecord(argument) && argument['selection'] === true;
}

/**
 * Returns the rows of deployments among the selected rows. Returns `undefined` if only other rows
 * are selected, with which a key does nothing.
 */
export function selectedDeploymentRows(selected: CommandArguments): readonly Row[] | undefined {
  const ofDeployments = selected.filter(
    (row) => isRecord(row) && (row['kind'] === 'deployment' || row['kind'] === 'member'),
  );
  if (selected.length > 0 && ofDeployments.length === 0) return undefined;
  return ofDeployments.flatMap((row) => readRow(row) ?? []);
}

/**
 * Reads the two arguments of a command from a menu: the row whose menu it was, and all selected
 * rows. Returns the selected rows, or the row alone if nothing is selected. A command passes only
 * `row` if the selection is not to count.
 */
export function readRows(row: unknown, selected?: unknown): readonly Row[] {
  const isSelection = Array.isArray(selected) && selected.length > 0;
  const chosen: CommandArguments = isSelection ? selected : [row];
  return chosen.flatMap((argument) => readRow(argument) ?? []);
}

/**
 * Reads a text that prefills what the user is asked. Returns it without outer spaces; `undefined`
 * if the argument is empty or not a text.
 */
export function readText(argument: unknown): string | undefined {
  if (typeof argument !== 'string') return undefined;
  return argument.trim() || undefined;
}

/**
 * Reads those fields of an object that are texts, as `readText`. Returns none for a row: VS Code
 * passes the focused row to the buttons of a view's title, which are not about it.
 */
export function readTexts<K extends string>(
  argument: unknown,
  ...keys: readonly K[]
): Partial<Record<K, string>> {
  const texts: Partial<Record<K, string>> = {};
  const isRow = isRecord(argument) && 'kind' in argument;
  if (!isRecord(argument) || isRow) return texts;
  for (const key of keys) {
    const text = readText(argument[key]);
    if (text !== undefined) texts[key] = text;
  }
  return texts;
}

/** Returns this field of each value, where the field is a text. */
function textFields(values: readonly unknown[], key: string): readonly string[] {
  return values.map((value) => textField(value, key)).filter((text) => text !== undefined);
}

function textField(value: unknown, key: string): string | undefined {
  const field = isRecord(value) ? value[key] : undefined;
  return typeof field === 'string' ? field : undefined;
}

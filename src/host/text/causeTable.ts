import { l10n } from 'vscode';
import type { Failure } from '../../api/failure.js';
import { type OwnerOf, ownedBy } from '../../model/entered/owners.js';
import { type Deployment, isUnreadable, type LastAnswer } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { type State, severity } from '../../model/findings/order.js';
import {
  countedProblems,
  type Mutes,
  mutedProblems,
  nothingRemembered,
} from '../../model/findings/state.js';
import { inertName, inertProse, shorten } from '../../model/inertText.js';
import { unreadableFieldsWord } from './deployment.js';
import { failureWords, wordWithStatus } from './failure.js';
import { firstWithMore, listText, numberText, plural } from './format.js';
import {
  adviceLabel,
  findingWithService,
  ownerWord,
  problemWord,
  requirementWithService,
} from './problem.js';
import { stateWord } from './states.js';

const maxNames = 30;
/** Of one list of names. */
const maxNamesChars = 8_000;
/** Deployments whose labels differ only behind so many characters carry their IDs. */
const maxNameChars = 80;

export type Redact = (text: string) => string;

export function unchanged(text: string): string {
  return text;
}

export interface CauseRow {
  readonly state: State;
  readonly deployments: ReadonlySet<Deployment>;
  /** How many problems it tells of: an account that failed is one. 0 where something is unknown. */
  readonly problemCount: number;
  /** In parts that a dot separates. Plain text, of the platform too. */
  readonly descriptionParts: readonly string[];
  /** The next step, or until when it is muted. */
  readonly lastColumn: string;
  readonly owner?: string | undefined;
  /** What it is about, as the newest answer has it; absent where something is unknown. */
  readonly problem?: Problem;
}

export type UnsatisfiedRequirement = Extract<Problem, { readonly kind: 'unsatisfiedRequirement' }>;

interface Cause {
  readonly state: State;
  /** Makes the words of its row. */
  readonly make: () => Omit<CauseRow, 'state' | 'deployments' | 'problemCount'>;
  readonly order: number;
  readonly deployments: Set<Deployment>;
  readonly problemKeys: Set<string>;
}

interface CauseRowsOptions {
  readonly nextStep?: (failure: Failure) => string;
  /** What helps against a problem. */
  readonly advice?: (problem: Problem) => string;
  /** What helps where the platform leaves something open. */
  readonly unknownStep?: string;
  readonly ownerOf?: OwnerOf;
  readonly memory?: Mutes;
}

/** What is wrong in some deployments, one row a cause: an account that failed is one whatever it stops. */
export class CauseRows {
  protected readonly byKey = new Map<string, Cause>();
  private readonly nextStep: (failure: Failure) => string;
  private readonly advice: (problem: Problem) => string;
  private readonly unknownStep: string;
  private readonly ownerOf: OwnerOf;
  private readonly memory: Mutes;

  constructor({ nextStep, advice, unknownStep, ownerOf, memory }: CauseRowsOptions = {}) {
    this.nextStep = nextStep ?? ((failure) => failureWords(failure).next ?? '');
    this.advice = advice ?? adviceLabel;
    this.unknownStep = unknownStep ?? '';
    this.ownerOf = ownerOf ?? (() => undefined);
    this.memory = memory ?? nothingRemembered;
  }

  add(deployment: Deployment): void {
    const { answer, failedRead } = deployment;
    if (failedRead) {
      const name = wordWithStatus(failedRead.failure);
      const last = this.nextStep(failedRead.failure);
      const key = JSON.stringify([name, last]);
      this.put(
        {
          state: 'unknown',
          make: () => ({ descriptionParts: [name], lastColumn: last }),
          order: failedRead.at,
        },
        key,
        deployment,
      );
    }
    if (!answer || isUnreadable(deployment)) return;
    this.addProblems(
      deployment,
      answer,
      countedProblems(answer.findings, this.memory),
      this.advice,
    );
    if (deployment.state === 'unknown') this.addUnknown(deployment, answer);
  }

  /** `endOf`: until when a problem is muted. */
  addMuted(deployment: Deployment, endOf: (problem: Problem) => string): void {
    const { answer } = deployment;
    if (!answer || isUnreadable(deployment)) return;
    const muted = mutedProblems(answer.findings, this.memory);
    this.addProblems(deployment, answer, muted, endOf);
  }

  addUnknown(deployment: Deployment, answer: LastAnswer): void {
    for (const wrong of this.unknownReasons(answer)) {
      const make = () => ({ descriptionParts: wrong, lastColumn: this.unknownStep });
      this.put(
        { state: 'unknown', make, order: answer.sequence },
        JSON.stringify(wrong),
        deployment,
      );
    }
  }

  get rows(): readonly CauseRow[] {
    return [...this.byKey.values()].toSorted(bySeverity).map(causeRowOf);
  }

  /** Rows of these problems alone. `lastOf`: the next step, or until when one is muted. */
  addProblems(
    deployment: Deployment,
    answer: LastAnswer,
    problems: readonly Problem[],
    lastOf: (one: Problem) => string = this.advice,
  ): void {
    for (const problem of problems) {
      const state = problem.kind === 'failedAccount' ? 'failed' : 'notSatisfied';
      const owner = this.ownerOf(ownedBy(problem, deployment.id));
      const make = () => ({
        descriptionParts: this.wordsOf(problem),
        lastColumn: lastOf(problem),
        owner: ownerWord(owner),
        problem,
      });
      const key =
        problem.kind === 'failedAccount'
          ? problem.key
          : this.requirementKey(problem, lastOf(problem), owner);
      this.put({ state, make, order: answer.sequence }, key, deployment).problemKeys.add(
        problem.key,
      );
    }
  }

  protected wordsOf(problem: Problem): readonly string[] {
    return problemParts(problem);
  }

  /** Each in parts. */
  protected unknownReasons({ findings, decodeIssues }: LastAnswer): readonly (readonly string[])[] {
    const unreadable = unreadableFieldsWord(decodeIssues.length);
    return [
      ...findings.unknownFindings.map((finding) => [
        stateWord('unknown'),
        findingWithService(finding),
      ]),
      ...(unreadable ? [[unreadable]] : []),
    ];
  }

  /**
   * Requirements are each deployment's own, so those that lack the same and have the same next step
   * share a row.
   */
  protected requirementKey(
    { finding }: UnsatisfiedRequirement,
    last: string,
    owner: string | undefined,
  ): string {
    const { name, requirement, missingScopes, boundId } = finding;
    const { serviceId, eligibleAccountIds } = requirement;
    const lacks = missingScopes.length > 0 ? missingScopes : (boundId ?? eligibleAccountIds);
    return JSON.stringify([name, serviceId, lacks, last, owner]);
  }

  /** The words are those of the newest answer or failure. `order`: higher is newer. */
  private put(
    found: Pick<Cause, 'state' | 'make' | 'order'>,
    key: string,
    deployment: Deployment,
  ): Cause {
    const known = this.byKey.get(key);
    if (!known) {
      const cause = {
        ...found,
        deployments: new Set([deployment]),
        problemKeys: new Set<string>(),
      };
      this.byKey.set(key, cause);
      return cause;
    }
    known.deployments.add(deployment);
    if (found.order > known.order) Object.assign(known, found);
    return known;
  }
}

export function problemParts(problem: Problem): readonly string[] {
  const word = problemWord(problem);
  if (problem.kind === 'unsatisfiedRequirement')
    return [word, requirementWithService(problem.finding)];
  const { code } = problem.finding.account.error ?? {};
  return code ? [word, shorten(code)] : [word];
}

export function bySeverity(a: Cause, b: Cause): number {
  return severity(a.state) - severity(b.state);
}

export function causeRowOf({ state, make, deployments, problemKeys }: Cause): CauseRow {
  return { state, ...make(), deployments, problemCount: problemKeys.size };
}

interface Limit {
  readonly lines: number;
  readonly chars: number;
}

/** What a row says beside what its own deployments know. */
export interface RowAdditions {
  /** In place of what is wrong. */
  readonly wrong?: readonly string[];
  /** Of the platform, redacted. */
  readonly message?: string;
  /** Other deployments that the same account affects. */
  readonly others?: readonly Deployment[];
  /** In place of the next step. */
  readonly advice?: string;
  /** In place of the next step and the owner: as Markdown, as nobody has to do anything. */
  readonly outcome?: string;
}

interface TableOptions {
  readonly columns: readonly string[];
  readonly rows: readonly CauseRow[];
  readonly limit: Limit;
  /** Writes what the last column says of a row. */
  readonly lastCell: (text: string) => string;
  readonly besideOf?: (row: CauseRow) => RowAdditions;
  readonly redact?: Redact;
}

/** What the check shows of its rows. */
export function causeTable(rows: readonly CauseRow[], limit: Limit): readonly string[] {
  return markdownTable({ columns: causeColumns(), rows, limit, lastCell: inertProse });
}

export function causeColumns(): readonly string[] {
  return [l10n.t('What is wrong'), l10n.t('Deployments'), l10n.t('Next step')];
}

export function markdownTable(options: TableOptions): readonly string[] {
  const {
    columns,
    rows,
    limit,
    lastCell,
    besideOf = (): RowAdditions => ({}),
    redact = unchanged,
  } = options;
  if (rows.length === 0) return [];
  const written = rows.slice(0, limit.lines).map((row) => {
    const { lastColumn: last, owner, deployments } = row;
    const { wrong = row.descriptionParts, message, others = [], advice, outcome } = besideOf(row);
    const what = wrong.map((text) => inertProse(redact(text)));
    if (message) what.push(quoted(inertProse(message)));
    const step = [
      lastCell(redact(advice ?? last)),
      ...(owner ? [inertProse(redact(owner))] : []),
    ].join(' · ');
    return tableRow([
      what.join(' · '),
      namesWithOthers(Array.from(deployments), others),
      outcome ?? step,
    ]);
  });
  const kept = linesWithin(written, limit.chars);
  const rest = rows.length - kept.length;
  const count = numberText(rest);
  const more = plural(
    rest,
    l10n.t('{count} more row left out.', { count }),
    l10n.t('{count} more rows left out.', { count }),
  );
  return [
    '',
    tableRow(columns),
    tableRow(columns.map(() => '---')),
    ...kept,
    ...(rest > 0 ? ['', more] : []),
  ];
}

/** Another character stands for a bar, because programs differ in how they read an escaped one in a code span. */
function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '｜')).join(' | ')} |`;
}

/** Returns the first lines, as many as have at most `maxChars` characters together. */
function linesWithin(lines: readonly string[], maxChars: number): readonly string[] {
  const kept: string[] = [];
  let chars = 0;
  for (const line of lines) {
    chars += line.length + 1;
    if (chars > maxChars) break;
    kept.push(line);
  }
  return kept;
}

/** "“Billing sync” and 2 others: “Expense approvals”, “Incident pager”" */
function namesWithOthers(
  deployments: readonly Deployment[],
  others: readonly Deployment[],
): string {
  const names = markdownNames(deployments);
  if (others.length === 0) return names;
  const words = { names, count: numberText(others.length), others: markdownNames(others) };
  return plural(
    others.length,
    l10n.t('{names} and {count} other: {others}', words),
    l10n.t('{names} and {count} others: {others}', words),
  );
}

/** "“Billing sync”, `Order sync (dep_1)`, 3 more": as Markdown, so that each name's end is seen. */
export function markdownNames(deployments: readonly Deployment[], max = maxNames): string {
  const written = deployments.slice(0, max).map(markdownName);
  const fitting = linesWithin(written, maxNamesChars).length;
  return listText(firstWithMore(deployments, fitting, markdownName));
}

export function markdownName({ id, label, name }: Deployment): string {
  const isCalledSo = label === undefined || name === label;
  // An ID that tells two deployments apart is whole.
  const shown = isCalledSo
    ? shorten(name, maxNameChars)
    : `${shorten(label, maxNameChars)} (${id})`;
  return inertName(shown, quoted);
}

function quoted(words: string): string {
  return l10n.t('“{name}”', { name: words });
}

/** "2026-11-20 12:00 UTC" */
export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

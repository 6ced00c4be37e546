import { l10n } from 'vscode';
import type { Failure } from '../../api/failure.js';
import { type OwnerOf, ownedBy } from '../../model/entered/owners.js';
import { type Deployment, isUnreadable, type LastAnswer } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { type State, severity } from '../../model/findings/order.js';
import {
  type Mutes,
  mutedProblems,
  nothingRemembered,
  unmutedProblems,
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

/** Deployments that one list names, unless its caller wants another number. */
const maxNames = 30;
/** All names of one list together. */
const maxNamesChars = 8_000;
/** A name alone. A label that is not unique within so many characters is followed by the ID. */
const maxNameChars = 80;

/** Returns the text without secrets. */
export type Redact = (text: string) => string;

export function unchanged(text: string): string {
  return text;
}

/**
 * A cause and the deployments where it is found, in words. All texts may hold text of the platform.
 */
export interface CauseRow {
  readonly state: State;
  readonly deployments: ReadonlySet<Deployment>;
  /** How many different problems the row stands for; 0 where something is unknown. */
  readonly problemCount: number;
  /**
   * What is wrong, for a surface that puts dots between the parts: ["Finance Slack failed",
   * "token_revoked"].
   */
  readonly descriptionParts: readonly string[];
  /** The next step, or until when the problem is muted: "Reconnect Finance Slack". */
  readonly nextStep: string;
  /** "Owner: Maria" */
  readonly owner?: string | undefined;
  /** The problem as the newest answer has it; absent where something is unknown. */
  readonly problem?: Problem;
}

export type UnsatisfiedRequirement = Extract<Problem, { readonly kind: 'unsatisfiedRequirement' }>;

type CauseWords = Omit<CauseRow, 'state' | 'deployments' | 'problemCount'>;

/** One deployment's part in a cause. */
interface Occurrence {
  readonly state: State;
  /** Writes the words of the row. Only the newest occurrence is asked, when the row is needed. */
  readonly describe: () => CauseWords;
  /**
   * Higher is newer. Comparable within one cause: its answers' sequence, or epoch ms of failed
   * reads.
   */
  readonly recency: number;
}

interface Cause {
  newest: Occurrence;
  readonly deployments: Set<Deployment>;
  /** `Problem.key` of each problem that the cause stands for. */
  readonly problemKeys: Set<string>;
}

interface CauseRowsOptions {
  /** What to do about a failed read; by default the step of `failureWords`. */
  readonly nextStep?: (failure: Failure) => string;
  /** What to do about a problem; by default `adviceLabel`. */
  readonly advice?: (problem: Problem) => string;
  /** What to do where the platform leaves something open; by default nothing. */
  readonly unknownStep?: string;
  readonly ownerOf?: OwnerOf | undefined;
  /** Knows which problems are muted; by default none is. */
  readonly memory?: Mutes;
}

/**
 * Collects what is wrong in deployments, one row for each cause. An account that failed is one
 * cause in all deployments that have it, however many requirements are not satisfied because of it.
 * Callers add deployments and then read `rows`.
 */
export class CauseRows {
  /** By a key that is equal for findings of the same cause, for example the problem's own key. */
  protected readonly causes = new Map<string, Cause>();
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

  /** Adds the failed read of a deployment, its problems that are not muted, and what is unknown. */
  add(deployment: Deployment): void {
    const { answer, failedRead, state } = deployment;
    if (failedRead) this.addFailedRead(deployment, failedRead);
    if (!answer || isUnreadable(deployment)) return;
    const problems = unmutedProblems(answer.findings, this.memory);
    this.addProblems(deployment, answer, problems, this.advice);
    if (state === 'unknown') this.addUnknown(deployment, answer);
  }

  /** Adds the muted problems of a deployment. `endOf`: until when a problem is muted. */
  addMuted(deployment: Deployment, endOf: (problem: Problem) => string): void {
    const { answer } = deployment;
    if (!answer || isUnreadable(deployment)) return;
    const problems = mutedProblems(answer.findings, this.memory);
    this.addProblems(deployment, answer, problems, endOf);
  }

  /**
   * Adds these problems of a deployment alone. `nextStepOf`: the next step against a problem, or
   * until when it is muted.
   */
  addProblems(
    deployment: Deployment,
    answer: LastAnswer,
    problems: readonly Problem[],
    nextStepOf: (problem: Problem) => string = this.advice,
  ): void {
    for (const problem of problems) {
      const owner = this.ownerOf(ownedBy(problem, deployment.id));
      const describe = () => ({
        descriptionParts: this.descriptionOf(problem),
        nextStep: nextStepOf(problem),
        owner: ownerWord(owner),
        problem,
      });
      const isAccount = problem.kind === 'failedAccount';
      const key = isAccount
        ? this.accountKey(problem, nextStepOf(problem), owner)
        : this.requirementKey(problem, nextStepOf(problem), owner);
      const state = isAccount ? 'failed' : 'notSatisfied';
      const recency = answer.sequence;
      const cause = this.addOccurrence(key, deployment, { state, describe, recency });
      cause.problemKeys.add(problem.key);
    }
  }

  /** Adds why a deployment is unknown although it was read. */
  addUnknown(deployment: Deployment, answer: LastAnswer): void {
    for (const descriptionParts of this.unknownReasons(answer)) {
      this.addOccurrence(JSON.stringify(descriptionParts), deployment, {
        state: 'unknown',
        describe: () => ({ descriptionParts, nextStep: this.unknownStep }),
        recency: answer.sequence,
      });
    }
  }

  /** The worst first; equals in the order in which they were added. */
  get rows(): readonly CauseRow[] {
    return [...this.causes.values()].toSorted(bySeverity).map(causeRowOf);
  }

  private addFailedRead(
    deployment: Deployment,
    { failure, at }: NonNullable<Deployment['failedRead']>,
  ): void {
    const name = wordWithStatus(failure);
    const step = this.nextStep(failure);
    this.addOccurrence(JSON.stringify([name, step]), deployment, {
      state: 'unknown',
      describe: () => ({ descriptionParts: [name], nextStep: step }),
      recency: at,
    });
  }

  /** ["Finance Slack failed", "token_revoked"] */
  protected descriptionOf(problem: Problem): readonly string[] {
    return problemParts(problem);
  }

  /**
   * Why a deployment is unknown, each reason in parts: [["unknown", "crm"], ["2 fields
   * unreadable"]].
   */
  protected unknownReasons({ findings, decodeIssues }: LastAnswer): readonly (readonly string[])[] {
    const reasons: (readonly string[])[] = [];
    for (const finding of findings.unknownFindings) {
      reasons.push([stateWord('unknown'), findingWithService(finding)]);
    }
    const unreadable = unreadableFieldsWord(decodeIssues.length);
    if (unreadable) reasons.push([unreadable]);
    return reasons;
  }

  /** Returns a key that is equal for failed accounts that share a row. */
  protected accountKey(problem: Problem, _nextStep: string, _owner: string | undefined): string {
    return problem.key;
  }

  /**
   * Returns a key that is equal for requirements that share a row: each requirement belongs to one
   * deployment, so requirements of the same name and service that lack the same and have the same
   * next step and owner are one cause.
   */
  protected requirementKey(
    { finding }: UnsatisfiedRequirement,
    nextStep: string,
    owner: string | undefined,
  ): string {
    const { name, requirement, missingScopes, boundId } = finding;
    const { serviceId, eligibleAccountIds } = requirement;
    const lacks = missingScopes.length > 0 ? missingScopes : (boundId ?? eligibleAccountIds);
    return JSON.stringify([name, serviceId, lacks, nextStep, owner]);
  }

  private addOccurrence(key: string, deployment: Deployment, occurrence: Occurrence): Cause {
    const known = this.causes.get(key);
    if (known) {
      known.deployments.add(deployment);
      if (occurrence.recency > known.newest.recency) known.newest = occurrence;
      return known;
    }
    const cause = {
      newest: occurrence,
      deployments: new Set([deployment]),
      problemKeys: new Set<string>(),
    };
    this.causes.set(key, cause);
    return cause;
  }
}

/** ["Finance Slack failed", "token_revoked"], ["missing channels:read", "notifier (slack)"] */
export function problemParts(problem: Problem): readonly string[] {
  const word = problemWord(problem);
  if (problem.kind === 'unsatisfiedRequirement') {
    return [word, requirementWithService(problem.finding)];
  }
  const code = problem.finding.account.error?.code;
  return code ? [word, shorten(code)] : [word];
}

/** Compares for a sort that puts the worst cause first. */
export function bySeverity(a: Cause, b: Cause): number {
  return severity(a.newest.state) - severity(b.newest.state);
}

export function causeRowOf({ newest, deployments, problemKeys }: Cause): CauseRow {
  const words = newest.describe();
  return { state: newest.state, ...words, deployments, problemCount: problemKeys.size };
}

/** How much is written of a table or a list of names. What is beyond it is counted. */
interface Limit {
  readonly lines: number;
  readonly chars: number;
}

/** What other deployments know about a row's account, and what a table shows because of that. */
export interface RowAdditions {
  /** In place of the row's `descriptionParts`. */
  readonly descriptionParts?: readonly string[] | undefined;
  /** What the platform says of the error, redacted. */
  readonly message?: string | undefined;
  /** Other deployments that the same account affects. */
  readonly others?: readonly Deployment[];
  /** In place of the row's next step. */
  readonly nextStep?: string;
  /**
   * In place of next step and owner, where nothing has to be done. Markdown, unlike the other
   * texts.
   */
  readonly outcome?: string;
}

interface TableOptions {
  /** Three headings. */
  readonly columns: readonly string[];
  readonly rows: readonly CauseRow[];
  readonly limit: Limit;
  /** Returns the Markdown of what a row's last column says. */
  readonly nextStepMarkdown: (text: string) => string;
  readonly additionsOf?: (row: CauseRow) => RowAdditions;
  readonly redact?: Redact;
}

/** Returns the lines of the Markdown table that the check shows; none without rows. */
export function causeTable(rows: readonly CauseRow[], limit: Limit): readonly string[] {
  return markdownTable({ columns: causeColumns(), rows, limit, nextStepMarkdown: inertProse });
}

/** "What is wrong", "Deployments", "Next step" */
export function causeColumns(): readonly string[] {
  return [l10n.t('What is wrong'), l10n.t('Deployments'), l10n.t('Next step')];
}

/**
 * Returns the lines of a Markdown table, an empty one first, and below it how many rows are left
 * out: "2 more rows left out." No lines without rows.
 */
export function markdownTable(options: TableOptions): readonly string[] {
  const { columns, rows, limit } = options;
  if (rows.length === 0) return [];
  const allowed = rows.slice(0, limit.lines).map((row) => causeLine(row, options));
  const fitting = linesWithin(allowed, limit.chars);
  const table = ['', tableLine(columns), tableLine(columns.map(() => '---')), ...fitting];
  const leftOutCount = rows.length - fitting.length;
  return leftOutCount > 0 ? [...table, '', rowsLeftOutText(leftOutCount)] : table;
}

/** "2 more rows left out." */
function rowsLeftOutText(leftOutCount: number): string {
  const count = numberText(leftOutCount);
  return plural(
    leftOutCount,
    l10n.t('{count} more row left out.', { count }),
    l10n.t('{count} more rows left out.', { count }),
  );
}

/**
 * "| Finance Slack failed · `token_revoked` | “Billing sync” | Reconnect Finance Slack · Owner:
 * Maria |"
 */
function causeLine(row: CauseRow, options: TableOptions): string {
  const { redact = unchanged } = options;
  const additions = options.additionsOf?.(row) ?? {};

  const parts = additions.descriptionParts ?? row.descriptionParts;
  const descriptions = parts.map((text) => inertProse(redact(text)));
  if (additions.message) descriptions.push(quoted(inertProse(additions.message)));

  const steps = [options.nextStepMarkdown(redact(additions.nextStep ?? row.nextStep))];
  if (row.owner) steps.push(inertProse(redact(row.owner)));

  return tableLine([
    descriptions.join(' · '),
    namesWithOthers(Array.from(row.deployments), additions.others ?? []),
    additions.outcome ?? steps.join(' · '),
  ]);
}

/**
 * "| A | B | C |". Another character stands for a bar within a cell, because programs differ in how
 * they read an escaped one in a code span.
 */
function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '｜')).join(' | ')} |`;
}

/** Returns as many of the first lines as have at most `maxChars` characters together. */
function linesWithin(lines: readonly string[], maxChars: number): readonly string[] {
  const fitting: string[] = [];
  let chars = 0;
  for (const line of lines) {
    chars += line.length + 1;
    if (chars > maxChars) break;
    fitting.push(line);
  }
  return fitting;
}

/** "“Billing sync” and 2 others: “Expense approvals”, “Incident pager”" */
function namesWithOthers(
  deployments: readonly Deployment[],
  others: readonly Deployment[],
): string {
  const names = markdownNames(deployments);
  if (others.length === 0) return names;
  const values = { names, count: numberText(others.length), others: markdownNames(others) };
  return plural(
    others.length,
    l10n.t('{names} and {count} other: {others}', values),
    l10n.t('{names} and {count} others: {others}', values),
  );
}

/**
 * "“Billing sync”, `Order sync (dep_1)`, 3 more". At most `max` names, and not more than 8,000
 * characters.
 */
export function markdownNames(deployments: readonly Deployment[], max = maxNames): string {
  return namesWithin(deployments, { lines: max, chars: maxNamesChars }, markdownName);
}

/** "“Billing sync”, 3 more": as many names as the limit allows; '' without items. */
export function namesWithin<T>(
  items: readonly T[],
  { lines, chars }: Limit,
  nameOf: (item: T) => string,
): string {
  const names = items.slice(0, lines).map(nameOf);
  const fittingCount = linesWithin(names, chars).length;
  return listText(firstWithMore(items, fittingCount, nameOf));
}

/**
 * "“Billing sync”", "`Order sync (dep_1)`": the end of a name is seen whatever the name holds. An
 * ID that tells two deployments apart is not cut at 80 characters, as the label before it is.
 */
export function markdownName({ id, label, name }: Deployment): string {
  const isLabelAmbiguous = label !== undefined && name !== label;
  const visibleName = isLabelAmbiguous
    ? `${shorten(label, maxNameChars)} (${id})`
    : shorten(name, maxNameChars);
  return inertName(visibleName, quoted);
}

/** "“Billing sync”" */
export function quoted(words: string): string {
  return l10n.t('“{name}”', { name: words });
}

/** "2026-11-20 12:00 UTC". `at`: epoch ms. */
export function utcTime(at: number): string {
  const dateAndTime = new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length);
  return `${dateAndTime.replace('T', ' ')} UTC`;
}

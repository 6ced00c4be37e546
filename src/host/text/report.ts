import { l10n } from 'vscode';
import type { Failure } from '../../api/failure.js';
import { redactedDeployment, shortName } from '../../model/deploymentNames.js';
import { type OwnerOf, ownedBy } from '../../model/entered/owners.js';
import { countDeployments, type Deployment, isUnreadable, type LastAnswer } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { type State, severity } from '../../model/findings/order.js';
import {
  countedProblems,
  type Mutes,
  mutedProblems,
  nothingRemembered,
  type Remembered,
} from '../../model/findings/state.js';
import { codeSpan, inertProse, shorten } from '../../model/inertText.js';
import { authorizationResult, dataText } from '../../model/toolResult.js';
import { countsText, unreadableWord } from './deployment.js';
import { failureWords, wordWithStatus } from './failure.js';
import { firstOf, listText, numberText, plural } from './format.js';
import { adviceWord, findingLabel, ownerWord, problemWord, requirementLabel } from './problem.js';
import { stateWord } from './states.js';

/** GitHub accepts at most 65,536 characters in an issue. */
const maxReportChars = 65_000;
const maxTable = { lines: 120, chars: 30_000 };
const maxMuted = { lines: 40, chars: 8_000 };
const maxNames = 10;
const maxHealthyNames = 100;
/** Of one list of names. */
const maxNamesChars = 8_000;
const maxHeadingChars = 200;
/** Kept free for what surrounds the fields of one deployment. */
const maxFrameChars = 1_000;

interface ReportOptions {
  readonly ownerOf?: OwnerOf;
  readonly memory?: Remembered;
  /** Applied to each text before it is cut, so that no part of a secret is left, and before anything is counted. */
  readonly redact?: Redact;
}

type Redact = (text: string) => string;

function unchanged(text: string): string {
  return text;
}

/**
 * Returns the Markdown that users paste into an issue or a chat: one table by cause, the names of
 * the healthy deployments, and for one deployment also its fields as JSON. Text of the platform and
 * of settings stands in it as plain words or as code.
 */
export function deploymentsReport(listed: readonly Deployment[], options: ReportOptions = {}): string {
  const { redact = unchanged, ownerOf = () => undefined, memory = nothingRemembered } = options;
  const deployments = listed.map((one) => redactedDeployment(one, redact));
  const causes = new CauseRows({ memory, ownerOf });
  const mutes = new CauseRows({ memory });
  for (const deployment of deployments) {
    causes.add(deployment);
    mutes.addMuted(deployment);
  }
  const [first] = deployments;
  const only = deployments.length === 1 ? first : undefined;
  const title = only ? nameAndId(only) : summary(deployments);
  const lines = [
    `# ${[title, ...readTimes(deployments)].join(' · ')}`,
    ...causeTable(causes.rows, maxTable, redact),
    ...mutedTable(mutes.rows, redact),
    ...healthyNames(deployments),
    ...unreadNames(deployments),
  ];
  if (only) {
    const usedChars = lines.join('\n').length + maxFrameChars;
    lines.push(...foldedFields(only, { maxChars: maxReportChars - usedChars, memory, ownerOf, redact }));
  }
  lines.push('', l10n.t('Left out: base URL, organization, and {field}.', { field: codeSpan('serviceSub') }));
  return `${lines.join('\n')}\n`;
}

interface CauseRow {
  readonly state: State;
  readonly deployments: ReadonlySet<Deployment>;
  /** In parts that a dot separates. Plain text, of the platform too. */
  readonly wrong: readonly string[];
  /** The next step, or until when it is muted. */
  readonly last: string;
  readonly owner?: string | undefined;
}

interface CauseRowsOptions {
  readonly nextStep?: (failure: Failure) => string;
  readonly ownerOf?: OwnerOf;
  readonly memory?: Mutes;
}

/** What is wrong in some deployments, one row a cause: an account that failed is one whatever it stops. */
export class CauseRows {
  private readonly byKey = new Map<
    string,
    { row: Omit<CauseRow, 'deployments'>; order: number; in: Set<Deployment> }
  >();
  private readonly nextStep: (failure: Failure) => string;
  private readonly ownerOf: OwnerOf;
  private readonly memory: Mutes;

  constructor({ nextStep, ownerOf, memory }: CauseRowsOptions = {}) {
    this.nextStep = nextStep ?? ((failure) => failureWords(failure).next ?? '');
    this.ownerOf = ownerOf ?? (() => undefined);
    this.memory = memory ?? nothingRemembered;
  }

  add(deployment: Deployment): void {
    const { answer, failure } = deployment;
    if (failure) {
      const name = wordWithStatus(failure.failure);
      const last = this.nextStep(failure.failure);
      const key = JSON.stringify([name, last]);
      this.put(deployment, key, failure.at, () => ({ state: 'unknown', wrong: [name], last }));
    }
    if (!answer || isUnreadable(deployment)) return;
    this.addProblems(deployment, answer, countedProblems(answer.findings, this.memory), adviceWord);
    if (deployment.state === 'unknown') this.addUnknown(deployment, answer);
  }

  addMuted(deployment: Deployment): void {
    const { answer } = deployment;
    if (!answer || isUnreadable(deployment)) return;
    const muted = mutedProblems(answer.findings, this.memory);
    this.addProblems(deployment, answer, muted, (problem) => utcTime(this.memory.mutedUntil(problem) ?? 0));
  }

  addUnknown(deployment: Deployment, answer: LastAnswer): void {
    const unreadable = unreadableWord(answer.decodeIssues.length);
    const all = [
      ...answer.findings.unknown.map((one) => [stateWord('unknown'), findingLabel(one)]),
      ...(unreadable ? [[unreadable]] : []),
    ];
    for (const wrong of all) {
      this.put(deployment, JSON.stringify(wrong), answer.sequence, () => ({ state: 'unknown', wrong, last: '' }));
    }
  }

  get rows(): readonly CauseRow[] {
    const all = Array.from(this.byKey.values(), ({ row, in: deployments }) => ({ ...row, deployments }));
    return all.toSorted((a, b) => severity(a.state) - severity(b.state));
  }

  private addProblems(
    deployment: Deployment,
    answer: LastAnswer,
    problems: readonly Problem[],
    last: (one: Problem) => string,
  ) {
    for (const problem of problems) {
      const state = problem.kind === 'failedAccount' ? 'failed' : 'notSatisfied';
      const owner = this.ownerOf(ownedBy(problem, deployment.id));
      const row = () =>
        ({ state, wrong: problemWords(problem), last: last(problem), owner: ownerWord(owner) }) as const;
      const key = rowKey(problem, this.memory.mutedUntil(problem), owner);
      this.put(deployment, key, answer.sequence, row);
    }
  }

  /** The words are those of the newest answer or failure. `order`: higher is newer. */
  private put(deployment: Deployment, key: string, order: number, make: () => Omit<CauseRow, 'deployments'>): void {
    const known = this.byKey.get(key);
    if (!known) {
      this.byKey.set(key, { row: make(), order, in: new Set([deployment]) });
      return;
    }
    known.in.add(deployment);
    if (order > known.order) Object.assign(known, { row: make(), order });
  }
}

function problemWords(problem: Problem): readonly string[] {
  const word = problemWord(problem);
  if (problem.kind === 'unsatisfiedRequirement') return [word, requirementLabel(problem.finding)];
  const { code } = problem.finding.account.error ?? {};
  return code ? [word, shorten(code)] : [word];
}

/** Requirements are each deployment's own, so those that lack the same share a row. */
function rowKey(problem: Problem, mutedUntil: number | undefined, owner: string | undefined): string {
  if (problem.kind === 'failedAccount') return problem.key;
  const { name, requirement, missingScopes, boundId } = problem.finding;
  const { serviceId, eligibleAccountIds } = requirement;
  const lacks = missingScopes.length > 0 ? missingScopes : (boundId ?? eligibleAccountIds);
  return JSON.stringify([name, serviceId, lacks, mutedUntil, owner]);
}

interface Limit {
  readonly lines: number;
  readonly chars: number;
}

export function causeTable(rows: readonly CauseRow[], limit: Limit, redact = unchanged): readonly string[] {
  const columns = [l10n.t('What is wrong'), l10n.t('Deployments'), l10n.t('Next step')];
  return table({ columns, rows, limit, lastCell: inertProse, redact });
}

function mutedTable(rows: readonly CauseRow[], redact: Redact): readonly string[] {
  const columns = [l10n.t('What is muted'), l10n.t('Deployments'), l10n.t('Muted until')];
  return table({ columns, rows, limit: maxMuted, lastCell: unchanged, redact });
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly CauseRow[];
  readonly limit: Limit;
  /** Writes what the last column says of a row. */
  readonly lastCell: (text: string) => string;
  readonly redact: Redact;
}

function table({ columns, rows, limit, lastCell, redact }: Table): readonly string[] {
  if (rows.length === 0) return [];
  const written = rows.slice(0, limit.lines).map(({ wrong, last, owner, deployments }) => {
    const cell = [lastCell(redact(last)), ...(owner ? [inertProse(redact(owner))] : [])].join(' · ');
    const what = wrong.map((text) => inertProse(redact(text))).join(' · ');
    return tableRow([what, inertNames(Array.from(deployments)), cell]);
  });
  const kept = linesWithin(written, limit.chars);
  const rest = rows.length - kept.length;
  const count = numberText(rest);
  const more = plural(
    rest,
    l10n.t('{count} more row left out.', { count }),
    l10n.t('{count} more rows left out.', { count }),
  );
  return ['', tableRow(columns), tableRow(columns.map(() => '---')), ...kept, ...(rest > 0 ? ['', more] : [])];
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

/** "30 deployments: 7 failing, 2 unknown" */
function summary(deployments: readonly Deployment[]): string {
  const counts = countDeployments(deployments);
  const texts = { total: numberText(counts.total), counts: countsText(counts) };
  return plural(
    counts.total,
    l10n.t('{total} deployment: {counts}', texts),
    l10n.t('{total} deployments: {counts}', texts),
  );
}

/** "Read 2026-11-20 11:55 – 2026-11-20 12:00 UTC" */
function readTimes(deployments: readonly Deployment[]): readonly string[] {
  // The times have one form, so that their order is that of the texts.
  const times = deployments.flatMap(({ answer }) => (answer ? utcTime(answer.asOf).slice(0, 16) : [])).toSorted();
  if (times.length === 0) return [];
  const time = [...new Set([times[0], times.at(-1)])].join(' – ');
  return [l10n.t({ message: 'Read {time} UTC', args: { time }, comment: 'It was read at this time' })];
}

/** "17 healthy: Access review, Billing sync" */
function healthyNames(deployments: readonly Deployment[]): readonly string[] {
  const healthy = deployments.filter(({ state }) => state === 'satisfied');
  return nameLine(l10n.t('{count} healthy', { count: numberText(healthy.length) }), healthy, maxHealthyNames);
}

/** "2 not read yet: Lead intake, Order alerts" */
function unreadNames(deployments: readonly Deployment[]): readonly string[] {
  const unread = deployments.filter(({ state }) => state === 'notYetRead');
  return nameLine(l10n.t('{count} not read yet', { count: numberText(unread.length) }), unread, maxNames);
}

function nameLine(count: string, deployments: readonly Deployment[], max: number): readonly string[] {
  return deployments.length > 0 ? ['', `${count}: ${inertNames(deployments, max)}`] : [];
}

/** Plain words, so that a table wraps between them. */
function inertNames(deployments: readonly Deployment[], max = maxNames): string {
  const written = deployments.slice(0, max).map(inertName);
  const fitting = linesWithin(written, maxNamesChars).length;
  return listText(firstOf(deployments, fitting, inertName));
}

function inertName(deployment: Deployment): string {
  return inertProse(shortName(deployment));
}

/** Another character stands for a bar, because programs differ in how they read an escaped one in a code span. */
function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '｜')).join(' | ')} |`;
}

/** "`Billing sync` (`dep_7f3a91c2`)" */
function nameAndId({ id, label = id }: Deployment): string {
  const idSpan = codeSpan(id, maxHeadingChars);
  return label === id ? idSpan : `${codeSpan(label, maxHeadingChars)} (${idSpan})`;
}

interface FieldsOptions extends Required<ReportOptions> {
  readonly maxChars: number;
}

/**
 * What a chat tool would get of the deployment, as a folded block of JSON; nothing if it was not
 * read. No line of JSON can end the block, since none begins with a backtick.
 */
function foldedFields(deployment: Deployment, options: FieldsOptions): readonly string[] {
  const { id, answer, failure } = deployment;
  const { memory, ownerOf, maxChars, redact } = options;
  if (!answer) return [];
  const stale = failure && { error: wordWithStatus(failure.failure) };
  const fields = authorizationResult(id, answer, { stale, memory, ownerOf, leavesOutServiceSub: true });
  const json = dataText(fields, { maxChars, redact, indent: 2 });
  return ['', '<details>', `<summary>${l10n.t('Fields')}</summary>`, '', '```json', json, '```', '', '</details>'];
}

/** "2026-11-20 12:00:00 UTC" */
function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

import { l10n } from 'vscode';
import * as documented from '../../api/authorization.js';
import { unknownFields } from '../../api/decode.js';
import type { Failure } from '../../api/failure.js';
import { countDeployments, type Deployment, isFailing, isUnreadable, type LastAnswer } from '../../model/deployment.js';
import { codeSpan, inertProse, shorten, shortenMiddle } from '../../model/inertText.js';
import { type State, severity } from '../../model/order.js';
import { type OwnerOf, ownedBy } from '../../model/owners.js';
import type {
  AccountFinding,
  ConnectionFinding,
  Problem,
  RequirementFinding,
  ScopeFinding,
} from '../../model/problems/findings.js';
import { parseDateTime } from '../../model/time.js';
import { countsText, unreadableWord } from './deployment.js';
import { failureWords, wordWithStatus } from './failure.js';
import { firstOf, listText, numberText, plural } from './format.js';
import { adviceWord, ownerWord, problemWord, requirementLabel } from './problem.js';
import { scopeMarks, scopeStateWord, stateWord } from './states.js';

/** What GitHub takes of an issue is 65,536 characters. */
const maxChars = 65_000;
const maxLines = 200;
const maxTable = { lines: 60, chars: 22_000 };
const maxMuted = { lines: 20, chars: 8_000 };
const maxNames = 10;
const maxHealthyNames = 100;
/** Kept for what stands around and after the details. */
const endOfReport = { lines: 12, chars: 1_000 };

export function deploymentsReport(deployments: readonly Deployment[], ownerOf?: OwnerOf): string {
  const causes = new CauseRows(undefined, ownerOf);
  const mutes = new CauseRows();
  for (const deployment of deployments) {
    causes.add(deployment);
    mutes.addMuted(deployment);
  }
  const [first] = deployments;
  const only = deployments.length === 1 ? first : undefined;
  const names = (which: State) =>
    only ? [] : deployments.filter(({ state }) => state === which).map(({ name }) => name);
  const [healthy, notYetRead] = [names('satisfied'), names('notYetRead')];
  const mutedColumns = [l10n.t('What is muted'), l10n.t('Deployments'), l10n.t('Muted until')];
  const head = [
    `# ${[only ? nameAndId(only) : summary(deployments), ...readTimes(deployments)].join(' · ')}`,
    ...causeTable(causes.rows, maxTable),
    ...table(mutedColumns, mutes.rows, maxMuted, (time) => time),
    ...nameLine(l10n.t('{count} healthy', { count: numberText(healthy.length) }), healthy, maxHealthyNames),
    ...nameLine(l10n.t('{count} not read yet', { count: numberText(notYetRead.length) }), notYetRead),
  ];
  const detailed = only ? [only] : deployments.filter(isFailing);
  const details: string[] = [];
  const room = {
    lines: maxLines - head.length - endOfReport.lines,
    chars: maxChars - head.join('\n').length - endOfReport.chars,
  };
  let incomplete = 0;
  for (const [at, deployment] of detailed.entries()) {
    const all = [...details, ...section(deployment, only !== undefined)];
    const { kept, rest } = within(all, room);
    details.splice(0, Infinity, ...kept);
    if (rest > 0) incomplete = detailed.length - at;
    if (rest > 0) break;
  }
  const isFolded = only === undefined && detailed.length > 0;
  const lines = [
    ...head,
    ...(isFolded ? ['', '<details>', `<summary>${l10n.t('Details of the failing deployments')}</summary>`] : []),
    ...details,
    ...(isFolded ? ['', '</details>'] : []),
    ...(incomplete > 0 ? ['', incompleteText(incomplete)] : []),
    '',
    l10n.t('Left out: base URL, organization, and {field}.', { field: codeSpan('serviceSub') }),
  ];
  return `${lines.join('\n')}\n`;
}

interface CauseRow {
  readonly state: State;
  readonly deployments: ReadonlySet<Deployment>;
  /** In parts that a dot separates. Plain text, of the service too. */
  readonly wrong: readonly string[];
  /** The next step, or until when it is muted. */
  readonly last: string;
  readonly owner?: string | undefined;
}

/** What is wrong in some deployments, one row a cause: an account that failed is one whatever it stops. */
export class CauseRows {
  private readonly byKey = new Map<
    string,
    { row: Omit<CauseRow, 'deployments'>; readAt: number; in: Set<Deployment> }
  >();

  constructor(
    private readonly nextStep = (failure: Failure) => failureWords(failure).next ?? '',
    private readonly ownerOf: OwnerOf = () => undefined,
  ) {}

  add(deployment: Deployment): void {
    const { answer, failure } = deployment;
    if (failure) {
      const name = wordWithStatus(failure.failure);
      const last = this.nextStep(failure.failure);
      this.put(deployment, name, failure.at, () => ({ state: 'unknown', wrong: [name], last }));
    }
    if (!answer || isUnreadable(deployment)) return;
    this.addProblems(deployment, answer, answer.findings.problems, adviceWord);
    if (deployment.state === 'unknown') this.addUnknown(deployment, answer);
  }

  addMuted(deployment: Deployment): void {
    const { answer } = deployment;
    if (!answer || isUnreadable(deployment)) return;
    this.addProblems(deployment, answer, answer.findings.muted, ({ mutedUntil = 0 }) => utcTime(mutedUntil));
  }

  addUnknown(deployment: Deployment, answer: LastAnswer): void {
    const unknown = answer.findings.requirements.filter(({ said }) => said === 'unknown');
    const unreadable = unreadableWord(answer.decodeIssues.length);
    const all = [
      ...unknown.map((one) => [stateWord('unknown'), requirementLabel(one)]),
      ...(unreadable ? [[unreadable]] : []),
    ];
    for (const wrong of all) {
      this.put(deployment, JSON.stringify(wrong), answer.receivedAt, () => ({ state: 'unknown', wrong, last: '' }));
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
      this.put(deployment, rowKey(problem, owner), answer.receivedAt, row);
    }
  }

  /** The words are those of the newest answer. */
  private put(deployment: Deployment, key: string, readAt: number, make: () => Omit<CauseRow, 'deployments'>): void {
    const known = this.byKey.get(key);
    if (!known) this.byKey.set(key, { row: make(), readAt, in: new Set([deployment]) });
    else {
      known.in.add(deployment);
      if (readAt > known.readAt) Object.assign(known, { row: make(), readAt });
    }
  }
}

function problemWords(problem: Problem): readonly string[] {
  const word = problemWord(problem);
  if (problem.kind === 'unsatisfiedRequirement') return [word, requirementLabel(problem.finding)];
  const { code } = problem.finding.account.error ?? {};
  return code ? [word, shorten(code)] : [word];
}

/** Requirements are each deployment's own, so those that lack the same share a row. */
function rowKey(problem: Problem, owner: string | undefined): string {
  if (problem.kind === 'failedAccount') return problem.key;
  const { name, requirement, missingScopes, boundId } = problem.finding;
  const { serviceId, eligibleAccountIds } = requirement;
  const lacks = missingScopes.length > 0 ? missingScopes : (boundId ?? eligibleAccountIds);
  return JSON.stringify([name, serviceId, lacks, problem.mutedUntil, owner]);
}

interface Limit {
  readonly lines: number;
  readonly chars: number;
}

export function causeTable(rows: readonly CauseRow[], limit: Limit): readonly string[] {
  return table([l10n.t('What is wrong'), l10n.t('Deployments'), l10n.t('Next step')], rows, limit);
}

function table(
  columns: readonly string[],
  rows: readonly CauseRow[],
  limit: Limit,
  lastCell = inertProse,
): readonly string[] {
  if (rows.length === 0) return [];
  const written = rows.slice(0, limit.lines).map(({ wrong, last, owner, deployments }) => {
    const cell = [lastCell(last), ...(owner ? [inertProse(owner)] : [])].join(' · ');
    const names = Array.from(deployments, ({ name }) => name);
    return tableRow([wrong.map(inertProse).join(' · '), inertNames(names), cell]);
  });
  const { kept } = within(written, limit);
  const rest = rows.length - kept.length;
  const count = numberText(rest);
  const more = plural(
    rest,
    l10n.t('{count} more row left out.', { count }),
    l10n.t('{count} more rows left out.', { count }),
  );
  return ['', tableRow(columns), tableRow(columns.map(() => '---')), ...kept, ...(rest > 0 ? ['', more] : [])];
}

function within(lines: readonly string[], limit: Limit): { readonly kept: readonly string[]; readonly rest: number } {
  let chars = 0;
  const end = lines.findIndex((line, at) => at >= limit.lines || (chars += line.length + 1) > limit.chars);
  const kept = end === -1 ? lines : lines.slice(0, end);
  return { kept, rest: lines.length - kept.length };
}

function summary(deployments: readonly Deployment[]): string {
  const counts = countDeployments(deployments);
  const texts = { total: numberText(counts.total), counts: countsText(counts) };
  return plural(
    counts.total,
    l10n.t('{total} deployment: {counts}', texts),
    l10n.t('{total} deployments: {counts}', texts),
  );
}

function readTimes(deployments: readonly Deployment[]): readonly string[] {
  // The times have one form, so that their order is that of the texts.
  const times = deployments.flatMap(({ answer }) => (answer ? utcTime(answer.receivedAt).slice(0, 16) : [])).toSorted();
  if (times.length === 0) return [];
  const time = [...new Set([times[0], times.at(-1)])].join(' – ');
  return [l10n.t({ message: 'Read {time} UTC', args: { time }, comment: 'It was read at this time' })];
}

function nameLine(count: string, names: readonly string[], max?: number): readonly string[] {
  return names.length > 0 ? ['', `${count}: ${inertNames(names, max)}`] : [];
}

/** Plain words, so that a table wraps between them. */
function inertNames(names: readonly string[], max = maxNames): string {
  return listText(firstOf(names, max, (name) => inertProse(shortenMiddle(name, 60))));
}

function incompleteText(deployments: number): string {
  const count = numberText(deployments);
  return plural(
    deployments,
    l10n.t('Details of {count} deployment are incomplete or left out, because the report would be too long.', {
      count,
    }),
    l10n.t('Details of {count} deployments are incomplete or left out, because the report would be too long.', {
      count,
    }),
  );
}

/** Another character stands for a bar, because programs differ in how they read an escaped one in a code span. */
function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '｜')).join(' | ')} |`;
}

function nameAndId({ id, name }: Deployment): string {
  return name === id
    ? codeSpan(id, maxValueChars)
    : `${codeSpan(name, maxValueChars)} (${codeSpan(id, maxValueChars)})`;
}

function section(deployment: Deployment, isOnly: boolean): readonly string[] {
  const { answer, failure } = deployment;
  const lines = isOnly ? [] : ['', `## ${nameAndId(deployment)}`];
  if (failure !== undefined) {
    const said = { failure: wordWithStatus(failure.failure), time: utcTime(failure.at) };
    const stale = l10n.t('Stale: {failure} on {time}.', said);
    lines.push('', answer === undefined ? l10n.t('Unknown: {failure} on {time}.', said) : stale);
  }
  if (answer === undefined) return failure === undefined ? [...lines, '', stateWord('notYetRead')] : lines;
  const { findings, value, receivedAt } = answer;
  const unreadable = unreadableWord(answer.decodeIssues.length);
  lines.push('', l10n.t({ message: 'Read on {time}.', args: { time: utcTime(receivedAt) }, comment: 'It was read' }));
  if (unreadable) lines.push('', unreadable);
  const requirements = findings.requirements.filter(({ cause }) => isOnly || cause).flatMap(requirementLines);
  const accounts = findings.accounts.filter(({ problem }) => isOnly || problem).flatMap(accountLines);
  const others = otherFields(unknownFields(value, documented.deploymentAuthorizationFields)).map((text) => `- ${text}`);
  if (!isOnly) return [...lines, '', ...accounts, ...requirements, ...others];
  const none = [noneWord()];
  lines.push('', `## ${l10n.t('Requirements')}`, '', ...(requirements.length > 0 ? requirements : none));
  lines.push('', `## ${l10n.t('Accounts')}`, '', ...(accounts.length > 0 ? accounts : none));
  return others.length === 0 ? lines : [...lines, '', ...others];
}

/** One line a finding and one a connection method, so that many fit into an issue. */
function requirementLines(finding: RequirementFinding): readonly string[] {
  const { serviceId, binding, accountId, eligibleAccountIds } = finding.requirement;
  const bound = finding.bound && codeSpan(finding.bound.name, maxValueChars);
  const fields = [
    `**${stateWord(finding.said)}**${finding.name && `: ${codeSpan(finding.name, maxValueChars)}`}`,
    ...field('serviceId', serviceId),
    ...(binding === finding.name ? [] : field('binding', binding)),
    ...field('accountId', accountId, finding.boundAbsent ? l10n.t('not among the accounts') : bound),
    ...listField('eligibleAccountIds', eligibleAccountIds),
    ...since(finding.problem),
    ...otherFields(unknownFields(finding.requirement, documented.requirementFields)),
  ];
  return [`- ${fields.join(' · ')}`, ...finding.connections.map(connectionLine)];
}

function connectionLine({ connection, own, scopes }: ConnectionFinding): string {
  const method = codeSpan(connection.connectionMethodId ?? '', maxValueChars);
  const fields = [
    `connectionMethodId: ${method}${own ? ` (${l10n.t('method of the bound account')})` : ''}`,
    ...firstOf(scopes, maxListed, scopeText),
    ...otherFields(unknownFields(connection, documented.connectionFields)),
  ];
  return `  - ${fields.join(' · ')}`;
}

function noneWord(): string {
  return l10n.t({ message: 'none', comment: 'Accounts or scopes' });
}

function accountLines(finding: AccountFinding): readonly string[] {
  const { id, label, serviceId, connectionMethodId, scopes, checkedAt, error } = finding.account;
  const checked = parseDateTime(checkedAt);
  const fields = [
    `${finding.problem ? `**${stateWord('failed')}**: ` : ''}${codeSpan(finding.name, maxValueChars)}`,
    ...field('id', id),
    ...(label === finding.name ? [] : field('label', label)),
    ...field('serviceId', serviceId),
    ...field('connectionMethodId', connectionMethodId),
    ...listField('scopes', scopes),
    ...field('checkedAt', checked === undefined ? checkedAt : utcTime(checked)),
    ...field('error.code', error?.code),
    ...field('error.message', error?.message),
    ...since(finding.problem),
    ...otherFields([
      ...unknownFields(finding.account, documented.accountFields),
      ...(error ? unknownFields(error, documented.accountErrorFields).map((name) => `error.${name}`) : []),
    ]),
  ];
  return [`- ${fields.join(' · ')}`];
}

const maxValueChars = 200;
const maxListed = 20;

function field(name: string, value: string | undefined, remark = ''): readonly string[] {
  return value === undefined
    ? []
    : [`${name}: ${codeSpan(value, maxValueChars)}${remark === '' ? '' : ` (${remark})`}`];
}

function scopeText(finding: ScopeFinding): string {
  return `${codeSpan(finding.scope, maxValueChars)}: ${[scopeStateWord(finding.state), ...scopeMarks(finding)].join(', ')}`;
}

/** An empty list says "none", an absent one nothing, because it was not sent. */
function listField(name: string, values: readonly string[] | undefined): readonly string[] {
  if (values === undefined) return [];
  const shown = firstOf(values, maxListed, (value) => codeSpan(value, maxValueChars));
  return [`${name}: ${values.length === 0 ? noneWord() : shown.join(', ')}`];
}

function since(problem: Problem | undefined): readonly string[] {
  return problem === undefined ? [] : [l10n.t('seen since {time}', { time: utcTime(problem.seenSince) })];
}

function otherFields(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = firstOf(names, maxListed, (name) => codeSpan(name, 100));
  return [`${l10n.t('Other fields, without their values:')} ${shown.join(', ')}`];
}

function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

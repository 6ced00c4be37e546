import * as documented from '../api/authorization.js';
import { leftOutCount, unknownFields } from '../api/decode.js';
import type { Failure } from '../api/failure.js';
import { type Counts, countDeployments, type Deployment, standing } from './deployment.js';
import { codeSpan, inertProse } from './inertText.js';
import type { State } from './order.js';
import type {
  AccountFinding,
  ConnectionFinding,
  Problem,
  RequirementFinding,
  ScopeState,
} from './problems/findings.js';
import { parseDateTime } from './time.js';

/** The report's words, localized by the host: Markdown of one line each. Times are in UTC, to the second. */
export interface ReportWording {
  /** Heading of a report on several. */
  readonly summary: (counts: Counts) => string;
  /** Headings of the table: deployment, what is wrong, next step. */
  readonly columns: readonly string[];
  /** Of the table of the muted ones: deployment, what is wrong, until when. */
  readonly mutedColumns: readonly string[];
  /** Plain text, in which the service may have had a part. */
  readonly problem: (problem: Problem) => string;
  readonly nextStep: (problem: Problem) => string;
  /** Stands for the deployments without a problem until somebody unfolds them. */
  readonly others: (count: number) => string;
  readonly requirements: string;
  readonly accounts: string;
  readonly none: string;
  readonly readAt: (time: string) => string;
  /** Must name neither a host nor what the service wrote. */
  readonly stale: (failure: Failure, time: string) => string;
  readonly unknown: (failure: Failure, time: string) => string;
  readonly unreadableFields: (count: number) => string;
  readonly state: (state: State) => string;
  readonly boundAccountAbsent: string;
  readonly scopeState: (state: ScopeState) => string;
  readonly required: string;
  readonly minimal: string;
  readonly ownConnection: string;
  readonly seenSince: (time: string) => string;
  /** Before the names of fields that docs/service.md does not know. */
  readonly otherFields: string;
  /** Last line: that base URL, organization and `serviceSub` are left out. */
  readonly leftOut: string;
}

/** Markdown of deployments, in the order given, for an issue or a chat. It comes in parts to join, because ten thousand take a second. */
export function* deploymentsReportParts(
  deployments: readonly Deployment[],
  wording: ReportWording,
): Generator<string, void, void> {
  const failing = deployments.filter((deployment) => standing(deployment) === 'failing');
  const others = deployments.filter((deployment) => standing(deployment) !== 'failing');
  const [first] = deployments;
  const only = deployments.length === 1 ? first : undefined;
  yield document(`# ${only ? title(only) : wording.summary(countDeployments(deployments))}`);
  yield* table(deployments, 'problems', wording, (problem) => inertProse(wording.nextStep(problem)));
  yield* table(deployments, 'muted', wording, (problem) => timeText(problem.mutedUntil!));
  for (const deployment of failing) yield document(...section(deployment, only === undefined, wording));
  const isFolded = others.length > 0 && only === undefined;
  if (isFolded) yield document('', '<details>', `<summary>${wording.others(others.length)}</summary>`);
  for (const deployment of others) yield document(...section(deployment, only === undefined, wording));
  if (isFolded) yield document('', '</details>');
  yield document('', wording.leftOut);
}

function document(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function* table(
  deployments: readonly Deployment[],
  which: 'problems' | 'muted',
  wording: ReportWording,
  lastCell: (problem: Problem) => string,
): Generator<string, void, void> {
  const rows = deployments.filter(({ answer }) => answer && answer.findings[which].length > 0);
  const columns = which === 'muted' ? wording.mutedColumns : wording.columns;
  if (rows.length > 0) yield document('', tableRow(columns), tableRow(columns.map(() => '---')));
  for (const { name, answer } of rows) {
    const problems = answer?.findings[which] ?? [];
    const cells = problems.map((one) => [codeSpan(name), inertProse(wording.problem(one)), lastCell(one)]);
    yield document(...cells.map(tableRow));
  }
}

/** Programs that show Markdown differ in how they read an escaped bar in a code span, so there is another character in its place. */
function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '｜')).join(' | ')} |`;
}

function title({ id, name }: Deployment): string {
  return name === id ? codeSpan(id) : `${codeSpan(name)} (${codeSpan(id)})`;
}

function section(deployment: Deployment, isTitled: boolean, wording: ReportWording): readonly string[] {
  const { answer, failure } = deployment;
  const lines = isTitled ? ['', `## ${title(deployment)}`] : [];
  if (failure !== undefined) {
    const say = answer === undefined ? wording.unknown : wording.stale;
    lines.push('', say(failure.failure, timeText(failure.at)));
  }
  if (answer === undefined) return failure === undefined ? [...lines, '', wording.state('notYetRead')] : lines;
  const { findings, authorization, receivedAt } = answer;
  const unreadable = leftOutCount(answer);
  lines.push('', wording.readAt(timeText(receivedAt)));
  if (unreadable > 0) lines.push('', wording.unreadableFields(unreadable));
  const requirements = findings.requirements.flatMap((finding) => requirementLines(finding, wording));
  const accounts = findings.accounts.flatMap((finding) => accountLines(finding, wording));
  const none = [wording.none];
  lines.push('', `### ${wording.requirements}`, '', ...(requirements.length > 0 ? requirements : none));
  lines.push('', `### ${wording.accounts}`, '', ...(accounts.length > 0 ? accounts : none));
  const others = otherNames('', wording, unknownFields(authorization, documented.deploymentAuthorizationFields));
  return others.length === 0 ? lines : [...lines, '', ...others];
}

function requirementLines(finding: RequirementFinding, wording: ReportWording): readonly string[] {
  const { serviceId, binding, accountId, eligibleAccountIds } = finding.requirement;
  const remark = finding.boundAbsent ? wording.boundAccountAbsent : finding.bound && codeSpan(finding.bound.name);
  return [
    `- **${wording.state(finding.state)}**${finding.name && `: ${codeSpan(finding.name)}`}`,
    ...field('serviceId', serviceId),
    ...field('binding', binding),
    ...field('accountId', accountId, remark),
    ...list('eligibleAccountIds', eligibleAccountIds, wording),
    ...finding.connections.flatMap((connection) => connectionLines(connection, wording)),
    ...since(finding.problem, wording),
    ...otherNames('  ', wording, unknownFields(finding.requirement, documented.requirementFields)),
  ];
}

function connectionLines({ connection, own, scopes }: ConnectionFinding, wording: ReportWording): readonly string[] {
  const method = codeSpan(connection.connectionMethodId ?? '');
  return [
    `  - connectionMethodId: ${method}${own ? ` (${wording.ownConnection})` : ''}`,
    ...scopes.map(({ scope, required, minimal, state }) => {
      const marks = [required ? wording.required : '', minimal ? wording.minimal : ''].filter((mark) => mark !== '');
      return `    - ${codeSpan(scope)}: ${[wording.scopeState(state), ...marks].join(', ')}`;
    }),
    ...otherNames('    ', wording, unknownFields(connection, documented.connectionFields)),
  ];
}

function accountLines(finding: AccountFinding, wording: ReportWording): readonly string[] {
  const { id, label, serviceId, connectionMethodId, scopes, checkedAt, error } = finding.account;
  const checked = parseDateTime(checkedAt);
  return [
    `- ${finding.problem ? `**${wording.state('failed')}**: ` : ''}${codeSpan(finding.name)}`,
    ...field('id', id),
    ...(label === finding.name ? [] : field('label', label)),
    ...field('serviceId', serviceId),
    ...field('connectionMethodId', connectionMethodId),
    ...list('scopes', scopes, wording),
    ...field('checkedAt', checked === undefined ? checkedAt : timeText(checked)),
    ...field('error.code', error?.code),
    ...field('error.message', error?.message),
    ...since(finding.problem, wording),
    ...otherNames('  ', wording, [
      ...unknownFields(finding.account, documented.accountFields),
      ...(error ? unknownFields(error, documented.accountErrorFields).map((name) => `error.${name}`) : []),
    ]),
  ];
}

function field(name: string, value: string | undefined, remark = ''): readonly string[] {
  return value === undefined ? [] : [`  - ${name}: ${codeSpan(value)}${remark === '' ? '' : ` (${remark})`}`];
}

/** An empty list says "none". An absent one says nothing, because it was not sent. */
function list(name: string, values: readonly string[] | undefined, wording: ReportWording): readonly string[] {
  if (values === undefined) return [];
  const text = values.length === 0 ? wording.none : values.map((value) => codeSpan(value)).join(', ');
  return [`  - ${name}: ${text}`];
}

function since(problem: Problem | undefined, wording: ReportWording): readonly string[] {
  return problem === undefined ? [] : [`  - ${wording.seenSince(timeText(problem.seenSince))}`];
}

/** Only the names of fields that docs/service.md does not know. */
function otherNames(indent: string, wording: ReportWording, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`${indent}- ${wording.otherFields} ${names.map((name) => codeSpan(name, 100)).join(', ')}`];
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

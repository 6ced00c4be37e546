import { leftOutCount } from '../api/decode.js';
import type { Failure } from '../api/failure.js';
import { type ObjectKind, unknownFields } from '../api/unknownFields.js';
import { countDeployments, type Deployment } from './deployment.js';
import type { AccountFinding, ConnectionFinding, Problem, RequirementFinding, ScopeState } from './findings.js';
import { codeSpan } from './inertText.js';

/** What a report may say of a failed read: no host, no text of the service, nothing that names the organization. */
export interface ReportedFailure {
  readonly kind: Failure['kind'];
  readonly status?: number;
}

/** The report's sentences, localized by the host. Trusted Markdown of one line each, without a trailing newline. */
export interface ReportWording {
  /** First line: that base URL, organization and `serviceSub` are left out. */
  readonly leftOut: string;
  /** Heading of a report on all. */
  readonly summary: (total: number, withProblems: number, unknown: number) => string;
  readonly requirements: string;
  readonly accounts: string;
  readonly none: string;
  readonly notYetRead: string;
  /** `at`: ISO date-time in UTC. */
  readonly readAt: (at: string) => string;
  readonly stale: (failure: ReportedFailure, at: string) => string;
  readonly unknown: (failure: ReportedFailure, at: string) => string;
  readonly unreadableFields: (count: number) => string;
  readonly requirementState: (state: RequirementFinding['state']) => string;
  readonly accountState: (state: 'failed' | 'satisfied') => string;
  readonly boundAccountAbsent: string;
  readonly scopeState: (state: ScopeState) => string;
  readonly required: string;
  readonly minimal: string;
  readonly ownConnection: string;
  /** `at`: ISO date-time in UTC. */
  readonly seenSince: (at: string) => string;
  /** Before the names of fields that the reference does not know. */
  readonly otherFields: string;
}

/** Markdown of one deployment's authorization, for an issue or a chat. */
export function deploymentReport(deployment: Deployment, wording: ReportWording): string {
  return document(wording.leftOut, '', ...section(deployment, '#', wording));
}

/** The same of all, in the order given. It comes in parts to join, because ten thousand deployments take a second. */
export function* deploymentsReportParts(
  deployments: readonly Deployment[],
  wording: ReportWording,
): Generator<string, void, void> {
  const { total, withProblems, unknown } = countDeployments(deployments);
  yield document(wording.leftOut, '', `# ${wording.summary(total, withProblems, unknown)}`);
  for (const deployment of deployments) yield document('', ...section(deployment, '##', wording));
}

function document(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function section(deployment: Deployment, heading: string, wording: ReportWording): readonly string[] {
  const { id, name, answer, failure } = deployment;
  const title = name === id ? codeSpan(id) : `${codeSpan(name)} (${codeSpan(id)})`;
  const lines = [`${heading} ${title}`, ''];
  if (failure !== undefined) {
    const say = answer === undefined ? wording.unknown : wording.stale;
    lines.push(say(reported(failure.failure), iso(failure.at)), '');
  }
  if (answer === undefined) return failure === undefined ? [...lines, wording.notYetRead] : lines.slice(0, -1);
  const { findings, authorization, receivedAt } = answer;
  const unreadable = leftOutCount(answer);
  lines.push(wording.readAt(iso(receivedAt)), '');
  if (unreadable > 0) lines.push(wording.unreadableFields(unreadable), '');
  const requirements = findings.requirements.flatMap((finding) => requirementLines(finding, wording));
  const accounts = findings.accounts.flatMap((finding) => accountLines(finding, wording));
  lines.push(`${heading}# ${wording.requirements}`, '', ...orNone(requirements, wording), '');
  lines.push(`${heading}# ${wording.accounts}`, '', ...orNone(accounts, wording));
  const others = otherNames('', wording, unknownNames(authorization, 'deploymentAuthorization'));
  return others.length === 0 ? lines : [...lines, '', ...others];
}

function requirementLines(finding: RequirementFinding, wording: ReportWording): readonly string[] {
  const { serviceId, binding, accountId, eligibleAccountIds } = finding.requirement;
  const remark = finding.boundAbsent ? wording.boundAccountAbsent : finding.bound && codeSpan(finding.bound.name);
  return [
    `- **${wording.requirementState(finding.state)}**${afterColon(finding.name)}`,
    ...field('serviceId', serviceId),
    ...field('binding', binding),
    ...field('accountId', accountId, remark),
    ...list('eligibleAccountIds', eligibleAccountIds, wording),
    ...finding.connections.flatMap((connection) => connectionLines(connection, wording)),
    ...since(finding.problem, wording),
    ...otherNames('  ', wording, unknownNames(finding.requirement, 'requirement')),
  ];
}

function connectionLines({ connection, own, scopes }: ConnectionFinding, wording: ReportWording): readonly string[] {
  const method = codeSpan(connection.connectionMethodId ?? '');
  return [
    `  - connectionMethodId: ${method}${own ? ` (${wording.ownConnection})` : ''}`,
    ...scopes.map(({ scope, required, minimal, state }) => {
      const marks = [required ? wording.required : '', minimal ? wording.minimal : ''].filter((mark) => mark !== '');
      return `    - ${codeSpan(scope)}: ${[...marks, wording.scopeState(state)].join(', ')}`;
    }),
    ...otherNames('    ', wording, unknownNames(connection, 'connection')),
  ];
}

function accountLines(finding: AccountFinding, wording: ReportWording): readonly string[] {
  const { id, label, serviceId, connectionMethodId, scopes, checkedAt, error } = finding.account;
  return [
    `- **${wording.accountState(finding.state)}**${afterColon(finding.name)}`,
    ...field('id', id),
    ...(label === finding.name ? [] : field('label', label)),
    ...field('serviceId', serviceId),
    ...field('connectionMethodId', connectionMethodId),
    ...list('scopes', scopes, wording),
    ...field('checkedAt', checkedAt),
    ...field('error.code', error?.code),
    ...field('error.message', error?.message),
    ...since(finding.problem, wording),
    ...otherNames('  ', wording, [
      ...unknownNames(finding.account, 'account'),
      ...(error ? unknownNames(error, 'accountError').map((name) => `error.${name}`) : []),
    ]),
  ];
}

function afterColon(name: string): string {
  return name === '' ? '' : `: ${codeSpan(name)}`;
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
  return problem === undefined ? [] : [`  - ${wording.seenSince(iso(problem.seenSince))}`];
}

/** Only the names of fields that the API reference does not know. */
function otherNames(indent: string, wording: ReportWording, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`${indent}- ${wording.otherFields} ${names.map((name) => codeSpan(name, 100)).join(', ')}`];
}

function unknownNames(object: object, kind: ObjectKind): readonly string[] {
  return unknownFields(object, kind).map(({ name }) => name);
}

function orNone(lines: readonly string[], wording: ReportWording): readonly string[] {
  return lines.length === 0 ? [wording.none] : lines;
}

function reported(failure: Failure): ReportedFailure {
  const { kind } = failure;
  return 'status' in failure && failure.status !== undefined ? { kind, status: failure.status } : { kind };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

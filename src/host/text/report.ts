import { l10n } from 'vscode';
import * as documented from '../../api/authorization.js';
import { countDecodeIssues, unknownFields } from '../../api/decode.js';
import type { Failure } from '../../api/failure.js';
import { countDeployments, type Deployment, isFailing } from '../../model/deployment.js';
import { codeSpan, inertProse } from '../../model/inertText.js';
import type {
  AccountFinding,
  ConnectionFinding,
  Problem,
  RequirementFinding,
  ScopeState,
} from '../../model/problems/findings.js';
import { parseDateTime } from '../../model/time.js';
import { unreadableText } from './deployment.js';
import { failureWords } from './failure.js';
import { numberText, plural } from './format.js';
import { problemAdvice, problemMessage } from './problem.js';
import { stateWord } from './states.js';

/** Markdown of deployments, in the order given, with times in UTC. It comes in parts to join, because ten thousand take a second. */
export function* deploymentsReportParts(deployments: readonly Deployment[]): Generator<string, void, void> {
  const failing = deployments.filter(isFailing);
  const others = deployments.filter((deployment) => !isFailing(deployment));
  const [first] = deployments;
  const only = deployments.length === 1 ? first : undefined;
  yield document(`# ${only ? nameAndId(only) : summary(deployments)}`);
  yield* table(
    deployments,
    'problems',
    [l10n.t('Deployment'), l10n.t('What is wrong'), l10n.t('Next step')],
    (problem) => inertProse(problemAdvice(problem)),
  );
  yield* table(
    deployments,
    'muted',
    [l10n.t('Deployment'), l10n.t('What is muted'), l10n.t('Muted until')],
    (problem) => utcTime(problem.mutedUntil!),
  );
  for (const deployment of failing) yield document(...section(deployment, only === undefined));
  const isFolded = others.length > 0 && only === undefined;
  if (isFolded) yield document('', '<details>', `<summary>${foldedSummary(others.length)}</summary>`);
  for (const deployment of others) yield document(...section(deployment, only === undefined));
  if (isFolded) yield document('', '</details>');
  yield document('', l10n.t('Left out: base URL, organization and {field}.', { field: codeSpan('serviceSub') }));
}

function document(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function summary(deployments: readonly Deployment[]): string {
  const counts = countDeployments(deployments);
  const texts = {
    total: numberText(counts.total),
    failing: numberText(counts.failing),
    unknown: numberText(counts.unknown),
    muted: numberText(counts.muted),
  };
  return plural(
    counts.total,
    l10n.t('{total} deployment: {failing} failing, {unknown} unknown, {muted} muted', texts),
    l10n.t('{total} deployments: {failing} failing, {unknown} unknown, {muted} muted', texts),
  );
}

function foldedSummary(others: number): string {
  const count = numberText(others);
  return plural(
    others,
    l10n.t('{count} other deployment, healthy, muted or unknown', { count }),
    l10n.t('{count} other deployments, healthy, muted or unknown', { count }),
  );
}

function* table(
  deployments: readonly Deployment[],
  which: 'problems' | 'muted',
  columns: readonly string[],
  lastCell: (problem: Problem) => string,
): Generator<string, void, void> {
  const rows = deployments.filter(({ answer }) => answer && answer.findings[which].length > 0);
  if (rows.length > 0) yield document('', tableRow(columns), tableRow(columns.map(() => '---')));
  for (const { name, answer } of rows) {
    const problems = answer?.findings[which] ?? [];
    const cells = problems.map((one) => [codeSpan(name), inertProse(problemMessage(one)), lastCell(one)]);
    yield document(...cells.map(tableRow));
  }
}

/** Another character stands for a bar, because programs differ in how they read an escaped one in a code span. */
function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '｜')).join(' | ')} |`;
}

function nameAndId({ id, name }: Deployment): string {
  return name === id ? codeSpan(id) : `${codeSpan(name)} (${codeSpan(id)})`;
}

function section(deployment: Deployment, isTitled: boolean): readonly string[] {
  const { answer, failure } = deployment;
  const lines = isTitled ? ['', `## ${nameAndId(deployment)}`] : [];
  if (failure !== undefined) {
    const said = { failure: failureWithStatus(failure.failure), time: utcTime(failure.at) };
    const stale = l10n.t('Stale: {failure} on {time}.', said);
    lines.push('', answer === undefined ? l10n.t('Unknown: {failure} on {time}.', said) : stale);
  }
  if (answer === undefined) return failure === undefined ? [...lines, '', stateWord('notYetRead')] : lines;
  const { findings, authorization, receivedAt } = answer;
  const unreadable = countDecodeIssues(answer);
  lines.push('', l10n.t('Read on {time}.', { time: utcTime(receivedAt) }));
  if (unreadable > 0) lines.push('', unreadableText(unreadable));
  const requirements = findings.requirements.flatMap(requirementLines);
  const accounts = findings.accounts.flatMap(accountLines);
  const none = [l10n.t('none')];
  lines.push('', `### ${l10n.t('Requirements')}`, '', ...(requirements.length > 0 ? requirements : none));
  lines.push('', `### ${l10n.t('Accounts')}`, '', ...(accounts.length > 0 ? accounts : none));
  const others = otherNames('', unknownFields(authorization, documented.deploymentAuthorizationFields));
  return others.length === 0 ? lines : [...lines, '', ...others];
}

/** The name and the status only: no host, and no text of the service. */
function failureWithStatus(failure: Failure): string {
  const { word } = failureWords(failure);
  return 'status' in failure ? `${word} (${failure.status})` : word;
}

function requirementLines(finding: RequirementFinding): readonly string[] {
  const { serviceId, binding, accountId, eligibleAccountIds } = finding.requirement;
  const bound = finding.bound && codeSpan(finding.bound.name);
  return [
    `- **${stateWord(finding.said)}**${finding.name && `: ${codeSpan(finding.name)}`}`,
    ...fieldLine('serviceId', serviceId),
    ...fieldLine('binding', binding),
    ...fieldLine('accountId', accountId, finding.boundAbsent ? l10n.t('not among the accounts') : bound),
    ...listLine('eligibleAccountIds', eligibleAccountIds),
    ...finding.connections.flatMap(connectionLines),
    ...since(finding.problem),
    ...otherNames('  ', unknownFields(finding.requirement, documented.requirementFields)),
  ];
}

function connectionLines({ connection, own, scopes }: ConnectionFinding): readonly string[] {
  const method = codeSpan(connection.connectionMethodId ?? '');
  return [
    `  - connectionMethodId: ${method}${own ? ` (${l10n.t('method of the bound account')})` : ''}`,
    ...scopes.map(({ scope, required, minimal, state }) => {
      const marks = [required ? l10n.t('required') : '', minimal ? l10n.t('minimal') : ''].filter(
        (mark) => mark !== '',
      );
      return `    - ${codeSpan(scope)}: ${[scopeWord(state), ...marks].join(', ')}`;
    }),
    ...otherNames('    ', unknownFields(connection, documented.connectionFields)),
  ];
}

function scopeWord(state: ScopeState): string {
  return { granted: l10n.t('granted'), missing: l10n.t('missing'), unknown: stateWord('unknown') }[state];
}

function accountLines(finding: AccountFinding): readonly string[] {
  const { id, label, serviceId, connectionMethodId, scopes, checkedAt, error } = finding.account;
  const checked = parseDateTime(checkedAt);
  return [
    `- ${finding.problem ? `**${stateWord('failed')}**: ` : ''}${codeSpan(finding.name)}`,
    ...fieldLine('id', id),
    ...(label === finding.name ? [] : fieldLine('label', label)),
    ...fieldLine('serviceId', serviceId),
    ...fieldLine('connectionMethodId', connectionMethodId),
    ...listLine('scopes', scopes),
    ...fieldLine('checkedAt', checked === undefined ? checkedAt : utcTime(checked)),
    ...fieldLine('error.code', error?.code),
    ...fieldLine('error.message', error?.message),
    ...since(finding.problem),
    ...otherNames('  ', [
      ...unknownFields(finding.account, documented.accountFields),
      ...(error ? unknownFields(error, documented.accountErrorFields).map((name) => `error.${name}`) : []),
    ]),
  ];
}

function fieldLine(name: string, value: string | undefined, remark = ''): readonly string[] {
  return value === undefined ? [] : [`  - ${name}: ${codeSpan(value)}${remark === '' ? '' : ` (${remark})`}`];
}

/** An empty list says "none", an absent one nothing, because it was not sent. */
function listLine(name: string, values: readonly string[] | undefined): readonly string[] {
  if (values === undefined) return [];
  const text = values.length === 0 ? l10n.t('none') : values.map((value) => codeSpan(value)).join(', ');
  return [`  - ${name}: ${text}`];
}

function since(problem: Problem | undefined): readonly string[] {
  return problem === undefined ? [] : [`  - ${l10n.t('seen since {time}', { time: utcTime(problem.seenSince) })}`];
}

/** Fields that docs/service.md does not know, without their values. */
function otherNames(indent: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const spans = names.map((name) => codeSpan(name, 100)).join(', ');
  return [`${indent}- ${l10n.t('Other fields, without their values:')} ${spans}`];
}

function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

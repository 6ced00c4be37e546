import * as vscode from 'vscode';
import type { Account } from '../../api/authorization.js';
import { stateIcon } from '../../host/icons.js';
import type { Organization } from '../../host/organizations/organization.js';
import { activityWord, failedAccountId, inDeploymentsText } from '../../host/text/deployment.js';
import { absoluteTime, heading, parts, relativeTime, sentences } from '../../host/text/format.js';
import { organizationName } from '../../host/text/organization.js';
import {
  accountLabel,
  accountWithService,
  mutedText,
  nameList,
  noteMessage,
  problemAdvice,
  problemMessage,
  requirementLabel,
} from '../../host/text/problem.js';
import { stateWord } from '../../host/text/states.js';
import type { Deployment } from '../../model/deployment.js';
import { shorten } from '../../model/inertText.js';
import type { State } from '../../model/order.js';
import type { Problem, RequirementFinding } from '../../model/problems/findings.js';
import type { Impact } from '../../model/problems/impact.js';
import type { KnownAccount, ReferenceTarget } from '../../model/references/targets.js';
import { parseDateTime } from '../../model/time.js';
import { commandLink, escaped, lines, list, markdown, maxLines, title } from '../markdown.js';
import { seenText } from '../tree/rows/advice.js';
import { failureText, unreadableLines } from '../tree/rows/failure.js';
import { fixes } from './quickFixes.js';

interface HoverContext {
  readonly organization: Organization | undefined;
  readonly now: number;
  /** Whether VS Code shows the problem itself, above the hover. */
  readonly isVisible: (problem: Problem) => boolean;
  readonly hasDashboard: boolean;
  readonly impact: Pick<Impact, 'count'>;
}

/**
 * What is known of an id where it stands in a text, and first what helps against its problems. What is wrong is said only of those
 * that VS Code does not show itself. Made when asked for, so that its ages are true.
 */
export function referenceHover({ deployment, account }: ReferenceTarget, context: HoverContext): vscode.MarkdownString {
  const { now, isVisible, hasDashboard, impact } = context;
  const own = account?.finding.problem;
  const problems = [...new Set([...(deployment?.answer?.findings.all ?? []), ...(own ? [own] : [])])];
  const shown = problems.slice(0, maxLines);
  const visible = new Set(shown.filter(isVisible));
  // A diagnostic says itself when its answer was read.
  const age = (one: Deployment) => (visible.size === 0 ? ageText(one, now) : undefined);
  const items = shown.map((problem) => {
    const help = helpText(problem, problem === own ? account?.deployment : deployment, now);
    if (visible.has(problem)) return `$(lightbulb) ${escaped(help)}`;
    const shared = inDeploymentsText(impact.count(failedAccountId(problem)));
    return marked(problem.finding.state, sentences(problemMessage(problem), shared), mutedText(problem), help);
  });
  const hover = markdown(
    list(items, problems.length),
    ...(deployment ? deploymentParagraphs(deployment, context, age(deployment)) : []),
    ...(account ? accountParagraphs(account, context, age(account.deployment)) : []),
  );
  // Only our own text makes icons and links: that of the service and of settings is inert.
  hover.supportThemeIcons = true;
  hover.isTrusted = { enabledCommands: fixes(hasDashboard).flatMap(({ icon, command }) => (icon ? command : [])) };
  return hover;
}

function marked(state: State, ...content: readonly (string | undefined)[]): string {
  return `$(${stateIcon(state).id}) ${lines(...content.map(escaped))}`;
}

function helpText(problem: Problem, deployment: Deployment | undefined, now: number): string {
  const checked = problem.kind === 'failedAccount' ? checkedText(problem.finding.account, now) : undefined;
  return sentences(problemAdvice(problem), seenText(problem, deployment, now), checked);
}

/** "Read 2 minutes ago (Nov 20, 2026, 9:14:03 AM)." */
function ageText({ answer, failure }: Deployment, now: number): string | undefined {
  if (!answer) return undefined;
  const times = { relative: relativeTime(answer.receivedAt, now), absolute: absoluteTime(answer.receivedAt) };
  // The sentence about the failure says when it was tried again.
  if (failure && now - answer.receivedAt < 60_000) return vscode.l10n.t('Stale.');
  return failure
    ? vscode.l10n.t('Stale: last read {relative} ({absolute}).', times)
    : vscode.l10n.t('Read {relative} ({absolute}).', times);
}

/** When the service last checked the account, by its own word. */
function checkedText({ checkedAt }: Account, now: number): string | undefined {
  const at = parseDateTime(checkedAt);
  if (at === undefined) return checkedAt && vscode.l10n.t('Checked: {time}.', { time: shorten(checkedAt) });
  const times = { relative: relativeTime(at, now), absolute: absoluteTime(at) };
  return vscode.l10n.t('Checked {relative} ({absolute}).', times);
}

function deploymentParagraphs(deployment: Deployment, { organization, hasDashboard }: HoverContext, age?: string) {
  const { answer, failure, name, id, state } = deployment;
  const { all = [], requirements = [], accounts = [] } = answer?.findings ?? {};
  const well = accounts.filter(({ problem }) => !problem).map(({ account }) => accountWithService(account));
  const activity = activityWord(deployment);
  return [
    title(name, parts(name === id ? undefined : id, organization && organizationName(organization))),
    lines(
      // What is wrong stands above.
      all.length > 0 && state !== 'unknown'
        ? escaped(activity)
        : marked(state, heading(parts(stateWord(state), activity))),
      escaped(age),
      linksTo(id, hasDashboard),
    ),
    failure && escaped(failureText(failure.failure, failure.at, organization)),
    list([
      ...requirementItems(requirements.filter(({ problem }) => !problem)),
      ...namesItem('satisfied', well, (names) => vscode.l10n.t('No error: {names}.', { names })),
    ]),
    answer && unreadableLines(answer),
  ];
}

function accountParagraphs({ deployment, finding }: KnownAccount, context: HoverContext, age?: string) {
  const { organization, now, hasDashboard, impact } = context;
  const { account, problem } = finding;
  const { requirements = [] } = deployment.answer?.findings ?? {};
  const source = vscode.l10n.t('From the response for {deployment}.', { deployment: shorten(deployment.name) });
  const shared = inDeploymentsText(impact.count(account.id));
  const scopes = nameList(account.scopes?.map((scope) => shorten(scope)) ?? []);
  return [
    title(accountLabel(account), parts(vscode.l10n.t('account'), organization && organizationName(organization))),
    lines(
      problem
        ? undefined
        : marked('satisfied', sentences(vscode.l10n.t('No error.'), shared, checkedText(account, now))),
      escaped(sentences(source, age)),
      linksTo(deployment.id, hasDashboard),
    ),
    scopes ? escaped(vscode.l10n.t('Granted scopes: {scopes}.', { scopes })) : undefined,
    list(requirementItems(requirements.filter(({ bound }) => bound === finding))),
  ];
}

function said(finding: RequirementFinding): string | undefined {
  return finding.problem ? problemMessage(finding.problem) : noteMessage(finding);
}

/** A sentence for each that has something to say, and one for all others of a state. */
function requirementItems(findings: readonly RequirementFinding[]): readonly string[] {
  const others = findings.filter((finding) => !said(finding));
  const labels = (state: State) => others.filter((finding) => finding.state === state).map(requirementLabel);
  return [
    ...findings.flatMap((finding) => (said(finding) ? [marked(finding.state, said(finding))] : [])),
    ...namesItem('unknown', labels('unknown'), (names) => vscode.l10n.t('Unknown: {names}.', { names })),
    ...namesItem('satisfied', labels('satisfied'), (names) => vscode.l10n.t('Satisfied: {names}.', { names })),
  ];
}

function namesItem(state: State, names: readonly string[], sentence: (names: string) => string): readonly string[] {
  return names.length > 0 ? [marked(state, sentence(nameList(names)))] : [];
}

function linksTo(deploymentId: string, hasDashboard: boolean): string {
  return fixes(hasDashboard)
    .flatMap(({ icon, title: name, command }) => (icon ? `$(${icon}) ${commandLink(name, command, deploymentId)}` : []))
    .join(' · ');
}

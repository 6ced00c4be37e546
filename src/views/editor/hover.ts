import * as vscode from 'vscode';
import type { Account } from '../../api/authorization.js';
import { stateIcon } from '../../host/icons.js';
import type { Organization } from '../../host/organizations/organization.js';
import { activityWord } from '../../host/text/deployment.js';
import { absoluteTime, heading, parts, relativeTime, sentences } from '../../host/text/format.js';
import { organizationName } from '../../host/text/organization.js';
import { accountLabel, requirementLabel, requirementNotes } from '../../host/text/problem.js';
import { requirementStateWord } from '../../host/text/states.js';
import type { Deployment } from '../../model/deployment.js';
import type { AccountFinding, RequirementFinding } from '../../model/findings.js';
import { shorten } from '../../model/inertText.js';
import type { State } from '../../model/order.js';
import type { KnownAccount, ReferenceTarget } from '../../model/references/known.js';
import { parseDateTime } from '../../model/time.js';
import { commandLink, lines, list, markdown, text, title } from '../markdown.js';
import { accountSummary } from '../tree/rows/account.js';
import { problemLines } from '../tree/rows/advice.js';
import { stateLine } from '../tree/rows/deployment.js';
import { failureText, unreadableLines } from '../tree/rows/trouble.js';
import { fixes } from './quickFixes.js';

/** Markdown with the icon of a state before it: the shape that the tree shows too. */
function marked(state: State, content: string | undefined): string {
  return `$(${stateIcon(state).id}) ${content ?? ''}`;
}

/** How old the data is: "Read 2 min. ago (Nov 20, 2026, 9:14:03 AM)." */
function ageText({ answer, failure }: Deployment, now: number): string | undefined {
  if (!answer) return undefined;
  const times = { relative: relativeTime(answer.receivedAt, now), absolute: absoluteTime(answer.receivedAt) };
  return failure
    ? vscode.l10n.t('Stale: last read {relative} ({absolute}).', times)
    : vscode.l10n.t('Read {relative} ({absolute}).', times);
}

/** When the service last checked the account, by its own word. */
function checkedText({ checkedAt }: Account, now: number): string | undefined {
  if (!checkedAt) return undefined;
  const at = parseDateTime(checkedAt);
  return at === undefined
    ? vscode.l10n.t('Last checked by the service: {time}', { time: checkedAt })
    : vscode.l10n.t('Last checked by the service {relative} ({absolute}).', {
        relative: relativeTime(at, now),
        absolute: absoluteTime(at),
      });
}

/** An account as the newest answer has it, whose answer that is, and what is bound to it there. */
function accountParagraphs(
  { deployment, finding }: KnownAccount,
  organization: Organization | undefined,
  links: string,
  now: number,
): readonly (string | undefined)[] {
  const { account, state, problem } = finding;
  const scopes = account.scopes?.map((scope) => shorten(scope)) ?? [];
  const bound = deployment.answer?.findings.requirements.filter((requirement) => requirement.bound === finding) ?? [];
  const source = vscode.l10n.t('From the answer for {deployment}.', { deployment: shorten(deployment.name) });
  return [
    title(accountLabel(account), parts(vscode.l10n.t('account'), organization && organizationName(organization))),
    lines(
      problem
        ? marked(state, problemLines(problem, now, checkedText(account, now)))
        : marked(state, text(heading(accountSummary(finding, 'connected', now)))),
      text(sentences(source, ageText(deployment, now))),
      links,
    ),
    scopes.length > 0 ? text(vscode.l10n.t('Scopes: {scopes}', { scopes: scopes.join(', ') })) : undefined,
    list(
      bound.map((requirement) =>
        marked(requirement.state, text(parts(requirementLabel(requirement), requirementStateWord(requirement)))),
      ),
    ),
  ];
}

/** State and age with the links, then requirement by requirement, then the accounts. */
function deploymentParagraphs(
  deployment: Deployment,
  organization: Organization | undefined,
  links: string,
  now: number,
): readonly (string | undefined)[] {
  const { answer, failure, name, id } = deployment;
  return [
    title(name, parts(name === id ? undefined : id, organization && organizationName(organization))),
    lines(
      marked(deployment.state, text(parts(stateLine(deployment), activityWord(deployment)))),
      text(ageText(deployment, now)),
      links,
    ),
    failure && text(failureText(failure.failure, failure.at, organization)),
    answer && list(answer.findings.requirements.map((finding) => requirementItem(finding, now))),
    answer && list(answer.findings.accounts.map((finding) => accountItem(finding, now))),
    answer && unreadableLines(answer),
  ];
}

function requirementItem(finding: RequirementFinding, now: number): string {
  const { state, problem, bound } = finding;
  if (problem) return marked(state, problemLines(problem, now));
  const line = parts(requirementLabel(finding), requirementStateWord(finding), bound && accountLabel(bound.account));
  return marked(state, lines(text(line), ...requirementNotes(finding).map(text)));
}

function accountItem(finding: AccountFinding, now: number): string {
  const { account, state, problem } = finding;
  if (problem) return marked(state, problemLines(problem, now, checkedText(account, now)));
  return marked(state, text(parts(accountLabel(account), accountSummary(finding, 'connected', now))));
}

/** What is known of an id where it stands in a text. Made when asked for, so that its ages are true. */
export function referenceHover(
  { deployment, account }: ReferenceTarget,
  organization: Organization | undefined,
  now: number,
): vscode.MarkdownString {
  const hover = markdown(
    ...(deployment ? deploymentParagraphs(deployment, organization, linksTo(deployment.id), now) : []),
    ...(account ? accountParagraphs(account, organization, linksTo(account.deployment.id), now) : []),
  );
  // Only our own text makes icons and links: that of the service and of settings is inert.
  hover.supportThemeIcons = true;
  hover.isTrusted = { enabledCommands: fixes().map(({ command }) => command) };
  return hover;
}

function linksTo(deploymentId: string): string {
  return fixes()
    .map((fix) => `$(${fix.icon}) ${commandLink(fix.title, fix.command, deploymentId)}`)
    .join(' · ');
}

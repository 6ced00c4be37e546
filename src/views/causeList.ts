import * as vscode from 'vscode';
import { internalCommandIds } from '../host/ids.js';
import { BriefCauses } from '../host/text/briefCauses.js';
import type { CauseRow } from '../host/text/causeTable.js';
import { notHealthyCounts } from '../host/text/deployment.js';
import { firstWithMore, joinWithDots, listText, numberText } from '../host/text/format.js';
import { moreProblemsText } from '../host/text/problem.js';
import { shortName } from '../model/deploymentNames.js';
import { type Counts, type Deployment, isFailing } from '../model/findings/deployment.js';
import type { Mutes } from '../model/findings/state.js';
import { inertMarkdown } from '../model/inertText.js';
import { bulletList, commandLink, escaped, markdown } from './markdown.js';

/** How many causes of problems, and reasons why deployments are unknown, the list names. */
const maxCauses = 6;
const maxReasons = 3;
/** How many deployments the list links beside a cause, and the length of each name. */
const maxLinks = 3;
const maxLinkChars = 60;
const maxDescriptionChars = 200;

/**
 * A hover with `causeList`. The paragraphs are Markdown, in which text of the platform is escaped
 * and makes no link, so that only the links of `causeList` run a command.
 */
export function causesHover(...paragraphs: readonly (string | undefined)[]): vscode.MarkdownString {
  const hover = markdown(...paragraphs);
  hover.isTrusted = { enabledCommands: [internalCommandIds.revealDeployment] };
  return hover;
}

/**
 * Each cause once with its deployments, worst first, as a list in Markdown: "Finance Slack failed ·
 * Billing sync, Expense approvals"; empty without any. `counts`: of these deployments.
 */
export function causeList(
  deployments: readonly Deployment[],
  counts: Counts,
  memory: Mutes,
): string {
  const causes = new BriefCauses(memory);
  for (const deployment of deployments) {
    if (isFailing(deployment) || deployment.state === 'unknown') causes.add(deployment);
  }
  return bulletList([...problemItems(causes), ...unknownItems(causes, counts)]);
}

/**
 * The worst causes, and how many problems have other causes: "Finance Slack failed · Billing sync,
 * Expense approvals", "2 more problems." Leaves out causes of deployments that are unknown.
 */
function problemItems(causes: BriefCauses): readonly string[] {
  const { rows, moreProblems } = causes.worstCauses(maxCauses, (state) => state !== 'unknown');
  const items = rows.map(causeItem);
  const more = escaped(moreProblemsText(moreProblems));
  return more ? [...items, more] : items;
}

/**
 * "3 unknown", and indented in the same item the reasons: "Not found (404) · Billing sync", "1
 * more". Empty if no deployment is unknown.
 */
function unknownItems(causes: BriefCauses, counts: Counts): readonly string[] {
  const { rows, moreDeployments } = causes.worstCauses(maxReasons, (state) => state === 'unknown');
  if (rows.length === 0) return [];
  const [heading = ''] = notHealthyCounts({ ...counts, failing: 0, notYetRead: 0, muted: 0 });
  const reasons = rows.map(causeItem);
  if (moreDeployments > 0) {
    reasons.push(vscode.l10n.t('{count} more', { count: numberText(moreDeployments) }));
  }
  const indented = reasons.map((reason) => `  - ${reason}`);
  return [[heading, ...indented].join('\n')];
}

/**
 * "Finance Slack failed · Billing sync, Expense approvals, Invoices, 4 more", as Markdown with
 * links.
 */
function causeItem({ descriptionParts, deployments }: CauseRow): string {
  const links = firstWithMore(Array.from(deployments), maxLinks, (deployment) =>
    commandLink(
      shortName(deployment, maxLinkChars),
      internalCommandIds.revealDeployment,
      deployment.id,
    ),
  );
  const description = inertMarkdown(descriptionParts.join(' · '), maxDescriptionChars);
  return joinWithDots(description, listText(links));
}

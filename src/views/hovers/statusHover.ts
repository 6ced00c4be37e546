import * as vscode from 'vscode';
import { internalCommandIds } from '../../host/ids.js';
import type { Organization } from '../../host/organizations/organization.js';
import { causeSentence } from '../../host/text/cause.js';
import { countsText, deploymentSummary } from '../../host/text/deployment.js';
import { numberText, parts } from '../../host/text/format.js';
import { organizationName } from '../../host/text/organization.js';
import type { Deployment } from '../../model/deployment.js';
import { inertMarkdown } from '../../model/inertText.js';
import type { Store } from '../../model/store/store.js';
import { commandLink, markdown, text, title } from '../markdown.js';

const shown = 5;

/** Organization, counts, and the worst five, each a link to its row. */
export function statusHover(
  organization: Organization,
  { deployments, counts, cause }: Pick<Store, 'deployments' | 'counts' | 'cause'>,
): vscode.MarkdownString {
  const now = Date.now();
  const bad = deployments.filter(({ state }) => state !== 'satisfied' && state !== 'notYetRead');
  const worst = bad.slice(0, shown).map((deployment) => `- ${line(deployment, now)}`);
  if (bad.length > shown) {
    worst.push(`- ${inertMarkdown(vscode.l10n.t('{count} more', { count: numberText(bad.length - shown) }))}`);
  }
  const hover = markdown(
    title(organizationName(organization), countsText(counts)),
    cause && text(causeSentence(cause, organization)),
    worst.join('\n'),
  );
  // The one command that our own links below name; text of the service can't make a link, it is inert.
  hover.isTrusted = { enabledCommands: [internalCommandIds.revealDeployment] };
  return hover;
}

function line(deployment: Deployment, now: number): string {
  return parts(
    commandLink(deployment.name, internalCommandIds.revealDeployment, deployment.id),
    inertMarkdown(deploymentSummary(deployment, now), 200),
  );
}

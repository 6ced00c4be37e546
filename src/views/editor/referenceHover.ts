import type * as vscode from 'vscode';
import type { Organization } from '../../host/organizations/organization.js';
import type { ReferenceTarget } from '../../model/referenceTargets.js';
import { commandLink, markdown } from '../markdown.js';
import { accountParagraphs } from './accountParagraphs.js';
import { deploymentParagraphs } from './deploymentParagraphs.js';
import { fixes } from './fixes.js';

/** What is known of an id where it stands in a text. Made when asked for, so that its ages are true. */
export function referenceHover(
  { deployment, account }: ReferenceTarget,
  organization: Organization | undefined,
  now: number,
): vscode.MarkdownString {
  const hover = markdown(
    ...(deployment ? deploymentParagraphs(deployment, organization, links(deployment.id), now) : []),
    ...(account ? accountParagraphs(account, organization, links(account.deployment.id), now) : []),
  );
  // Icons and links are ours: text of the service and of settings makes neither, it is inert.
  hover.supportThemeIcons = true;
  hover.isTrusted = { enabledCommands: fixes().map(({ command }) => command) };
  return hover;
}

function links(deploymentId: string): string {
  return fixes()
    .map(({ icon, title, command }) => `$(${icon}) ${commandLink(title, command, deploymentId)}`)
    .join(' · ');
}

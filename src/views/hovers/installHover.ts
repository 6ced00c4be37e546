import type * as vscode from 'vscode';
import type { Organization } from '../../host/organizations/organization.js';
import { heading, parts } from '../../host/text/format.js';
import { expiryText, installName, planText } from '../../host/text/install.js';
import { organizationName } from '../../host/text/organization.js';
import type { PendingInstall } from '../../model/installs.js';
import { fields, list, markdown, text, title } from '../markdown.js';
import { unreadableLines } from '../tree/rows/trouble.js';

/** Every field of a pending install; which organization was asked is part of what people must see. */
export function installHover(
  install: PendingInstall,
  organization: Organization | undefined,
  now: number,
): vscode.MarkdownString {
  const { answer } = install;
  const { value } = answer;
  return markdown(
    title(installName(install), organization && organizationName(organization)),
    text(heading(parts(planText(value.requiredPlan), expiryText(install, now)))),
    list(fields(value)),
    unreadableLines(answer),
  );
}

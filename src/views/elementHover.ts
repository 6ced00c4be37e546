import type * as vscode from 'vscode';
import type { Organization } from '../host/organizations/organization.js';
import { causeSentence } from '../host/text.js';
import type { TreeElement } from '../model/tree/elements.js';
import { absentAccountHover, accountHover } from './hovers/accountHover.js';
import { connectionHover, scopeHover } from './hovers/connectionHover.js';
import { deploymentHover } from './hovers/deploymentHover.js';
import { failureText } from './hovers/failureText.js';
import { problemLine } from './hovers/problemLine.js';
import { requirementHover } from './hovers/requirementHover.js';
import { unreadableHover } from './hovers/unreadableHover.js';
import { failureOf } from './items/failureItem.js';
import { markdown, text } from './markdown.js';

/** The hover of a row: every field that the service sent, absolute times. Made when VS Code asks for it. */
export function elementHover(
  element: TreeElement,
  organization: Organization | undefined,
  now: number,
): vscode.MarkdownString | undefined {
  switch (element.kind) {
    case 'cause':
      return element.cause.kind === 'failure'
        ? markdown(text(failureText(element.cause.failure, element.cause.at, organization)))
        : markdown(text(causeSentence(element.cause, organization)));
    case 'deployment':
      return deploymentHover(element.deployment, organization);
    case 'failure': {
      const { failure, at } = failureOf(element.deployment, now);
      return markdown(text(failureText(failure, at, organization)));
    }
    case 'unreadable':
      return unreadableHover(element.deployment);
    case 'requirement':
      return requirementHover(element.finding);
    case 'account':
      return element.finding ? accountHover(element.finding) : absentAccountHover(element.accountId);
    case 'accountError':
    case 'lastCheck':
      return accountHover(element.finding);
    case 'connection':
      return connectionHover(element.finding);
    case 'scope':
      return scopeHover(element.scope, element.finding);
    case 'advice':
      return markdown(problemLine(element.problem));
    default:
      return undefined;
  }
}

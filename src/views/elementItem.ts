import * as vscode from 'vscode';
import type { Organization } from '../host/organizations/organization.js';
import type { TreeElement } from '../model/tree/elements.js';
import { accountErrorItem } from './items/accountErrorItem.js';
import { failureItem } from './items/failureItem.js';
import { lastCheckItem } from './items/lastCheckItem.js';
import { scopeItem } from './items/scopeItem.js';
import { unreadableItem } from './items/unreadableItem.js';
import { accountItem } from './tree/rows/account.js';
import { stepItem } from './tree/rows/advice.js';
import { connectionItem } from './tree/rows/connection.js';
import { deploymentItem } from './tree/rows/deployment.js';
import { requirementItem } from './tree/rows/requirement.js';
import { causeItem } from './tree/rows/trouble.js';

export interface ItemContext {
  readonly organization: Organization | undefined;
  readonly now: number;
  /** Asked for only where the row is made anew. */
  readonly expandable: (element: TreeElement) => boolean;
}

/** The row of an element, without its hover: that is made when somebody asks for it (`elementHover`). */
export function elementItem(element: TreeElement, { organization, now, expandable }: ItemContext): vscode.TreeItem {
  switch (element.kind) {
    case 'cause':
      return causeItem(element, organization);
    case 'deployment':
      return deploymentItem(element, () => expandable(element), now);
    case 'failure':
      return failureItem(element, organization, now);
    case 'unreadable':
      return unreadableItem(element);
    case 'requirement':
      return requirementItem(element, expandable(element));
    case 'account':
      return accountItem(element, expandable(element), now);
    case 'connection':
      return connectionItem(element, expandable(element));
    case 'scope':
      return scopeItem(element);
    case 'accountError':
      return accountErrorItem(element);
    case 'lastCheck':
      return lastCheckItem(element, now);
    case 'advice':
      return stepItem(element, now);
    default:
      return unknownElement(element);
  }
}

/** Fails to compile when a kind of row has no item; at run time a row is better than a broken tree. */
function unknownElement(element: never): vscode.TreeItem {
  return new vscode.TreeItem((element as TreeElement).id);
}

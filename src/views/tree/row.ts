import * as vscode from 'vscode';
import type { Action } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import { stateWord } from '../../host/text/states.js';
import { inertLabel, inertPlain } from '../../model/inertText.js';
import type { State } from '../../model/order.js';
import type { TreeElement } from '../../model/tree/elements.js';

/** What a row needs to know besides its element. */
export interface RowContext {
  readonly organization: Organization | undefined;
  /** Epoch ms. */
  readonly now: number;
  readonly hasChildren: (element: TreeElement) => boolean;
}

/** How the rows of one kind look. */
export interface RowLook<E> {
  item(element: E, context: RowContext): vscode.TreeItem;
  /** Every field that the service sent, and absolute times. Made when VS Code asks for it. */
  hover(element: E, context: RowContext): vscode.MarkdownString;
}

/** The looks of these kinds: each family of rows has a file that gives them. */
export type Looks<K extends TreeElement['kind']> = {
  readonly [Kind in K]: RowLook<Extract<TreeElement, { kind: Kind }>>;
};

/** What a row says. Its texts may hold text of the service: `treeItem` makes them inert, once. */
interface Row {
  /** Id of the element: VS Code keeps what is expanded and selected by it. */
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: vscode.ThemeIcon;
  /** For the screen reader: name, kind, state, age. Empty parts are left out. */
  readonly spoken: readonly (string | undefined)[];
  readonly expandable?: boolean;
  /** From `contextValues`; rows without one have no menu. */
  readonly contextValue?: string;
  /** Colours the label and adds a letter. */
  readonly problem?: ProblemState | undefined;
  /** What a click on the row does. */
  readonly action?: Action | undefined;
}

/** Room for a whole sentence; VS Code cuts what does not fit the view's width. */
const longestText = 300;

export function treeItem(row: Row): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const label = inertLabel(row.label, longestText);
  const item = new vscode.TreeItem(label, row.expandable === true ? Collapsed : None);
  item.id = row.id;
  if (row.description) item.description = inertLabel(row.description, longestText);
  item.iconPath = row.icon;
  item.accessibilityInformation = { label: inertPlain(spokenText(row.spoken), 600) };
  if (row.contextValue !== undefined) item.contextValue = row.contextValue;
  if (row.problem) item.resourceUri = problemUri(row.problem);
  if (row.action) item.command = commandOf(row.action);
  return item;
}

/** A screen reader pauses at commas but not at the dots between parts; a full stop is left as it is. */
function spokenText(parts: Row['spoken']): string {
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join(', ')
    .replaceAll(' · ', ', ')
    .replaceAll('., ', '. ');
}

function commandOf({ title, command, arguments: given = [] }: Action): vscode.Command {
  return { title, command, arguments: [...given] };
}

/** The states that colour a label: those of problems. */
type ProblemState = Extract<State, 'failed' | 'notSatisfied'>;

/** A scheme of our own, so that nobody else decorates these addresses. */
const problemScheme = 'automation-platform-problem';

const problemUris: Readonly<Record<ProblemState, vscode.Uri>> = {
  failed: vscode.Uri.from({ scheme: problemScheme, path: '/failed' }),
  notSatisfied: vscode.Uri.from({ scheme: problemScheme, path: '/notSatisfied' }),
};

/**
 * VS Code colours a row by its address. Ours holds the state and no id: rows of one state share it, so that 10,000 rows cost two
 * answers, and a row that changes its state changes its address.
 */
export function problemUri(state: ProblemState): vscode.Uri {
  return problemUris[state];
}

/** Label colour and a letter on rows with problems, as the git view does it. The letters stand in the README's legend. */
export function registerProblemDecorations(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({ provideFileDecoration: decorationOf });
}

export function decorationOf({ scheme, path }: vscode.Uri): vscode.FileDecoration | undefined {
  if (scheme !== problemScheme) return undefined;
  switch (path) {
    case '/failed':
      return new vscode.FileDecoration('F', stateWord('failed'), new vscode.ThemeColor('list.errorForeground'));
    case '/notSatisfied':
      return new vscode.FileDecoration('N', stateWord('notSatisfied'), new vscode.ThemeColor('list.warningForeground'));
    default:
      return undefined;
  }
}

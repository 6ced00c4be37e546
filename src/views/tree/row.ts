import * as vscode from 'vscode';
import { inertLabel, inertPlain } from '../../model/inertText.js';
import type { ProblemState } from '../problemDecorations.js';
import { problemUri } from '../problemDecorations.js';

/** What a row says. Texts come as `host/text` gives them: this is the edge where they are made inert, once. */
export interface Row {
  /** Id of the element: expansion and selection hang on it. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly icon: vscode.ThemeIcon;
  /** For the screen reader: name, kind, state, age. Empty parts are left out. */
  readonly spoken: readonly (string | undefined)[];
  readonly expandable?: boolean;
  /** From `contextValues`; rows without one have no menu. */
  readonly contextValue?: string;
  /** Colours the label and adds the letter. */
  readonly problem?: ProblemState;
  readonly command?: vscode.Command;
}

/** Dots between the parts are for eyes; read aloud they are commas, and a sentence keeps its own end. */
function spokenText(parts: Row['spoken']): string {
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join(', ')
    .replaceAll(' · ', ', ')
    .replaceAll('., ', '. ');
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
  if (row.command) item.command = row.command;
  return item;
}

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
  return itemOf(lookOf(row));
}

/** The same with all texts ready to be shown. */
export interface Look extends Omit<Row, 'spoken'> {
  readonly spoken: string;
}

export function lookOf(row: Row): Look {
  const { description, ...rest } = row;
  return {
    ...rest,
    label: inertLabel(row.label, longestText),
    ...(description && { description: inertLabel(description, longestText) }),
    spoken: inertPlain(spokenText(row.spoken), 600),
  };
}

export function itemOf(look: Look): vscode.TreeItem {
  const item = new vscode.TreeItem(
    look.label,
    look.expandable ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = look.id;
  if (look.description) item.description = look.description;
  item.iconPath = look.icon;
  item.accessibilityInformation = { label: look.spoken };
  if (look.contextValue) item.contextValue = look.contextValue;
  if (look.problem) item.resourceUri = problemUri(look.problem);
  if (look.command) item.command = look.command;
  return item;
}

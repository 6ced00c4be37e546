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

/**
 * The same with everything ready to be shown. Each has all of the properties: ten thousand objects of one shape are read ten
 * times as fast as those that have now this and now that.
 */
export interface Look {
  readonly id: string;
  readonly label: string;
  readonly collapsibleState: vscode.TreeItemCollapsibleState;
  readonly description: string | undefined;
  readonly icon: vscode.ThemeIcon;
  readonly accessibility: vscode.AccessibilityInformation;
  readonly contextValue: string | undefined;
  readonly resourceUri: vscode.Uri | undefined;
  readonly command: vscode.Command | undefined;
}

export function lookOf(row: Row): Look {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  return {
    id: row.id,
    label: inertLabel(row.label, longestText),
    collapsibleState: row.expandable === true ? Collapsed : None,
    description: row.description ? inertLabel(row.description, longestText) : undefined,
    icon: row.icon,
    accessibility: { label: inertPlain(spokenText(row.spoken), 600) },
    contextValue: row.contextValue,
    resourceUri: row.problem && problemUri(row.problem),
    command: row.command,
  };
}

export function itemOf(look: Look): vscode.TreeItem {
  const { description, contextValue, resourceUri, command } = look;
  const item = new vscode.TreeItem(look.label, look.collapsibleState);
  item.id = look.id;
  if (description !== undefined) item.description = description;
  item.iconPath = look.icon;
  item.accessibilityInformation = look.accessibility;
  if (contextValue !== undefined) item.contextValue = contextValue;
  if (resourceUri !== undefined) item.resourceUri = resourceUri;
  if (command !== undefined) item.command = command;
  return item;
}

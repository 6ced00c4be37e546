import * as vscode from 'vscode';
import type { Action } from '../../host/actions.js';
import { grayIcon } from '../../host/icons.js';
import { joinForScreenReader } from '../../host/text/format.js';
import type { Problem } from '../../model/findings/findings.js';
import type { State } from '../../model/findings/order.js';
import { canNotifyOf, type Remembered } from '../../model/findings/state.js';
import { inertLabel, inertPlain } from '../../model/inertText.js';
import type { ChangesWhileAway } from '../../model/problems/changesWhileAway.js';
import type { Impact } from '../../model/problems/impact.js';
import type { HoverContext } from '../hoverContext.js';

/** What a row shows besides the element that it is of. */
export interface RowContext extends HoverContext {
  readonly impact: HoverContext['impact'] & Pick<Impact, 'countHolders' | 'isOutdated'>;
  readonly changesWhileAway: Pick<ChangesWhileAway, 'isNew'>;
}

/** What a row says. Its texts may contain text of the platform: `treeItem` makes them inert. */
export interface RowContent {
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon?: vscode.ThemeIcon | undefined;
  /** For the screen reader: name, kind, state. Empty parts are left out. */
  readonly spoken: readonly (string | undefined)[];
  /**
   * "as of 8:30 PM": what a screen reader says at the end if the data is older than that of other
   * rows.
   */
  readonly asOf?: string | undefined;
  /**
   * One of `contextValues` and words for its menu, most of them from `menuFor`; a row without one
   * has no menu.
   */
  readonly contextValue?: string;
  /** Gives the label its color. */
  readonly state?: ColoredState | undefined;
  /**
   * What a click does. Only first and last rows have an action: a click on another row selects it.
   */
  readonly action?: Action | undefined;
}

/** `effect`: of a requirement that is not satisfied because its account has failed. */
type ColoredState = State | 'effect';

/** Enough for a sentence. VS Code cuts the end of what does not fit into the view's width. */
export const maxRowChars = 300;
const maxSpokenChars = 600;

/** `id`: by this VS Code knows which rows are expanded and selected, also after a refresh. */
export function treeItem(id: string, row: RowContent, hasRowsBelow = false): vscode.TreeItem {
  const { label, description, icon, spoken, asOf, contextValue, state, action } = row;
  const item = new vscode.TreeItem(
    inertLabel(label, maxRowChars),
    hasRowsBelow ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = id;
  if (description) item.description = inertLabel(description, maxRowChars);
  if (icon) item.iconPath = icon;
  const inertSpoken = inertPlain(joinForScreenReader(...spoken), maxSpokenChars);
  item.accessibilityInformation = { label: joinForScreenReader(inertSpoken, asOf) };
  if (contextValue !== undefined) item.contextValue = contextValue;
  if (state && labelColors.has(state)) {
    item.resourceUri = vscode.Uri.from({ scheme: stateScheme, path: state });
  }
  if (action) item.command = { ...action, arguments: [...(action.arguments ?? [])] };
  return item;
}

/**
 * Returns the row without colors, for data that is not of now. `asOf`: when the data was true,
 * instead of what the row says of that.
 */
export function grayed(row: RowContent, asOf?: string): RowContent {
  return {
    ...row,
    icon: row.icon && grayIcon(row.icon),
    asOf: asOf ?? row.asOf,
    state: undefined,
  };
}

/**
 * "account canMute canNotify": a `contextValue` with what the row's menu offers for these problems,
 * by which `package.json` selects the menu's commands. `awaited`: those whose fix the user may be
 * notified of.
 */
export function menuFor(
  contextValue: string,
  problems: readonly (Problem | undefined)[],
  memory: Remembered,
  awaited = problems,
): string {
  const present = problems.filter((problem) => problem !== undefined);
  const muted = present.filter((problem) => memory.muteOf(problem) !== undefined);
  const counted = present.filter((problem) => memory.muteOf(problem) === undefined);

  const words = [contextValue];
  if (counted.length > 0) words.push('canMute');
  if (muted.length > 0) words.push('canUnmute');
  if (awaited.some((problem) => problem && canNotifyOf(problem, memory))) words.push('canNotify');
  if (present.some((problem) => memory.notifies(problem))) words.push('canStopNotifying');
  return words.join(' ');
}

/**
 * VS Code asks `decorationOf` for the color of a row by the row's URI, once for each URI. This
 * extension's own scheme is decorated by no other extension. The path is the state, so rows of one
 * state share a URI, and a row whose state changes gets another URI.
 */
const stateScheme = 'automation-platform-problem';

const labelColors: ReadonlyMap<string, string> = new Map<ColoredState, string>([
  ['failed', 'list.errorForeground'],
  ['notSatisfied', 'list.warningForeground'],
  ['muted', 'descriptionForeground'],
  ['effect', 'descriptionForeground'],
]);

/**
 * Returns the color of a label; `undefined` for a state without one, and for other extensions'
 * URIs. There is no letter beside the label, which would take the room of three characters.
 */
export function decorationOf({ scheme, path }: vscode.Uri): vscode.FileDecoration | undefined {
  const color = labelColors.get(path);
  if (scheme !== stateScheme || color === undefined) return undefined;
  return new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor(color));
}

import * as vscode from 'vscode';
import type { Action } from '../../host/actions.js';
import { grayIcon } from '../../host/icons.js';
import { joinForScreenReader } from '../../host/text/format.js';
import type { Problem } from '../../model/findings/findings.js';
import type { State } from '../../model/findings/order.js';
import type { Remembered } from '../../model/findings/state.js';
import { inertLabel, inertPlain } from '../../model/inertText.js';
import type { ChangesWhileAway } from '../../model/problems/changesWhileAway.js';
import type { Impact } from '../../model/problems/impact.js';
import type { HoverContext } from '../hoverContext.js';

export interface RowContext extends HoverContext {
  readonly impact: HoverContext['impact'] & Pick<Impact, 'countHolders' | 'isOutdated'>;
  readonly changesWhileAway: Pick<ChangesWhileAway, 'isNew'>;
}

/** What a row says. Its texts may hold text of the platform: `treeItem` makes them inert. */
export interface RowContent {
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon?: vscode.ThemeIcon;
  /** For the screen reader: name, kind, state. Empty parts are left out. */
  readonly spoken: readonly (string | undefined)[];
  /**
   * "as of 8:30 PM", where that is not the normal course: the screen reader says it once, at the
   * end.
   */
  readonly asOf?: string | undefined;
  /** From `contextValues`; rows without one have no menu. */
  readonly contextValue?: string;
  /** Colors the label. */
  readonly state?: State | 'effect' | undefined;
  /** What a click does, on first rows only: on others it selects. */
  readonly action?: Action | undefined;
}

/** Enough for a whole sentence. VS Code cuts the end of what does not fit the view's width. */
export const maxRowChars = 300;

/** VS Code keeps what is expanded and selected by the id. */
export function treeItem(id: string, row: RowContent, hasRowsBelow = false): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    inertLabel(row.label, maxRowChars),
    hasRowsBelow ? Collapsed : None,
  );
  item.id = id;
  if (row.description) item.description = inertLabel(row.description, maxRowChars);
  if (row.icon) item.iconPath = row.icon;
  item.accessibilityInformation = {
    label: joinForScreenReader(inertPlain(joinForScreenReader(...row.spoken), 600), row.asOf),
  };
  if (row.contextValue !== undefined) item.contextValue = row.contextValue;
  if (row.state && problemColors.has(row.state)) {
    item.resourceUri = vscode.Uri.from({ scheme: problemScheme, path: row.state });
  }
  if (row.action) item.command = { ...row.action, arguments: [...(row.action.arguments ?? [])] };
  return item;
}

/**
 * Without the colors of what is known now. `asOf`: when it was known, in place of what the row says
 * of that itself.
 */
export function grayed(row: RowContent, asOf?: string): RowContent {
  return {
    ...row,
    ...(row.icon && { icon: grayIcon(row.icon) }),
    asOf: asOf ?? row.asOf,
    state: undefined,
  };
}

/** A row's `contextValue`, with what its menu offers for these problems: "account canMute canNotify". */
export function menuFor(
  contextValue: string,
  problems: readonly (Problem | undefined)[],
  memory: Remembered,
): string {
  const known = problems.filter((one) => one !== undefined);
  const muted = known.filter((one) => memory.mutedUntil(one) !== undefined);
  const counted = known.filter((one) => memory.mutedUntil(one) === undefined);
  const offered = {
    canMute: counted.length > 0,
    canUnmute: muted.length > 0,
    canNotify: counted.some((one) => !memory.notifies(one)),
    canStopNotifying: known.some((one) => memory.notifies(one)),
  };
  const names = Object.entries(offered).flatMap(([name, isOffered]) => (isOffered ? name : []));
  return [contextValue, ...names].join(' ');
}

/**
 * VS Code colors a row by its address. Ours holds the state and no id: rows of one state share it, so that VS Code asks once for
 * each state, and a row that changes its state changes its address. No other extension decorates a scheme of ours.
 */
const problemScheme = 'automation-platform-problem';

const problemColors: ReadonlyMap<string, string> = new Map<State | 'effect', string>([
  ['failed', 'list.errorForeground'],
  ['notSatisfied', 'list.warningForeground'],
  ['muted', 'descriptionForeground'],
  ['effect', 'descriptionForeground'],
]);

/** A color only: a letter beside the label would take the room of three characters. */
export function decorationOf({ scheme, path }: vscode.Uri): vscode.FileDecoration | undefined {
  const color = problemColors.get(path);
  if (scheme !== problemScheme || color === undefined) return undefined;
  return new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor(color));
}

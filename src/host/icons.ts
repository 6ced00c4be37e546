import * as vscode from 'vscode';
import type { RequirementFinding } from '../model/findings/findings.js';
import type { State } from '../model/findings/order.js';
import { type Mutes, stateOfFinding } from '../model/findings/state.js';

/**
 * Each state has its own shape, so that color alone distinguishes no two states. The green of test
 * results is too pale on white.
 */
export const stateIcons: Readonly<Record<State, vscode.ThemeIcon>> = {
  failed: icon('error', 'problemsErrorIcon.foreground'),
  notSatisfied: icon('warning', 'problemsWarningIcon.foreground'),
  unknown: icon('question'),
  notYetRead: icon('circle-large-outline', 'disabledForeground'),
  muted: icon('circle-slash', 'disabledForeground'),
  satisfied: icon('pass', 'charts.green'),
};

/** `id`: of a product icon; `color`: the id of a theme color. */
export function icon(id: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Returns the same icon in gray, for states that are out of date. */
export function grayIcon({ id }: vscode.ThemeIcon): vscode.ThemeIcon {
  return icon(id, 'disabledForeground');
}

/** For a requirement that only needs a failed account, and so is no problem itself. */
export const effectIcon = icon('debug-disconnect', 'disabledForeground');

/** Returns the icon of the state, or `effectIcon` for an effect that is not muted. */
export function requirementIcon(finding: RequirementFinding, mutes: Mutes): vscode.ThemeIcon {
  const state = stateOfFinding(finding, mutes);
  return finding.isEffect && state !== 'muted' ? effectIcon : stateIcons[state];
}

export const adviceIcon = icon('lightbulb', 'editorLightBulb.foreground');

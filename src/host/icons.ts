import * as vscode from 'vscode';
import type { State } from '../model/findings/order.js';

/** Each state has a shape of its own, so that none is said by its color alone. The green of test results is too pale on white. */
export const stateIcons: Readonly<Record<State, vscode.ThemeIcon>> = {
  failed: icon('error', 'problemsErrorIcon.foreground'),
  notSatisfied: icon('warning', 'problemsWarningIcon.foreground'),
  unknown: icon('question'),
  notYetRead: icon('circle-large-outline', 'disabledForeground'),
  muted: icon('circle-slash', 'disabledForeground'),
  satisfied: icon('pass', 'charts.green'),
};

export function icon(id: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

export function grayIcon({ id }: vscode.ThemeIcon): vscode.ThemeIcon {
  return icon(id, 'disabledForeground');
}

export const adviceIcon = icon('lightbulb', 'editorLightBulb.foreground');

import * as vscode from 'vscode';
import type { State } from '../model/order.js';

/** Each state has a shape of its own, for people who don't see the colour. The green of test results is too pale on white. */
const shapes: Readonly<Record<State, readonly [icon: string, color?: string]>> = {
  failed: ['error', 'problemsErrorIcon.foreground'],
  notSatisfied: ['warning', 'problemsWarningIcon.foreground'],
  unknown: ['question'],
  notYetRead: ['circle-large-outline', 'disabledForeground'],
  satisfied: ['pass', 'charts.green'],
};

export function stateIcon(state: State): vscode.ThemeIcon {
  return icon(...shapes[state]);
}

const made = new Map<string, vscode.ThemeIcon>();

/** One object per look: 10,000 rows share a handful. */
export function icon(id: string, color?: string): vscode.ThemeIcon {
  const key = `${id} ${color ?? ''}`;
  let found = made.get(key);
  if (!found) {
    found = new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
    made.set(key, found);
  }
  return found;
}

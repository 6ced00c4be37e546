import * as vscode from 'vscode';
import { stateWord } from '../host/text/state.js';
import type { State } from '../model/state.js';

/** The states that colour a label: those of problems. */
export type ProblemState = Extract<State, 'failed' | 'notSatisfied'>;

/**
 * Our own scheme. The address holds the state and nothing else, no id of anything: rows of one state share it, so that
 * decorating 10,000 rows costs two answers, and a row that changes its state changes its address.
 */
export const problemScheme = 'automation-platform-problem';

const uris: Partial<Record<ProblemState, vscode.Uri>> = {};

export function problemUri(state: ProblemState): vscode.Uri {
  uris[state] ??= vscode.Uri.from({ scheme: problemScheme, path: `/${state}` });
  return uris[state];
}

/** Label colour and a letter on rows with problems, as the git view does it. The letters stand in the README's legend. */
export function registerProblemDecorations(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({ provideFileDecoration: decorationOf });
}

export function decorationOf(uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== problemScheme) return undefined;
  switch (uri.path) {
    case '/failed':
      return new vscode.FileDecoration('F', stateWord('failed'), new vscode.ThemeColor('list.errorForeground'));
    case '/notSatisfied':
      return new vscode.FileDecoration('N', stateWord('notSatisfied'), new vscode.ThemeColor('list.warningForeground'));
    default:
      return undefined;
  }
}

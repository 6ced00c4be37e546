import * as vscode from 'vscode';
import { contextKeys } from './ids.js';

type DoneKey = 'hasSeenHover' | 'hasGoneToDeployment';

/** Ticks a step of the walkthrough: because it was done, not because somebody clicked it. VS Code remembers it. */
export function stepDone(key: DoneKey): void {
  void vscode.commands.executeCommand('setContext', contextKeys[key], true);
}

/**
 * VS Code gets to know a walkthrough when a page of that kind is first opened in a window, and a fact that holds then already never
 * ticks its step. So each step names its fact twice, once with this beat and once without: one of the two begins to hold when the
 * beat turns over, which it does when such a page (a tab of a kind that extensions don't know) was opened.
 */
export function registerWalkthroughBeat(): vscode.Disposable {
  let beat = false;
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    if (!opened.some((tab) => tab.input === undefined)) return;
    beat = !beat;
    void vscode.commands.executeCommand('setContext', contextKeys.walkthroughBeat, beat);
  });
}

import * as vscode from 'vscode';
import { contextKeys } from './ids.js';

type DoneKey = 'hasReadTree' | 'hasSeenHover' | 'hasGoneToDeployment';

/** Ticks a step of the walkthrough: because it was done, not because somebody clicked it. VS Code remembers it. */
export function stepDone(key: DoneKey): void {
  void vscode.commands.executeCommand('setContext', contextKeys[key], true);
}

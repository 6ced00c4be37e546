import * as vscode from 'vscode';
import { settle } from './windowRecorder.js';

export type Key = () => Promise<void>;

/** What the keys of a list or an input box do. */
export const keys = {
  enter: pressing('workbench.action.acceptSelectedQuickOpenItem'),
  escape: pressing('workbench.action.closeQuickOpen'),
  back: pressing('workbench.action.quickInputBack'),
  down: pressing('quickInput.next'),
  space: pressing('workbench.action.quickPickManyToggle'),
};

/** Messages of VS Code that arrive together are handled before the promises in between, so a key waits for an answer to another command. */
function pressing(command: string): Key {
  return async () => {
    await answered();
    await vscode.commands.executeCommand(command);
    await answered();
    await settle();
  };
}

async function answered(): Promise<void> {
  for (let trip = 0; trip < 2; trip++) {
    await vscode.commands.executeCommand('setContext', 'automationPlatform.test', trip);
  }
}

/** Presses these one after the other, once the question is open. */
export async function answeredBy<T>(work: Promise<T>, ...pressed: readonly Key[]): Promise<T> {
  await settle();
  for (const press of pressed) await press();
  return work;
}

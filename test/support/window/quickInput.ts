import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';

// VS Code handles what the extension host sends in the order in which it was sent, and what a key does has arrived here when its
// command has ended. But messages that arrive together are handled in one go, before the promises in between; so a key waits
// until VS Code has answered something else.

type Key = () => Promise<void>;

/** Enter. */
export const accept = key('workbench.action.acceptSelectedQuickOpenItem');
/** Escape. */
export const dismiss = key('workbench.action.closeQuickOpen');
/** The Back button. */
export const goBack = key('workbench.action.quickInputBack');
export const next = key('workbench.action.quickOpenSelectNext');
/** Space, where several can be picked. */
export const toggle = key('workbench.action.quickPickManyToggle');

function key(command: string): Key {
  return async () => {
    for (let trip = 0; trip < 2; trip++)
      await vscode.commands.executeCommand('setContext', 'automationPlatform.test', trip);
    await vscode.commands.executeCommand(command);
    await settle();
  };
}

/** Does what a command does, and presses these keys one after the other, the first when its first question is there. */
export async function answering<T>(work: Promise<T>, ...keys: readonly Key[]): Promise<T> {
  const pressAll = async () => {
    await settle();
    for (const press of keys) await press();
  };
  const [result] = await Promise.all([work, pressAll()]);
  return result;
}

/** Lets what was just resolved go on. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 10; round++) await setImmediate();
}

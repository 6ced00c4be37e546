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
    await turn();
  };
}

/** Does what a command does, and presses these keys one after the other, the first when its first question is there. */
export async function answering<T>(work: Promise<T>, ...keys: readonly Key[]): Promise<T> {
  const pressAll = async () => {
    await turn();
    for (const press of keys) await press();
  };
  const [result] = await Promise.all([work, pressAll()]);
  return result;
}

/** Runs with these members in place of VS Code's own. */
export async function replacing<T extends object>(
  owner: T,
  members: Partial<Record<keyof T, unknown>>,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = Object.fromEntries(Object.keys(members).map((name) => [name, Reflect.get(owner, name)]));
  Object.assign(owner, members);
  try {
    await work();
  } finally {
    Object.assign(owner, before);
  }
}

/** What a command says in notifications and dialogs: kind, sentence and buttons of each. Somebody presses one of `buttons`. */
export async function notificationsOf(work: () => Promise<unknown>, ...buttons: readonly string[]) {
  const said: string[][] = [];
  const hear =
    (kind: string) =>
    async (...given: unknown[]) => {
      const texts = given.filter((one) => typeof one === 'string');
      said.push([kind, ...texts]);
      return texts.find((text) => buttons.includes(text));
    };
  const members = {
    showInformationMessage: hear('information'),
    showWarningMessage: hear('warning'),
    showErrorMessage: hear('error'),
  };
  await replacing(vscode.window, members, () => work().then(turn));
  return said;
}

/** Lets what was just resolved go on. */
export async function turn(): Promise<void> {
  for (let round = 0; round < 10; round++) await setImmediate();
}

import * as vscode from 'vscode';

// VS Code handles what the extension host sends in the order in which it was sent, and what a key does has arrived here when its
// command has ended. But messages that arrive together are handled in one go, before the promises in between; so a key waits
// until VS Code has answered something else.

/** Enter. */
export async function accept(): Promise<void> {
  await press('workbench.action.acceptSelectedQuickOpenItem');
}

/** Escape. */
export async function dismiss(): Promise<void> {
  await press('workbench.action.closeQuickOpen');
}

/** The Back button. */
export async function goBack(): Promise<void> {
  await press('workbench.action.quickInputBack');
}

export async function next(): Promise<void> {
  await press('workbench.action.quickOpenSelectNext');
}

/** Space, where several can be picked. */
export async function toggle(): Promise<void> {
  await press('workbench.action.quickPickManyToggle');
}

async function press(command: string): Promise<void> {
  for (let trip = 0; trip < 2; trip++)
    await vscode.commands.executeCommand('setContext', 'automationPlatform.test', trip);
  await vscode.commands.executeCommand(command);
  await turn();
}

/** Does what a command does, and presses these keys one after the other, the first when its first question is there. */
export async function answering<T>(work: Promise<T>, ...keys: readonly (() => Promise<void>)[]): Promise<T> {
  const pressAll = async () => {
    await turn();
    for (const key of keys) await key();
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

/** The notifications of a command, each with its kind, its sentence and its buttons. Somebody presses `button`. */
export async function notificationsOf(work: () => Promise<unknown>, button?: string): Promise<readonly string[][]> {
  const said: string[][] = [];
  const hear =
    (kind: string) =>
    async (...texts: string[]) => {
      said.push([kind, ...texts]);
      return texts.find((text) => text === button);
    };
  const members = { showInformationMessage: hear('information'), showErrorMessage: hear('error') };
  await replacing(vscode.window, members, work);
  return said;
}

/** Lets what was just resolved go on. */
export async function turn(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

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

/** Lets what was just resolved go on. */
export async function turn(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

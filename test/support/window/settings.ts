import * as vscode from 'vscode';
import { atEndOfTest } from './endOfTest.js';

export const { Global, Workspace } = vscode.ConfigurationTarget;

const configuration = () => vscode.workspace.getConfiguration(undefined, null);

export function settingIn(name: string, target: vscode.ConfigurationTarget = Workspace): unknown {
  const found = configuration().inspect(name);
  return target === Global ? found?.globalValue : found?.workspaceValue;
}

/** Writes a setting of this window, by its whole name, until the test ends. */
export async function writeSetting(
  name: string,
  value: unknown,
  target: vscode.ConfigurationTarget = Global,
): Promise<void> {
  atEndOfTest(() => clear(name, target));
  await configuration().update(name, value, target);
}

/** A write takes time, so only what has a value is written. */
async function clear(name: string, target: vscode.ConfigurationTarget): Promise<void> {
  if (settingIn(name, target) !== undefined) await configuration().update(name, undefined, target);
}

import * as vscode from 'vscode';

const written = new Map<string, () => Thenable<void>>();

/** Writes a setting of this window, by its whole name. */
export async function writeSetting(
  name: string,
  value: unknown,
  target = vscode.ConfigurationTarget.Global,
): Promise<void> {
  const write = (next: unknown) => vscode.workspace.getConfiguration(undefined, null).update(name, next, target);
  written.set(`${target} ${name}`, () => write(undefined));
  await write(value);
}

/** Takes away all that was written: it is slow, so only that. */
export async function restoreSettings(): Promise<void> {
  for (const restore of written.values()) await restore();
  written.clear();
}

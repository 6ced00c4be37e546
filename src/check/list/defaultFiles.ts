import { readdir } from 'node:fs/promises';

/** The settings of a folder, in that folder. */
export const settingsFile = '.vscode/settings.json';

export function isWorkspaceFile(name: string): boolean {
  return name.endsWith('.code-workspace');
}

/** Resolves with the workspace files of the current folder, by name. */
export async function workspaceFiles(): Promise<readonly string[]> {
  const names = await readdir('.');
  return names.filter(isWorkspaceFile).toSorted();
}

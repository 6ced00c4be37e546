// The settings files of the workspace of test/host/folders.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { until } from './editors.js';
import { atEndOfTest } from './endOfTest.js';

const deployments = 'automationPlatform.deployments';

export const [web = '', api = ''] = vscode.workspace.workspaceFolders!.map(({ uri }) =>
  join(uri.fsPath, '.vscode', 'settings.json'),
);
export const team = vscode.workspace.workspaceFile!.fsPath;
export const teamText = fs.readFileSync(team, 'utf8');
export const webName = 'web/src/.vscode/settings.json';
export const apiName = 'api/src/.vscode/settings.json';

/** The value of a setting that VS Code has read from a file. */
export function valueIn(file: string, name = deployments): unknown {
  const at = vscode.workspace.workspaceFolders!.find(({ uri }) => file.startsWith(uri.fsPath));
  const found = vscode.workspace.getConfiguration(undefined, at?.uri ?? null).inspect(name);
  return at ? found?.workspaceFolderValue : found?.workspaceValue;
}

/** Replaces a file, which VS Code never sees half-written, and waits until VS Code has read it. */
export async function given(
  file: string,
  text: string,
  value: unknown,
  name = deployments,
): Promise<void> {
  fs.mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}-${crypto.randomUUID()}`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, file);
  const seen = () => JSON.stringify(valueIn(file, name));
  await until(`VS Code to read ${file}`, () => seen() === JSON.stringify(value), seen);
}

/** The text of a workspace file with these properties behind its folders. */
export function teamWith(properties: string): string {
  return teamText.replace(/\}$/, `,\n${properties} }`);
}

/** Empties the settings of both folders, now and at the end of the test. */
export async function emptySettings(): Promise<void> {
  atEndOfTest(async () => {
    for (const file of [web, api]) await given(file, '{}\n', undefined);
    await given(team, teamText, undefined);
  });
  for (const file of [web, api]) await given(file, '{}\n', undefined);
}

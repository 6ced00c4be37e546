import * as vscode from 'vscode';
import { extensionId } from '../../host/ids.js';

/** Documents whose references are kept: diagnostics stand in them, and their ids count as mentioned (contract, "In editors"). */
export const diagnosedSchemes: readonly string[] = [
  'file',
  'untitled',
  'vscode-remote',
  'vscode-vfs',
  'vscode-userdata',
  'vscode-notebook-cell',
];

/** No texts of people's projects: output and debug consoles, and VS Code's input boxes, which are documents too. */
const unread = new Set(['output', 'debug', 'vscode-scm', 'comment', 'chatSessionInput', 'vscode-interactive-input']);

export function isDiagnosed({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return diagnosedSchemes.includes(uri.scheme) && !isOwnLog(uri);
}

export function hasHovers({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return !unread.has(uri.scheme) && !isOwnLog(uri);
}

/** Our log, opened as the file that it is: the folder of an extension's logs has its id for a name. */
function isOwnLog({ path }: vscode.Uri): boolean {
  return path.endsWith('.log') && path.toLowerCase().includes(`/${extensionId}/`);
}

/** Whose settings count for a document. A cell's own address is in no workspace folder: its notebook's is. */
export function settingsResource({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.Uri {
  if (uri.scheme !== 'vscode-notebook-cell') return uri;
  const cell = uri.toString();
  const notebook = vscode.workspace.notebookDocuments.find((candidate) =>
    candidate.getCells().some(({ document }) => document.uri.toString() === cell),
  );
  return notebook?.uri ?? uri;
}

import * as vscode from 'vscode';
import { foreignWindows } from './foreignSettings.js';

/** Which of the windows of test/host/windows this one is. */
export function foreignWindow(): (typeof foreignWindows)[number] {
  const hasFile = vscode.workspace.workspaceFile !== undefined;
  return foreignWindows.find(
    ({ isTrusted, hasWorkspaceFile }) =>
      isTrusted === vscode.workspace.isTrusted && hasWorkspaceFile === hasFile,
  )!;
}

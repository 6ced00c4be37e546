import { posix } from 'node:path';
import * as vscode from 'vscode';

/** "web", or "web/src" and "api/src" where two folders of the workspace are called `src`. */
export function folderName({ name, uri }: vscode.WorkspaceFolder): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const namesakes = workspaceFolders.filter((other) => other.name === name && String(other.uri) !== String(uri));
  if (namesakes.length === 0) return name;
  const base = workspaceFile?.scheme === uri.scheme ? posix.dirname(workspaceFile.path) : '/';
  const path = posix.relative(base, uri.path);
  return path.startsWith('..') ? uri.path : path;
}

/** The path of a file as users know it: "a.json", in a workspace of several folders "web/src/a.json". */
export function workspacePath(file: vscode.Uri): string {
  const { workspaceFolders = [] } = vscode.workspace;
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const path = vscode.workspace.asRelativePath(file, false);
  return folder && workspaceFolders.length > 1 ? `${folderName(folder)}/${path}` : path;
}

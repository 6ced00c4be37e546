import * as vscode from 'vscode';
import { distinctName, type NamedFolder } from '../model/distinctName.js';

/** "web", or "web/src" and "api/src" where two folders of the workspace are called `src`. */
export function folderName(folder: vscode.WorkspaceFolder): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const others = workspaceFolders.filter(({ uri }) => String(uri) !== String(folder.uri));
  const isBeside =
    workspaceFile?.scheme === folder.uri.scheme && workspaceFile.authority === folder.uri.authority;
  const base = isBeside ? vscode.Uri.joinPath(workspaceFile, '..').path : undefined;
  return distinctName(placeOf(folder), others.map(placeOf), base);
}

/** The path of a file as users know it: "a.json", in a workspace of several folders "web/src/a.json". */
export function workspacePath(file: vscode.Uri): string {
  const { workspaceFolders = [] } = vscode.workspace;
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const path = vscode.workspace.asRelativePath(file, false);
  return folder && workspaceFolders.length > 1 ? `${folderName(folder)}/${path}` : path;
}

function placeOf({ name, uri }: vscode.WorkspaceFolder): NamedFolder {
  return { name, path: uri.path, address: uri.toString(true) };
}

import * as vscode from 'vscode';
import { distinctName, type NamedFolder } from '../model/distinctName.js';

/** "web", or "web/src" and "api/src" if two folders of the workspace are called `src`. */
export function folderName(folder: vscode.WorkspaceFolder): string {
  const { workspaceFolders = [] } = vscode.workspace;
  const others = workspaceFolders.filter(({ uri }) => String(uri) !== String(folder.uri));
  return distinctName(
    namedFolderOf(folder),
    others.map(namedFolderOf),
    comparableWorkspacePath(folder),
  );
}

/**
 * Returns the path of the folder that contains the workspace file, to compare it with that of
 * `folder`; `undefined` without a workspace file in the same file system.
 */
function comparableWorkspacePath(folder: vscode.WorkspaceFolder): string | undefined {
  const { uri } = folder;
  const { workspaceFile } = vscode.workspace;
  if (!workspaceFile) return undefined;
  const isInSameFileSystem =
    workspaceFile.scheme === uri.scheme && workspaceFile.authority === uri.authority;
  return isInSameFileSystem ? vscode.Uri.joinPath(workspaceFile, '..').path : undefined;
}

/**
 * The path of a file as users know it: "src/a.json", in a workspace of several folders
 * "web/src/a.json".
 */
export function workspacePath(file: vscode.Uri): string {
  const { workspaceFolders = [] } = vscode.workspace;
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const path = vscode.workspace.asRelativePath(file, false);
  return folder && workspaceFolders.length > 1 ? `${folderName(folder)}/${path}` : path;
}

function namedFolderOf({ name, uri }: vscode.WorkspaceFolder): NamedFolder {
  return { name, path: uri.path, address: uri.toString(true) };
}

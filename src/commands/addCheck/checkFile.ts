import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { confirm, messageOf } from '../../host/messages.js';

export const fileName = 'automation-platform-check.mjs';

/** The file to write. */
export interface CheckFile {
  readonly uri: vscode.Uri;
  /** Its name as the disk has it: another case than `fileName` where the disk ignores case. */
  readonly name: string;
  /** The path to which links in the folder's path lead. */
  readonly folder: string;
  /** Whether the file is there already. */
  readonly exists: boolean;
}

/** Rejects if something in the folder has the name of the file, but is not a plain file. */
export async function findCheckFile(folder: vscode.Uri): Promise<CheckFile> {
  const realFolder = await realPath(folder);
  const stat = await readStat(folder, realFolder);
  if (!stat) {
    const uri = vscode.Uri.joinPath(folder, fileName);
    return { uri, name: fileName, folder: realFolder, exists: false };
  }

  const entries = await vscode.workspace.fs.readDirectory(folder);
  const names = entries.map(([name]) => name);
  const sameButCase = names.find((name) => name.toLowerCase() === fileName);
  const name = names.includes(fileName) ? fileName : (sameButCase ?? fileName);
  const values = { file: name, folder: realFolder };
  if (stat.type & vscode.FileType.SymbolicLink) {
    throw new UserError(
      vscode.l10n.t(
        '{file} in {folder} is a symbolic link, so nothing was written. Remove the link, or choose another folder.',
        values,
      ),
    );
  }
  if (stat.type !== vscode.FileType.File) {
    throw new UserError(
      vscode.l10n.t(
        '{file} in {folder} is not a file, so nothing was written. Rename it, or choose another folder.',
        values,
      ),
    );
  }
  return { uri: vscode.Uri.joinPath(folder, name), name, folder: realFolder, exists: true };
}

/**
 * Returns what VS Code knows of what has the name `fileName` in the folder, as the disk compares
 * names: even a link that leads nowhere is known. Returns `undefined` if nothing has this name.
 * Rejects if the folder cannot be read.
 */
async function readStat(
  folder: vscode.Uri,
  realFolder: string,
): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, fileName));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    const values = { file: fileName, folder: realFolder, reason: messageOf(error) };
    throw new UserError(
      vscode.l10n.t(
        '{file} in {folder} could not be read, so nothing was written. Choose another folder. VS Code reported: {reason}.',
        values,
      ),
    );
  }
}

/**
 * Returns the path to which links in the folder's path lead. The path of a file system that is not
 * on this machine stays as it is.
 */
async function realPath({ scheme, fsPath, path }: vscode.Uri): Promise<string> {
  return scheme === 'file' ? realpath(fsPath).catch(() => fsPath) : path;
}

/** Resolves with whether the user confirms it. */
export async function confirmOverwrite({ name, folder }: CheckFile): Promise<boolean> {
  const question = vscode.l10n.t('Overwrite {file}?', { file: name });
  const detail = vscode.l10n.t('A file with this name already exists in {folder}.', { folder });
  return confirm(question, [detail], vscode.l10n.t('Overwrite'));
}

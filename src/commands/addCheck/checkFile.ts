import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { setTimer as realTimer } from '../../api/timers.js';
import { UserError } from '../../host/actions.js';
import { inTime, noAnswerError } from '../../host/inTime.js';
import { confirm, messageOf, withSpinner } from '../../host/messages.js';
import { joinSentences } from '../../host/text/format.js';
import { checkVersion, isOlder } from './checkVersion.js';

export const fileName = 'automation-platform-check.mjs';

/** A larger file is no check, and is not read. */
const maxCheckBytes = 1024 * 1024;

/** The file to write. */
export interface CheckFile {
  readonly uri: vscode.Uri;
  /** Its name as the disk has it: another case than `fileName` where the disk ignores case. */
  readonly name: string;
  /** The path to which links in the folder's path lead. */
  readonly folder: string;
  /** In bytes; `undefined` if there is no such file yet. */
  readonly size: number | undefined;
}

/** Rejects if something in the folder has the name of the file, but is not a plain file. */
export async function findCheckFile(folder: vscode.Uri): Promise<CheckFile> {
  const realFolder = await realPath(folder);
  const stat = await readStat(folder, realFolder);
  if (!stat) {
    const uri = vscode.Uri.joinPath(folder, fileName);
    return { uri, name: fileName, folder: realFolder, size: undefined };
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
  return { uri: vscode.Uri.joinPath(folder, name), name, folder: realFolder, size: stat.size };
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

/**
 * Asks whether to overwrite the file with `program`, and names both versions: "In /repo, this file
 * is version 0.12.0 of the check. This extension would save version 0.13.0." Resolves with whether
 * the user confirms it.
 */
export async function confirmOverwrite(
  file: CheckFile,
  program: Uint8Array,
  setTimer = realTimer,
): Promise<boolean> {
  const reading = vscode.l10n.t('Reading {file}', { file: file.name });
  const existing = await withSpinner(reading, readVersion(file, setTimer), setTimer);
  const detail = joinSentences(
    existingVersionText(file, existing),
    ownVersionText(checkVersion(program), existing.version),
  );
  const question = vscode.l10n.t('Overwrite {file}?', { file: file.name });
  return confirm(question, [detail], vscode.l10n.t('Overwrite'));
}

/** What is known of the version of a file. */
interface ExistingVersion {
  readonly isRead: boolean;
  /** `undefined` if the file could not be read, or names no version. */
  readonly version?: string | undefined;
}

/** A file that cannot be read can be overwritten nevertheless, so this function never rejects. */
async function readVersion(
  { uri, size = 0 }: CheckFile,
  setTimer: typeof realTimer,
): Promise<ExistingVersion> {
  if (size > maxCheckBytes) return { isRead: false };
  try {
    const content = await inTime(vscode.workspace.fs.readFile(uri), noAnswerError, setTimer);
    return { isRead: true, version: checkVersion(content) };
  } catch {
    return { isRead: false };
  }
}

/** "In /repo, this file is version 0.12.0 of the check." */
function existingVersionText({ folder }: CheckFile, { isRead, version }: ExistingVersion): string {
  if (!isRead) {
    return vscode.l10n.t(
      'In {folder}, the version of this file could not be read, so it may be another program.',
      { folder },
    );
  }
  if (version === undefined) {
    return vscode.l10n.t(
      'In {folder}, this file has no version of the check in its first line, so it may be another program.',
      { folder },
    );
  }
  const values = { folder, version };
  return vscode.l10n.t('In {folder}, this file is version {version} of the check.', values);
}

/**
 * "This extension would save version 0.12.0, which is older." `existing`: the version of the file
 * that would be overwritten. Returns `undefined` if the program has no version.
 */
function ownVersionText(
  version: string | undefined,
  existing: string | undefined,
): string | undefined {
  if (version === undefined) return undefined;
  if (version === existing) return vscode.l10n.t('This extension would save the same version.');
  const values = { version };
  return existing !== undefined && isOlder(version, existing)
    ? vscode.l10n.t('This extension would save version {version}, which is older.', values)
    : vscode.l10n.t('This extension would save version {version}.', values);
}

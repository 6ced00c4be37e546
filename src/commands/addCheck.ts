import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { setTimer as realTimer } from '../api/timers.js';
import { remedyAction, UserError } from '../host/actions.js';
import { showErrors } from '../host/errors.js';
import { hasWorkspace, scopeForNewEntries } from '../host/list/settingsScope.js';
import { choose, confirm, messageOf, showMessage, withSpinner } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { joinSentences, numberText, plural } from '../host/text/format.js';
import { offerUndo } from './deployments/changeList.js';
import { scopeNames } from './deployments/scopeNames.js';
import { snippetPath, unsafeCharacter } from './snippetPath.js';

const fileName = 'automation-platform-check.mjs';

/** The folder can be on another machine, or in a file system of another extension, which may take long to answer. */
export async function addCheck(services: Services, setTimer = realTimer): Promise<void> {
  const { deploymentList } = services;
  if (deploymentList.isUntrusted) {
    const sentence = vscode.l10n.t(
      'This workspace is not trusted, so nothing was written. Trust the workspace first.',
    );
    throw new UserError(sentence, [remedyAction('manageTrust')!]);
  }
  if (!hasWorkspace() && !(await mayBeWithoutFolder(services))) return;
  const folder = await chooseFolder();
  if (!folder) return;
  const reading = vscode.l10n.t('Reading the folder for {file}', { file: fileName });
  const { name, isThere } = await withSpinner(reading, targetIn(folder), setTimer);
  const file = vscode.Uri.joinPath(folder, name);
  const path = vscode.workspace.getWorkspaceFolder(file)
    ? vscode.workspace.asRelativePath(file, false)
    : name;
  refuseUnsafe(path);
  if (isThere && !(await mayOverwrite(name, folder))) return;
  const saving = vscode.l10n.t('Saving {file}', { file: name });
  await withSpinner(saving, save(services, file, path), setTimer);
  reportSaved(services, name);
}

/** Saves the check, and opens the workflow that runs it. */
async function save({ extensionUri }: Services, file: vscode.Uri, path: string): Promise<void> {
  const read = (...names: string[]) =>
    vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, ...names));
  const workflow = new TextDecoder().decode(await read('media', 'ci', 'workflow.yml'));
  await vscode.workspace.fs.writeFile(file, await read('dist', 'check.mjs'));
  const content = workflow.replaceAll('{file}', () => snippetPath(path));
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ language: 'yaml', content }),
  );
}

/** Only a folder, so that the file has the name that README and workflow say. */
async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
    title: vscode.l10n.t('Folder for {file}', { file: fileName }),
    openLabel: vscode.l10n.t('Save Check Here'),
  });
  return chosen?.[0];
}

/** The name as the disk has it: where upper and lower case are the same, a file can be there under another one. */
async function targetIn(
  folder: vscode.Uri,
): Promise<{ readonly name: string; readonly isThere: boolean }> {
  const type = await typeInFolder(folder);
  if (type === undefined) return { name: fileName, isThere: false };
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  const sameButCase = names.find((name) => name.toLowerCase() === fileName);
  const name = names.includes(fileName) ? fileName : (sameButCase ?? fileName);
  const place = { file: name, folder: await realPath(folder) };
  if (type & vscode.FileType.SymbolicLink) {
    throw new UserError(
      vscode.l10n.t(
        '{file} in {folder} is a symbolic link, so nothing was written. Remove the link, or choose another folder.',
        place,
      ),
    );
  }
  if (type === vscode.FileType.File) return { name, isThere: true };
  throw new UserError(
    vscode.l10n.t(
      '{file} in {folder} is not a file, so nothing was written. Rename it, or choose another folder.',
      place,
    ),
  );
}

/** What stands at the name, as this disk compares names: also a link that leads nowhere. `undefined` where nothing does. */
async function typeInFolder(folder: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, fileName))).type;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    const words = { file: fileName, folder: await realPath(folder), reason: messageOf(error) };
    throw new UserError(
      vscode.l10n.t(
        '{file} in {folder} could not be read, so nothing was written. Choose another folder. VS Code reported: {reason}.',
        words,
      ),
    );
  }
}

/** The folder to which links lead. A file system that is not on this machine cannot say that. */
async function realPath({ scheme, fsPath, path }: vscode.Uri): Promise<string> {
  return scheme === 'file' ? realpath(fsPath).catch(() => fsPath) : path;
}

function refuseUnsafe(path: string): void {
  const character = unsafeCharacter(path);
  if (character === undefined) return;
  throw new UserError(
    vscode.l10n.t(
      'The path “{path}” contains “{character}”, which is not safe in a workflow, so nothing was written. Choose a folder whose path has only letters from A to Z, digits, spaces, dots, hyphens, and underscores.',
      { path, character },
    ),
  );
}

async function mayOverwrite(name: string, folder: vscode.Uri): Promise<boolean> {
  const question = vscode.l10n.t('Overwrite {file}?', { file: name });
  const place = { folder: await realPath(folder) };
  const lines = [vscode.l10n.t('A file with this name already exists in {folder}.', place)];
  return confirm(question, lines, vscode.l10n.t('Overwrite'));
}

/** Without a folder the list is in user settings only. @returns whether the check is to be saved all the same. */
async function mayBeWithoutFolder({ deploymentList }: Services): Promise<boolean> {
  const openFolder = vscode.l10n.t('Open Folder...');
  const saveAnyway = vscode.l10n.t('Save Anyway...');
  const question = vscode.l10n.t('CI reads the list from a repository. Open its folder first.');
  const unseen = unseenText(deploymentList.listedInUserSettingsOnly.length);
  const chosen = await choose(
    question,
    unseen === undefined ? [] : [unseen],
    openFolder,
    saveAnyway,
  );
  if (chosen === openFolder) await vscode.commands.executeCommand('vscode.openFolder');
  return chosen === saveAnyway;
}

function unseenText(count: number): string | undefined {
  if (count === 0) return undefined;
  const words = { count: numberText(count) };
  return plural(
    count,
    vscode.l10n.t(
      '{count} deployment is listed only in your user settings, which CI cannot see.',
      words,
    ),
    vscode.l10n.t(
      '{count} deployments are listed only in your user settings, which CI cannot see.',
      words,
    ),
  );
}

function reportSaved(services: Services, name: string): void {
  const saved = vscode.l10n.t(
    'Saved {file}. The workflow that runs it is open in an editor. Save the workflow to use it.',
    { file: name },
  );
  const unseen = services.deploymentList.listedInUserSettingsOnly;
  if (unseen.length === 0) return showMessage(saved);
  const copy = async (): Promise<void> => {
    const change = await services.deploymentList.add(unseen);
    const copied = vscode.l10n.t('Copied to the list in {places}.', {
      places: scopeNames(change.scopes),
    });
    offerUndo(services, change, copied);
  };
  const title = vscode.l10n.t('Copy to {place}', { place: scopeForNewEntries().nameInQuestion });
  const button = { title, run: () => showErrors(services.log, copy) };
  // Without a workspace there is no other list.
  showMessage(joinSentences(saved, unseenText(unseen.length)), ...(hasWorkspace() ? [button] : []));
}

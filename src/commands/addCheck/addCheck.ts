import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { setTimer as realTimer } from '../../api/timers.js';
import { remedyAction, UserError } from '../../host/actions.js';
import { showErrors } from '../../host/errors.js';
import { hasWorkspace, scopeForNewEntries } from '../../host/list/settingsScope.js';
import { chooseButton, confirm, messageOf, showMessage, withSpinner } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, numberText, plural } from '../../host/text/format.js';
import { offerUndo } from '../deployments/changeList.js';
import { scopeNames } from '../deployments/scopeNames.js';
import { snippetPath, unsafeCharacter } from './snippetPath.js';

const fileName = 'automation-platform-check.mjs';

/**
 * Add Check: asks for a folder, saves the check program there, and opens the workflow that runs it.
 * Shows spinners, because the folder can be on another machine, or in a file system of another
 * extension, which may take long to answer. Rejects if the workspace is not trusted or the file
 * cannot be saved.
 */
export async function addCheck(services: Services, setTimer = realTimer): Promise<void> {
  const { deploymentList } = services;
  if (deploymentList.isUntrusted) {
    const sentence = vscode.l10n.t(
      'This workspace is not trusted, so nothing was written. Trust the workspace first.',
    );
    throw new UserError(sentence, [remedyAction('manageTrust')!]);
  }
  if (!hasWorkspace() && !(await confirmWithoutWorkspace(services))) return;
  const folder = await chooseFolder();
  if (!folder) return;

  const reading = vscode.l10n.t('Reading the folder for {file}', { file: fileName });
  const { name, exists } = await withSpinner(reading, readTarget(folder), setTimer);
  const file = vscode.Uri.joinPath(folder, name);
  const pathInRepository = vscode.workspace.getWorkspaceFolder(file)
    ? vscode.workspace.asRelativePath(file, false)
    : name;
  refuseUnsafe(pathInRepository);
  if (exists && !(await confirmOverwrite(name, folder))) return;

  const saving = vscode.l10n.t('Saving {file}', { file: name });
  await withSpinner(saving, save(services, file, pathInRepository), setTimer);
  reportSaved(services, name);
}

/**
 * Saves the check program to `file`, and opens the workflow that runs it as an unsaved document.
 */
async function save(
  { extensionUri }: Services,
  file: vscode.Uri,
  pathInRepository: string,
): Promise<void> {
  const readOwnFile = (...names: string[]) =>
    vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, ...names));
  const workflow = new TextDecoder().decode(await readOwnFile('media', 'ci', 'github.yml'));
  await vscode.workspace.fs.writeFile(file, await readOwnFile('dist', 'check.mjs'));
  // A function, because `replaceAll` gives `$` a meaning in a text.
  const content = workflow.replaceAll('{file}', () => snippetPath(pathInRepository));
  const document = await vscode.workspace.openTextDocument({ language: 'yaml', content });
  await vscode.window.showTextDocument(document);
}

/**
 * Asks for a folder, not for a file, so that the file has the name that the README contains.
 * Returns `undefined` if the user dismisses the dialog.
 */
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

/** The file to write. */
interface CheckTarget {
  /** Its name as the disk has it: another case than `fileName` where the disk ignores case. */
  readonly name: string;
  readonly exists: boolean;
}

/** Rejects if something in the folder has the name of the file, but is not a plain file. */
async function readTarget(folder: vscode.Uri): Promise<CheckTarget> {
  const type = await readFileType(folder);
  if (type === undefined) return { name: fileName, exists: false };

  const entries = await vscode.workspace.fs.readDirectory(folder);
  const names = entries.map(([name]) => name);
  const sameButCase = names.find((name) => name.toLowerCase() === fileName);
  const name = names.includes(fileName) ? fileName : (sameButCase ?? fileName);
  const values = { file: name, folder: await realPath(folder) };
  if (type & vscode.FileType.SymbolicLink) {
    throw new UserError(
      vscode.l10n.t(
        '{file} in {folder} is a symbolic link, so nothing was written. Remove the link, or choose another folder.',
        values,
      ),
    );
  }
  if (type !== vscode.FileType.File) {
    throw new UserError(
      vscode.l10n.t(
        '{file} in {folder} is not a file, so nothing was written. Rename it, or choose another folder.',
        values,
      ),
    );
  }
  return { name, exists: true };
}

/**
 * Returns the type of what has the name `fileName` in the folder, as the disk compares names: even
 * a link that leads nowhere has a type. Returns `undefined` if nothing has this name. Rejects if
 * the folder cannot be read.
 */
async function readFileType(folder: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    const { type } = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, fileName));
    return type;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    const values = { file: fileName, folder: await realPath(folder), reason: messageOf(error) };
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

/** Throws if the path contains a character that might have a meaning of its own in the workflow. */
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

async function confirmOverwrite(name: string, folder: vscode.Uri): Promise<boolean> {
  const question = vscode.l10n.t('Overwrite {file}?', { file: name });
  const values = { folder: await realPath(folder) };
  const detail = vscode.l10n.t('A file with this name already exists in {folder}.', values);
  return confirm(question, [detail], vscode.l10n.t('Overwrite'));
}

/**
 * Asks what to do without a workspace, where only user settings list deployments. Returns whether
 * to save the check nevertheless; opens a folder if the user chooses that.
 */
async function confirmWithoutWorkspace({ deploymentList }: Services): Promise<boolean> {
  const openFolder = vscode.l10n.t('Open Folder...');
  const saveAnyway = vscode.l10n.t('Save Anyway...');
  const message = vscode.l10n.t('CI reads the list from a repository. Open its folder first.');
  const hidden = hiddenFromCiText(deploymentList.listedInUserSettingsOnly.length);
  const details = hidden === undefined ? [] : [hidden];
  const chosen = await chooseButton(message, details, openFolder, saveAnyway);
  if (chosen === openFolder) await vscode.commands.executeCommand('vscode.openFolder');
  return chosen === saveAnyway;
}

/**
 * "2 deployments are listed only in your user settings, which CI cannot see."; `undefined` for a
 * count of 0.
 */
function hiddenFromCiText(count: number): string | undefined {
  if (count === 0) return undefined;
  const values = { count: numberText(count) };
  return plural(
    count,
    vscode.l10n.t(
      '{count} deployment is listed only in your user settings, which CI cannot see.',
      values,
    ),
    vscode.l10n.t(
      '{count} deployments are listed only in your user settings, which CI cannot see.',
      values,
    ),
  );
}

/**
 * Shows a message. If there are a workspace and deployments that CI cannot see, a button copies
 * these into the workspace.
 */
function reportSaved(services: Services, name: string): void {
  const saved = vscode.l10n.t(
    'Saved {file}. The workflow that runs it is open in an editor. Save the workflow to use it.',
    { file: name },
  );
  const unseen = services.deploymentList.listedInUserSettingsOnly;
  if (unseen.length === 0) return showMessage(saved);

  const copyUnseen = async (): Promise<void> => {
    const change = await services.deploymentList.add(unseen);
    const places = scopeNames(change.scopes);
    offerUndo(services, change, vscode.l10n.t('Copied to the list in {places}.', { places }));
  };
  const copyButton = {
    title: vscode.l10n.t('Copy to {place}', { place: scopeForNewEntries().detailedName }),
    run: () => showErrors(services.log, copyUnseen),
  };
  // Without a workspace, the list in user settings is the only one.
  const buttons = hasWorkspace() ? [copyButton] : [];
  showMessage(joinSentences(saved, hiddenFromCiText(unseen.length)), ...buttons);
}

import * as vscode from 'vscode';
import { setTimer as realTimer } from '../../api/timers.js';
import { remedyAction, UserError } from '../../host/actions.js';
import { showErrors } from '../../host/errors.js';
import { hasWorkspace, scopeForNewEntries } from '../../host/list/settingsScope.js';
import { chooseButton, showMessage, withSpinner } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, numberText, plural } from '../../host/text/format.js';
import { offerUndo } from '../deployments/changeList.js';
import { scopeNames } from '../deployments/scopeNames.js';
import { confirmOverwrite, fileName, findCheckFile } from './checkFile.js';
import { chooseCiSystem } from './chooseCiSystem.js';
import { type CiSystem, findConfiguration } from './ciSystems.js';
import { unsafeCharacter } from './snippetPath.js';
import { openSnippets, readSnippets, type Snippets } from './snippets.js';

/**
 * Add CI Check: asks for a CI and a folder, saves the check program there, and opens the
 * configuration with which the CI runs it. Shows spinners, because the folder can be on another
 * machine, or in a file system of another extension, which may take long to answer. Rejects if the
 * workspace is not trusted or the file cannot be saved.
 */
export async function addCheck(services: Services, setTimer = realTimer): Promise<void> {
  const { deploymentList, extensionUri } = services;
  if (deploymentList.isUntrusted) {
    const sentence = vscode.l10n.t(
      'This workspace is not trusted, so nothing was written. Trust the workspace first.',
    );
    throw new UserError(sentence, [remedyAction('manageTrust')!]);
  }
  if (!hasWorkspace() && !(await confirmWithoutWorkspace(services))) return;
  const system = await chooseCiSystem(setTimer);
  if (!system) return;
  const folder = await chooseFolder();
  if (!folder) return;

  const reading = vscode.l10n.t('Reading the folder for {file}', { file: fileName });
  const found = Promise.all([findCheckFile(folder), findExisting(system, folder, setTimer)]);
  const [file, existing] = await withSpinner(reading, found, setTimer);
  const pathInRepository = vscode.workspace.getWorkspaceFolder(file.uri)
    ? vscode.workspace.asRelativePath(file.uri, false)
    : file.name;
  refuseUnsafe(pathInRepository);
  const programUri = vscode.Uri.joinPath(extensionUri, 'dist', 'check.mjs');
  const program = await vscode.workspace.fs.readFile(programUri);
  const isThere = file.size !== undefined;
  if (isThere && !(await confirmOverwrite(file, program, setTimer))) return;

  const snippets = await readSnippets(services, system, pathInRepository);
  const saving = vscode.l10n.t('Saving {file}', { file: file.name });
  await withSpinner(saving, save(file.uri, program, snippets), setTimer);
  reportSaved(services, savedText(file.name, system, existing));
}

/** Saves the check program, and opens the snippets that run it. */
async function save(file: vscode.Uri, program: Uint8Array, snippets: Snippets): Promise<void> {
  await vscode.workspace.fs.writeFile(file, program);
  await openSnippets(snippets);
}

/**
 * Resolves with the path of the CI's configuration in the workspace folder that contains `folder`:
 * ".gitlab-ci.yml". Resolves with `undefined` if there is none.
 */
async function findExisting(
  system: CiSystem,
  folder: vscode.Uri,
  setTimer: typeof realTimer,
): Promise<string | undefined> {
  const root = vscode.workspace.getWorkspaceFolder(folder);
  return root && findConfiguration(system, root.uri, setTimer);
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

/** Throws if the path contains a character that might have a meaning of its own in a snippet. */
function refuseUnsafe(path: string): void {
  const character = unsafeCharacter(path);
  if (character === undefined) return;
  throw new UserError(
    vscode.l10n.t(
      'The path “{path}” contains “{character}”, which is not safe in a CI configuration, so nothing was written. Choose a folder whose path has only letters from A to Z, digits, spaces, dots, hyphens, and underscores.',
      { path, character },
    ),
  );
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
 * "Saved automation-platform-check.mjs. The configuration for GitLab is open in an editor: save it
 * as .gitlab-ci.yml. A line for AGENTS.md is open beside it." `existing`: the path of the CI's
 * configuration in the repository, if there is one.
 */
function savedText(
  file: string,
  { name: ci, saveAs, saveBeside }: CiSystem,
  existing: string | undefined,
): string {
  if (existing !== undefined && saveBeside === undefined) {
    return vscode.l10n.t(
      'Saved {file}. The configuration for {ci} is open in an editor: add it to {path}. A line for AGENTS.md is open beside it.',
      { file, ci, path: existing },
    );
  }
  const path = existing === undefined ? saveAs : saveBeside;
  return vscode.l10n.t(
    'Saved {file}. The configuration for {ci} is open in an editor: save it as {path}. A line for AGENTS.md is open beside it.',
    { file, ci, path },
  );
}

/**
 * Shows `saved` in a message. If there are a workspace and deployments that CI cannot see, a button
 * copies these into the workspace.
 */
function reportSaved(services: Services, saved: string): void {
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

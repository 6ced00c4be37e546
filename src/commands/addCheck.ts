import * as vscode from 'vscode';
import { remedyAction, UserError } from '../host/actions.js';
import { showErrors } from '../host/errors.js';
import { confirm, showMessage } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { numberText, sentences } from '../host/text/format.js';
import { scopeNames } from './deployments/addDeployment.js';
import { offerUndo } from './deployments/changeList.js';

const fileName = 'automation-platform-check.mjs';

export async function addCheck(services: Services): Promise<void> {
  const { deploymentList, extensionUri } = services;
  if (deploymentList.untrusted) {
    const sentence = vscode.l10n.t('This workspace is not trusted, so nothing was written. Trust the workspace first.');
    throw new UserError(sentence, [remedyAction('manageTrust')!]);
  }
  const file = await chooseFile();
  if (!file) return;
  const read = (...path: string[]) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, ...path));
  const workflow = new TextDecoder().decode(await read('media', 'ci', 'workflow.yml'));
  await vscode.workspace.fs.writeFile(file, await read('dist', 'check.mjs'));
  const path = vscode.workspace.getWorkspaceFolder(file) ? vscode.workspace.asRelativePath(file, false) : fileName;
  const shellWord = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
  const content = workflow.replaceAll('{file}', () => shellWord);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'yaml', content }));
  reportSaved(services);
}

/** Only a folder, so that the file has the name that README and workflow say. */
async function chooseFile(): Promise<vscode.Uri | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
      title: vscode.l10n.t('Folder for {file}', { file: fileName }),
      openLabel: vscode.l10n.t('Save Check Here'),
    })) ?? [];
  if (!folder) return undefined;
  const file = vscode.Uri.joinPath(folder, fileName);
  if ((await vscode.workspace.fs.readDirectory(folder)).every(([name]) => name !== fileName)) return file;
  const question = vscode.l10n.t('Overwrite {file}?', { file: fileName });
  const lines = [vscode.l10n.t('A file with this name already exists in {folder}.', { folder: folder.path })];
  return (await confirm(question, lines, vscode.l10n.t('Overwrite'))) ? file : undefined;
}

function reportSaved(services: Services): void {
  const saved = vscode.l10n.t('Saved {file}. The workflow that runs it is open and not saved yet.', { file: fileName });
  const unseen = services.deploymentList.inUserSettingsOnly;
  if (unseen.length === 0) return showMessage(saved);
  const words = { count: numberText(unseen.length) };
  const sentence = vscode.l10n.t('Listed in user settings only, which CI cannot see: {count}.', words);
  const copy = async (): Promise<void> => {
    const change = await services.deploymentList.add(unseen);
    const copied = vscode.l10n.t('Copied to the list in {places}.', { places: scopeNames(change) });
    offerUndo(services, change, copied);
  };
  const button = { title: vscode.l10n.t('Copy to Workspace'), run: () => showErrors(services.log, copy) };
  // Without a workspace there is no other list.
  showMessage(sentences(saved, sentence), ...(vscode.workspace.name === undefined ? [] : [button]));
}

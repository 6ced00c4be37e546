import * as vscode from 'vscode';
import { setTimer as realTimer } from '../../api/timers.js';
import { workspacePath } from '../../host/folderNames.js';
import { inertLabel } from '../../model/inertText.js';
import { type CiSystem, ciSystems, findConfiguration } from './ciSystems.js';

interface CiItem extends vscode.QuickPickItem {
  readonly system: CiSystem;
}

/**
 * Asks which CI runs the check. Those with a configuration in the workspace come first. While their
 * files are searched for, VS Code shows the question without the list. Returns `undefined` if the
 * user dismisses it.
 */
export async function chooseCiSystem(setTimer = realTimer): Promise<CiSystem | undefined> {
  const chosen = await vscode.window.showQuickPick(usedSystemsFirst(setTimer), {
    title: vscode.l10n.t('Add CI Check'),
    placeHolder: vscode.l10n.t('Which CI runs the check?'),
  });
  return chosen?.system;
}

async function usedSystemsFirst(setTimer: typeof realTimer): Promise<readonly CiItem[]> {
  const items = await Promise.all(ciSystems.map((system) => itemOf(system, setTimer)));
  const used = items.filter(({ description }) => description !== '');
  const others = items.filter(({ description }) => description === '');
  return [...used, ...others];
}

/**
 * "GitLab", described as ".gitlab-ci.yml", in a workspace of several folders as
 * "web/.gitlab-ci.yml"; not described if no folder has a configuration.
 */
async function itemOf(system: CiSystem, setTimer: typeof realTimer): Promise<CiItem> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const configurations = await Promise.all(
    folders.map(async ({ uri }) => {
      const path = await findConfiguration(system, uri, setTimer);
      return path === undefined ? undefined : workspacePath(vscode.Uri.joinPath(uri, path));
    }),
  );
  const first = configurations.find((path) => path !== undefined) ?? '';
  return { label: system.name, description: inertLabel(first), system };
}

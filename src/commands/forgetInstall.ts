import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { lookUpInstallStep } from '../host/text.js';
import { UserError } from '../host/userError.js';
import type { PendingInstall } from '../model/installStore.js';
import { installItem } from './installItem.js';
import { type CommandArguments, installsOf } from './rows.js';

/** Takes installs out of the view, and their tokens out of memory. */
export async function forgetInstall(services: Services, ...args: CommandArguments): Promise<void> {
  const rows = installsOf(services, args);
  const chosen = rows.length > 0 ? rows : await pickInstalls(services);
  for (const install of chosen) services.installs.forget(install.id);
}

async function pickInstalls({ installs }: Services): Promise<readonly PendingInstall[]> {
  if (installs.installs.length === 0) {
    throw new UserError(vscode.l10n.t('No install has been looked up.'), [lookUpInstallStep()]);
  }
  const items = installs.installs.map(installItem);
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Forget Install'),
    placeHolder: vscode.l10n.t('Installs to take out of the view'),
    matchOnDescription: true,
    canPickMany: true,
  });
  return (chosen ?? []).map((item) => item.install);
}

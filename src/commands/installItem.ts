import * as vscode from 'vscode';
import { parts, planText, timeLeftText } from '../host/text.js';
import { inertLabel } from '../model/inertText.js';
import type { PendingInstall } from '../model/installStore.js';

/** One pending install in a quick pick. Without the token: that is never shown. */
export function installItem(install: PendingInstall): vscode.QuickPickItem & { readonly install: PendingInstall } {
  const { serviceName, requiredPlan } = install.answer.value;
  const name = installName(install);
  return {
    install,
    label: inertLabel(name),
    description: inertLabel(
      parts(serviceName === name ? undefined : serviceName, planText(requiredPlan), timeLeftText(install, Date.now())),
      200,
    ),
    iconPath: new vscode.ThemeIcon('package'),
  };
}

/** What its row in the view is called. */
export function installName({ answer: { value } }: PendingInstall): string {
  return value.label || value.serviceName || value.serviceId || vscode.l10n.t('unnamed install');
}

import * as vscode from 'vscode';
import { installName, parts, planText, timeLeftText } from '../host/text.js';
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

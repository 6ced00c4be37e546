import * as vscode from 'vscode';
import { icon } from '../host/icons.js';
import { contextValues } from '../host/ids.js';
import { parts } from '../host/text/format.js';
import { expiryText, installName, planText, timeLeftText } from '../host/text/install.js';
import { shorten } from '../host/text/shorten.js';
import type { PendingInstall } from '../model/installs.js';
import { treeItem } from './tree/row.js';

/**
 * "Acme CRM: needs pro · 46 min left · HubSpot": in a narrow side bar the end is cut off, and the service is what can be spared.
 * The token is nowhere in a `PendingInstall`, so it can't be shown.
 */
export function installItem(install: PendingInstall, now: number): vscode.TreeItem {
  const { value } = install.answer;
  const label = installName(install);
  const service = value.serviceName || value.serviceId;
  const plan = planText(value.requiredPlan);
  const other = service && service !== label ? shorten(service) : undefined;
  return treeItem({
    id: install.id,
    label,
    description: parts(plan, timeLeftText(install, now), other),
    icon: installIcon(install, now),
    // The absolute time: a countdown would be outdated before it is read out.
    spoken: [label, vscode.l10n.t('pending install'), plan, expiryText(install, now), other],
    contextValue: contextValues.install,
  });
}

function installIcon({ expiresAt }: PendingInstall, now: number): vscode.ThemeIcon {
  if (expiresAt === undefined) return icon('question');
  return expiresAt > now ? icon('package') : icon('circle-slash', 'disabledForeground');
}

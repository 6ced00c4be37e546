import { l10n } from 'vscode';
import { commandIds, configurationSection } from '../ids.js';
import type { Organization } from '../organizations/organization.js';
import type { Step } from '../userError.js';

export type { Step } from '../userError.js';

/** Prefilled with what the rejected token belongs to. The environment's organization is read-only: its name is reserved. */
export function signInStep(organization?: Organization): Step {
  const title = l10n.t('Sign In…');
  if (!organization) return { title, command: commandIds.signIn };
  const { baseUrl, name } = organization;
  const prefill = organization.source === 'environment' ? { baseUrl } : { baseUrl, name };
  return { title, command: commandIds.signIn, arguments: [prefill] };
}

export function setSessionTokenStep(): Step {
  return { title: l10n.t('Set User Session Token…'), command: commandIds.setSessionToken };
}

export function switchOrganizationStep(): Step {
  return { title: l10n.t('Switch Organization…'), command: commandIds.switchOrganization };
}

export function checkConnectionStep(): Step {
  return { title: l10n.t('Check Connection…'), command: commandIds.checkConnection };
}

export function showLogStep(): Step {
  return { title: l10n.t('Show Log'), command: commandIds.showLog };
}

export function refreshStep(): Step {
  return { title: l10n.t('Refresh'), command: commandIds.refresh };
}

export function lookUpInstallStep(): Step {
  return { title: l10n.t('Look Up Install…'), command: commandIds.lookUpInstall };
}

export function settingStep(key: string): Step {
  return {
    title: l10n.t('Open Setting'),
    command: 'workbench.action.openSettings',
    arguments: [`${configurationSection}.${key}`],
  };
}

export function manageTrustStep(): Step {
  return { title: l10n.t('Manage Trust'), command: 'workbench.trust.manage' };
}

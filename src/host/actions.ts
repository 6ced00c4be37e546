import { l10n } from 'vscode';
import { commandIds, configurationSection, internalCommandIds, settingKeys } from './ids.js';
import type { Organization } from './organizations/organization.js';

/** A button of a notification or a command of a row. */
export interface Action {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/**
 * An error whose message is the whole localized sentence with its next step, not yet escaped for
 * the surface that shows it. Thrown by commands and tools, and by what they call: `showError()`
 * shows the error of a command, and a tool returns its message.
 */
export class UserError extends Error {
  override readonly name = 'UserError';

  /**
   * `logLine`: what is logged, in English; absent if nothing needs to be logged, or if a line about
   * a request or the keyring already says it.
   */
  constructor(
    message: string,
    readonly actions: readonly Action[] = [],
    readonly logLine?: string,
  ) {
    super(message);
  }
}

/**
 * What Sign In need not ask for. Of an organization that gets another token, it asks for the token
 * alone; otherwise it suggests the base URL and the name.
 */
export interface SignInPrefill extends Partial<Pick<Organization, 'baseUrl' | 'name'>> {
  /**
   * The organization that gets another token: two organizations can have the same base URL and
   * name.
   */
  readonly organizationId?: string;
}

/**
 * Returns the prefill for another token of an organization. The environment's organization is
 * read-only, and its name is reserved, so only its base URL is filled in.
 */
export function signInPrefill(organization?: Organization): SignInPrefill {
  if (!organization) return {};
  const { id, baseUrl, name, source } = organization;
  if (source === 'environment') return { baseUrl };
  return { organizationId: id, baseUrl, name };
}

/** "Sign In..." `organization`: the one that gets another token. */
export function signInAction(organization?: Organization): Action {
  return {
    title: l10n.t('Sign In...'),
    command: commandIds.signIn,
    arguments: [signInPrefill(organization)],
  };
}

export const switchOrganizationAction = {
  title: l10n.t('Switch Organization...'),
  command: commandIds.switchOrganization,
};
/** The same command, for a window in which no organization is chosen. */
export const chooseOrganizationAction = {
  ...switchOrganizationAction,
  title: l10n.t('Choose Organization...'),
};
export const checkConnectionAction = {
  title: l10n.t('Check Connection'),
  command: commandIds.checkConnection,
};
export const showLogAction = { title: l10n.t('Show Log'), command: commandIds.showLog };
export const addDeploymentAction = {
  title: l10n.t('Add Deployment...'),
  command: commandIds.addDeployment,
};
export const lookUpInstallAction = {
  title: l10n.t('Look Up Install...'),
  command: commandIds.lookUpInstall,
};

export const showMyGroupsAction = {
  title: l10n.t('Show My Groups Again'),
  command: internalCommandIds.showMyGroups,
};

/** "Reload Window" */
export function reloadWindowAction(): Action {
  return { title: l10n.t('Reload Window'), command: 'workbench.action.reloadWindow' };
}

/** "Sign Out..." The command asks the user whether to sign out of this organization. */
export function signOutAction(organizationId: string): Action {
  return {
    title: l10n.t('Sign Out...'),
    command: commandIds.signOut,
    arguments: [{ organizationId }],
  };
}

/** "Open Setting" `settingId`: "automationPlatform.requestTimeout". */
export function settingAction(settingId: string): Action {
  return {
    title: l10n.t('Open Setting'),
    command: 'workbench.action.openSettings',
    arguments: [settingId],
  };
}

/**
 * What the user can do about a failure. `{ baseUrl }`: sign in with this base URL, because the base
 * URL of an organization that is signed in cannot be changed.
 */
export type Remedy =
  | 'signIn'
  | 'setSessionToken'
  | 'switchOrganization'
  | 'checkConnection'
  | 'showLog'
  | 'refresh'
  | 'lookUpInstall'
  | 'allowMoreTime'
  | 'manageTrust'
  | { readonly baseUrl: string };

/** `organization`: the one whose request failed. Returns `undefined` without a remedy. */
export function remedyAction(
  remedy: Remedy | undefined,
  organization?: Organization,
): Action | undefined {
  if (remedy === undefined) return undefined;
  if (typeof remedy === 'object') return { ...signInAction(), arguments: [remedy] };
  switch (remedy) {
    case 'signIn':
      return signInAction(organization);
    case 'setSessionToken':
      return { title: l10n.t('Set User Session Token...'), command: commandIds.setSessionToken };
    case 'switchOrganization':
      return switchOrganizationAction;
    case 'checkConnection':
      return checkConnectionAction;
    case 'showLog':
      return showLogAction;
    case 'refresh':
      return { title: l10n.t('Refresh'), command: commandIds.refresh };
    case 'lookUpInstall':
      return lookUpInstallAction;
    case 'allowMoreTime':
      return settingAction(`${configurationSection}.${settingKeys.requestTimeout}`);
    case 'manageTrust':
      return { title: l10n.t('Manage Trust'), command: commandIds.manageTrust };
  }
}

import { l10n } from 'vscode';
import { commandIds, configurationSection, settingKeys } from './ids.js';
import type { Organization } from './organizations/organization.js';

export interface Action {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/**
 * An error whose message is the whole localized sentence with its next step, not yet escaped for the surface that shows it. `logLine`
 * is what the log gets instead, in English, where no line about a request or the keyring says it.
 */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    message: string,
    readonly actions: readonly Action[] = [],
    readonly logLine?: string,
  ) {
    super(message);
  }
}

export interface SignInPrefill extends Partial<Pick<Organization, 'baseUrl' | 'name'>> {
  /** Of the organization that is to get another token. Two can have the same base URL and name. */
  readonly organizationId?: string;
}

/** What a rejected token belongs to. The environment's organization is read-only: its name is reserved. */
export function signInPrefill(organization?: Organization): SignInPrefill {
  if (!organization) return {};
  const { id, baseUrl, name } = organization;
  return organization.source === 'environment'
    ? { baseUrl }
    : { organizationId: id, baseUrl, name };
}

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
/** The same command, where no organization is chosen. */
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

export function reloadWindowAction(): Action {
  return { title: l10n.t('Reload Window'), command: 'workbench.action.reloadWindow' };
}

/** Asks whether to sign out of this one. */
export function signOutAction(organizationId: string): Action {
  return {
    title: l10n.t('Sign Out...'),
    command: commandIds.signOut,
    arguments: [{ organizationId }],
  };
}

export function settingAction(id: string): Action {
  return {
    title: l10n.t('Open Setting'),
    command: 'workbench.action.openSettings',
    arguments: [id],
  };
}

/** `baseUrl`: is offered by a sign-in that asks for it, while the one of an organization that is signed in is fixed. */
export type Remedy = keyof ReturnType<typeof remedies> | Required<Pick<SignInPrefill, 'baseUrl'>>;

export function remedyAction(
  remedy: Remedy | undefined,
  organization?: Organization,
): Action | undefined {
  if (typeof remedy !== 'object') return remedy && remedies(organization)[remedy];
  return { ...signInAction(), arguments: [remedy] };
}

function remedies(organization?: Organization) {
  return {
    signIn: signInAction(organization),
    setSessionToken: {
      title: l10n.t('Set User Session Token...'),
      command: commandIds.setSessionToken,
    },
    switchOrganization: switchOrganizationAction,
    checkConnection: checkConnectionAction,
    showLog: showLogAction,
    refresh: { title: l10n.t('Refresh'), command: commandIds.refresh },
    lookUpInstall: lookUpInstallAction,
    allowMoreTime: settingAction(`${configurationSection}.${settingKeys.requestTimeout}`),
    manageTrust: { title: l10n.t('Manage Trust'), command: commandIds.manageTrust },
  } as const;
}

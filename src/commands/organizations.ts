import * as vscode from 'vscode';
import {
  chooseOrganizationAction,
  reloadWindowAction,
  signInAction,
  UserError,
} from '../host/actions.js';
import { confirm, showStatusBarMessage } from '../host/messages.js';
import { SignedOut } from '../host/organizations/keyringErrors.js';
import type { Organization } from '../host/organizations/organization.js';
import {
  environmentSignOutError,
  type Organizations,
} from '../host/organizations/organizations.js';
import type { Services } from '../host/services.js';
import { joinSentences } from '../host/text/format.js';
import { hostOf, organizationName } from '../host/text/organization.js';
import { inertLabel } from '../model/inertText.js';
import { placeholderConfirmation, usableToken, validateToken } from './pastedToken.js';
import { askOneText } from './questions.js';

/**
 * Returns the organization that this workspace uses. Waits for the keyring, for at most 10 s.
 * Rejects with `noOrganizationError` if there is none.
 */
export async function currentOrganization({ organizations }: Services): Promise<Organization> {
  await organizations.waitForCurrent();
  if (organizations.current) return organizations.current;
  throw noOrganizationError(organizations);
}

/** Says why no organization is current, and what to do: "You are not signed in." with Sign In. */
export function noOrganizationError(organizations: Organizations): UserError {
  const { noCurrentReason, keyringError } = organizations;
  if (keyringError) return keyringError;
  if (noCurrentReason === 'chosenGone') return new SignedOut();
  if (noCurrentReason === 'chooseOne') {
    const sentence = vscode.l10n.t('Select an organization for this workspace first.');
    return new UserError(sentence, [chooseOrganizationAction]);
  }
  return new UserError(vscode.l10n.t('You are not signed in.'), [signInAction()]);
}

/** Switch Organization: lists the organizations, and `signIn` as the way to another one. */
export async function switchOrganization(
  services: Services,
  signIn: () => Promise<unknown>,
): Promise<void> {
  const { organizations, store } = services;
  const listed = await listedOrganizations(services);
  const organizationItems = listed.map((organization) => organizationItem(services, organization));
  const otherItems = organizations.lacksSignInOfOtherWindow
    ? [reloadItem(), signInItem(organizations)]
    : [signInItem(organizations)];
  const chosen = await vscode.window.showQuickPick([...organizationItems, ...otherItems], {
    title: organizations.current
      ? vscode.l10n.t('Switch Organization')
      : vscode.l10n.t('Choose Organization'),
    placeHolder: vscode.l10n.t('Select the organization for this workspace'),
    matchOnDetail: true,
  });
  if (!chosen) return;
  if ('isReload' in chosen) {
    await vscode.commands.executeCommand(reloadWindowAction().command);
    return;
  }
  if (!('organization' in chosen)) {
    await signIn();
    return;
  }

  await organizations.switchTo(chosen.organization.id);
  // A user who switches asks for the state there, even if automatic refresh is turned off.
  void store.refresh();
}

function signInItem({ keyringError }: Organizations) {
  const detail = vscode.l10n.t('Sign-ins are missing until VS Code’s secret storage can be read.');
  return {
    label: signInAction().title,
    iconPath: new vscode.ThemeIcon('add'),
    alwaysShow: true,
    ...(keyringError === undefined ? {} : { detail }),
  };
}

function reloadItem() {
  return {
    label: reloadWindowAction().title,
    iconPath: new vscode.ThemeIcon('refresh'),
    alwaysShow: true,
    detail: signedInElsewhereText(),
    isReload: true,
  };
}

/**
 * For a window that lacks a sign-in: VS Code in a browser has read its secrets before another tab
 * saved the sign-in. "Signed in in another window? Reload this window to use that sign-in."
 */
export function signedInElsewhereText(): string {
  return vscode.l10n.t('Signed in in another window? Reload this window to use that sign-in.');
}

/** Rejects if there is no organization and the keyring could not be read. */
async function listedOrganizations({ organizations }: Services): Promise<readonly Organization[]> {
  await organizations.waitForSignIns();
  const { keyringError, list } = organizations;
  if (list.length === 0 && keyringError) throw keyringError;
  return list;
}

function organizationItem({ organizations }: Services, organization: Organization) {
  const isCurrent = organization.id === organizations.current?.id;
  return {
    organization,
    label: inertLabel(organizationName(organization)),
    description: isCurrent ? vscode.l10n.t('used by this workspace') : '',
    detail: inertLabel(`${organization.baseUrl} · ${sourceText(organization)}`, 400),
    iconPath: new vscode.ThemeIcon(isCurrent ? 'check' : 'organization'),
  };
}

/** "signed in, with a user session token" */
function sourceText({ source, hasSessionToken }: Organization): string {
  if (source === 'environment') {
    const variable = 'AUTOMATION_PLATFORM_TOKEN';
    return vscode.l10n.t('from the environment variable {variable}, read-only', { variable });
  }
  return hasSessionToken
    ? vscode.l10n.t('signed in, with a user session token')
    : vscode.l10n.t('signed in');
}

/** Set User Session Token: saves what the user enters; an empty text removes the current token. */
export async function setSessionToken(services: Services): Promise<void> {
  const { organizations } = services;
  const { source, id, name, baseUrl, hasSessionToken } = await currentOrganization(services);
  if (source === 'environment') {
    throw new UserError(
      vscode.l10n.t(
        'The organization “environment” is read-only. To use a user session token, sign in to the same base URL under another name.',
      ),
      [signInAction()],
    );
  }
  await organizations.ensureKeyringAnswers();

  const prompt = vscode.l10n.t(
    'The user session token for “{name}”, to look up installs with. It is sent only to {host}.',
    { name, host: hostOf(baseUrl) },
  );
  const removeHint = hasSessionToken
    ? vscode.l10n.t('Leave empty to remove the current token.')
    : undefined;
  const entered = await askOneText(vscode.l10n.t('Set User Session Token'), {
    prompt: joinSentences(prompt, removeHint),
    placeholder: vscode.l10n.t('User session token'),
    password: true,
    validate: (text) => (text.trim() === '' ? undefined : validateToken(text)),
    confirm: placeholderConfirmation(),
  });
  if (entered === undefined) return;

  const token = usableToken(entered);
  if (token !== undefined) {
    await organizations.setSessionToken(id, token);
    showStatusBarMessage(vscode.l10n.t('Saved the user session token for “{name}”.', { name }));
  } else if (hasSessionToken) {
    await organizations.setSessionToken(id, undefined);
    showStatusBarMessage(vscode.l10n.t('Removed the user session token for “{name}”.', { name }));
  }
}

/**
 * Sign Out: asks for the organization if there are several, and for a confirmation.
 * `organizationId`: signs out of this organization, which a message with a Sign Out button is
 * about.
 */
export async function signOut(services: Services, organizationId?: string): Promise<void> {
  const { organizations } = services;
  await organizations.ensureKeyringAnswers();
  const organization =
    organizationId === undefined
      ? await chooseOrganizationToSignOut(services)
      : organizations.getFromKeyring(organizationId);
  if (!organization && organizationId !== undefined) throw new SignedOut();
  if (!organization) return;

  const { name } = organization;
  const question = vscode.l10n.t('Sign out of “{name}”?', { name });
  const details = signOutDetails(organization);
  if (!(await confirm(question, details, vscode.l10n.t('Sign Out')))) return;
  await organizations.signOut(organization.id);
  showStatusBarMessage(vscode.l10n.t('Signed out of “{name}”.', { name }));
}

/** The lines of the confirmation: the base URL, and what is deleted and what is not. */
function signOutDetails({ baseUrl, hasSessionToken }: Organization): readonly string[] {
  const deleted = hasSessionToken
    ? vscode.l10n.t('Both tokens and all data read with them are deleted from this machine.')
    : vscode.l10n.t('The access token and all data read with it are deleted from this machine.');
  const kept = vscode.l10n.t(
    'The list of deployments stays. The token stays valid on the platform.',
  );
  if (vscode.env.uiKind !== vscode.UIKind.Web) return [baseUrl, deleted, kept];

  // VS Code in a browser gives each tab a copy of all secrets.
  const otherTabs = vscode.l10n.t(
    'Other tabs no longer use what they still have of it. They forget it when you reload them.',
  );
  return [baseUrl, deleted, otherTabs, kept];
}

/**
 * Returns the organization that the user chooses; the only one without asking; `undefined` if the
 * user dismisses the list. Rejects if none can be signed out.
 */
async function chooseOrganizationToSignOut(services: Services): Promise<Organization | undefined> {
  const listed = await listedOrganizations(services);
  const inKeyring = listed.filter((organization) => organization.source === 'keyring');
  if (inKeyring.length === 0) {
    const { keyringError } = services.organizations;
    if (keyringError) throw keyringError;
    throw listed.length > 0
      ? environmentSignOutError()
      : new UserError(vscode.l10n.t('You are not signed in.'));
  }
  // If the environment's organization is listed, the user may want to sign out of it, so the list
  // is shown.
  if (listed.length === 1) return inKeyring[0];

  const items = inKeyring.map((organization) => organizationItem(services, organization));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Sign Out'),
    placeHolder: vscode.l10n.t('Select the organization to sign out of'),
    matchOnDetail: true,
  });
  return chosen?.organization;
}

import * as vscode from 'vscode';
import {
  chooseOrganizationAction,
  reloadWindowAction,
  signInAction,
  UserError,
} from '../host/actions.js';
import { confirm, mention } from '../host/messages.js';
import type { Organization } from '../host/organizations/organization.js';
import { environmentSignOut, type Organizations } from '../host/organizations/organizations.js';
import { SignedOut } from '../host/organizations/signIns.js';
import type { Services } from '../host/services.js';
import { joinSentences } from '../host/text/format.js';
import { hostOf, organizationName } from '../host/text/organization.js';
import { inertLabel } from '../model/inertText.js';
import { placeholderQuestion, tokenIn, validateToken } from './pastedToken.js';
import { askOneText } from './questions.js';

/** The organization that this workspace uses; without one, the sentence that says what to do. */
export async function currentOrganization({ organizations }: Services): Promise<Organization> {
  await organizations.waitForCurrent();
  if (organizations.current) return organizations.current;
  throw noOrganization(organizations);
}

export function noOrganization({ missing, keyringProblem }: Organizations): UserError {
  if (keyringProblem) return keyringProblem;
  if (missing === 'chosenGone') return new SignedOut();
  return missing === 'chooseOne'
    ? new UserError(vscode.l10n.t('Select an organization for this workspace first.'), [
        chooseOrganizationAction,
      ])
    : new UserError(vscode.l10n.t('You are not signed in.'), [signInAction()]);
}

export async function switchOrganization(
  services: Services,
  signIn: () => Promise<unknown>,
): Promise<void> {
  const { organizations, store } = services;
  const known = (await knownOrganizations(services)).map((organization) =>
    organizationItem(services, organization),
  );
  const isMissing = organizations.keyringProblem !== undefined;
  const another = {
    label: signInAction().title,
    iconPath: new vscode.ThemeIcon('add'),
    alwaysShow: true,
    ...(isMissing && {
      detail: vscode.l10n.t('Sign-ins are missing until VS Code’s secret storage can be read.'),
    }),
  };
  const reload = {
    label: reloadWindowAction().title,
    iconPath: new vscode.ThemeIcon('refresh'),
    alwaysShow: true,
    detail: signedInElsewhere(),
    isReload: true,
  };
  const others = organizations.lacksSignIn ? [reload, another] : [another];
  const chosen = await vscode.window.showQuickPick([...known, ...others], {
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
  await organizations.use(chosen.organization.id);
  // Also with automatic refresh turned off: a switch asks for the state there.
  void store.refresh();
}

/** Where VS Code in the browser has read its secrets before another tab saved a sign-in. */
export function signedInElsewhere(): string {
  return vscode.l10n.t('Signed in in another window? Reload this window to use that sign-in.');
}

async function knownOrganizations({ organizations }: Services): Promise<readonly Organization[]> {
  await organizations.waitForSignIns();
  const { keyringProblem, list } = organizations;
  if (list.length === 0 && keyringProblem) throw keyringProblem;
  return list;
}

function organizationItem({ organizations }: Services, organization: Organization) {
  const isCurrent = organization.id === organizations.current?.id;
  const variable = 'AUTOMATION_PLATFORM_TOKEN';
  const source =
    organization.source === 'environment'
      ? vscode.l10n.t('from the environment variable {variable}, read-only', { variable })
      : organization.hasSessionToken
        ? vscode.l10n.t('signed in, with a user session token')
        : vscode.l10n.t('signed in');
  return {
    organization,
    label: inertLabel(organizationName(organization)),
    description: isCurrent ? vscode.l10n.t('used by this workspace') : '',
    detail: inertLabel(`${organization.baseUrl} · ${source}`, 400),
    iconPath: new vscode.ThemeIcon(isCurrent ? 'check' : 'organization'),
  };
}

export async function setSessionToken(services: Services): Promise<void> {
  const { source, id, name, baseUrl, hasSessionToken } = await currentOrganization(services);
  if (source === 'environment') {
    throw new UserError(
      vscode.l10n.t(
        'The organization “environment” is read-only. To use a user session token, sign in to the same base URL under another name.',
      ),
      [signInAction()],
    );
  }
  await services.organizations.keyringAnswers();
  const values = { name, host: hostOf(baseUrl) };
  const given = await askOneText(vscode.l10n.t('Set User Session Token'), {
    prompt: joinSentences(
      vscode.l10n.t(
        'The user session token for “{name}”, to look up installs with. It is sent only to {host}.',
        values,
      ),
      hasSessionToken ? vscode.l10n.t('Leave empty to remove the current token.') : undefined,
    ),
    placeholder: vscode.l10n.t('User session token'),
    password: true,
    validate: (value) => (value.trim() === '' ? undefined : validateToken(value)),
    confirm: placeholderQuestion(),
  });
  if (given === undefined) return;
  const token = tokenIn(given);
  if (token !== undefined) {
    await services.organizations.setSessionToken(id, token);
    mention(vscode.l10n.t('Saved the user session token for “{name}”.', values));
  } else if (hasSessionToken) {
    await services.organizations.setSessionToken(id, undefined);
    mention(vscode.l10n.t('Removed the user session token for “{name}”.', values));
  }
}

/** `id`: of the organization that the message of a late sign-in was about. */
export async function signOut(services: Services, id?: string): Promise<void> {
  await services.organizations.keyringAnswers();
  const organization =
    id === undefined ? await signedInOne(services) : services.organizations.signedIn(id);
  if (!organization && id !== undefined) throw new SignedOut();
  if (!organization) return;
  const { name, baseUrl, hasSessionToken } = organization;
  const forgotten = hasSessionToken
    ? vscode.l10n.t('Both tokens and all data read with them are deleted from this machine.')
    : vscode.l10n.t('The access token and all data read with it are deleted from this machine.');
  const kept = vscode.l10n.t(
    'The list of deployments stays. The token stays valid on the platform.',
  );
  // VS Code in the browser gives each tab a copy of all secrets.
  const others =
    vscode.env.uiKind === vscode.UIKind.Web
      ? [
          vscode.l10n.t(
            'Other tabs no longer use what they still have of it. They forget it when you reload them.',
          ),
        ]
      : [];
  const question = vscode.l10n.t('Sign out of “{name}”?', { name });
  const lines = [baseUrl, forgotten, ...others, kept];
  if (!(await confirm(question, lines, vscode.l10n.t('Sign Out')))) return;
  await services.organizations.signOut(organization.id);
  mention(vscode.l10n.t('Signed out of “{name}”.', { name }));
}

async function signedInOne(services: Services): Promise<Organization | undefined> {
  const known = await knownOrganizations(services);
  const signedIn = known.filter((organization) => organization.source === 'keyring');
  if (signedIn.length === 0) {
    if (services.organizations.keyringProblem) throw services.organizations.keyringProblem;
    throw known.length > 0
      ? environmentSignOut()
      : new UserError(vscode.l10n.t('You are not signed in.'));
  }
  // With the environment's organization listed too, the person may believe to sign out of that one, so the question is asked.
  if (known.length === 1) return signedIn[0];
  const items = signedIn.map((organization) => organizationItem(services, organization));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Sign Out'),
    placeHolder: vscode.l10n.t('Select the organization to sign out of'),
    matchOnDetail: true,
  });
  return chosen?.organization;
}

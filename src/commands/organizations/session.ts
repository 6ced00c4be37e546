import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { ApiError, type Failure } from '../../api/failure.js';
import type { Phase } from '../../api/queue.js';
import type { Call, Target } from '../../api/send.js';
import { signInAction, switchOrganizationAction, UserError } from '../../host/actions.js';
import { confirm, mention } from '../../host/messages.js';
import type { Organization } from '../../host/organizations/organization.js';
import { environmentSignOut, keyringUnreadable } from '../../host/organizations/refusals.js';
import type { Services } from '../../host/services.js';
import { failureWords } from '../../host/text/failure.js';
import { sentences } from '../../host/text/format.js';
import { hostOf, organizationName } from '../../host/text/organization.js';
import { inertLabel } from '../../model/inertText.js';
import { readToken } from '../../model/input.js';
import { waitingCall } from '../meant.js';
import { askOneText } from '../questions.js';
import { signIn, validateToken } from './signIn.js';

/** The organization that this workspace uses; without one, the sentence that says what to do. */
export async function currentOrganization({ organizations }: Services): Promise<Organization> {
  await organizations.ready;
  if (organizations.current) return organizations.current;
  if (organizations.missing === 'unreadable') throw keyringUnreadable();
  throw organizations.missing === 'chooseOne'
    ? new UserError(vscode.l10n.t('Select an organization for this workspace first.'), [switchOrganizationAction])
    : new UserError(vscode.l10n.t('You are not signed in.'), [signInAction()]);
}

/** Why a request of an organization failed: for people the sentence with its step, for a language model's tool the facts. */
export class RequestFailed extends UserError {
  constructor(
    readonly failure: Failure,
    readonly organization: Organization,
    readonly operation: 'authorization' | 'install',
  ) {
    const { sentence, action } = failureWords(failure, organization, operation);
    super(sentence, action ? [action] : []);
  }
}

/** What `send` comes to with the organization's present token; `undefined` if that token is gone by then, or there is none. */
export async function sendAs<T>(
  { organizations }: Services,
  organization: Organization,
  operation: 'authorization' | 'install',
  cancellation: vscode.CancellationToken,
  send: (target: Target, call: Call) => Promise<T>,
  tell?: (phase: Phase) => void,
): Promise<T | undefined> {
  const { id } = organization;
  const targetNow = () => organizations.target(id, operation === 'install' ? 'install' : 'access');
  const target = targetNow();
  if (!target) return undefined;
  const isUnchanged = () => isDeepStrictEqual(target, targetNow());
  const waiting = waitingCall(cancellation, organizations.onDidChange, isUnchanged, tell);
  const isGone = () => waiting.changed || !isUnchanged();
  try {
    const sent = await send(target, waiting);
    return isGone() ? undefined : sent;
  } catch (error) {
    if (isGone()) return undefined;
    if (!(error instanceof ApiError) || error.failure.kind === 'cancelled') throw error;
    // The step that helps depends on the session token, which may have been set or removed since the question.
    throw new RequestFailed(error.failure, organizations.get(id) ?? organization, operation);
  } finally {
    waiting.dispose();
  }
}

/** Which of the known organizations this workspace uses; another one can be added from here. */
export async function switchOrganization(services: Services): Promise<void> {
  const { organizations, store } = services;
  const known = (await knownOrganizations(services)).map((organization) => organizationItem(services, organization));
  const another = { label: signInAction().title, iconPath: new vscode.ThemeIcon('add'), alwaysShow: true };
  const chosen = await vscode.window.showQuickPick([...known, another], {
    title: vscode.l10n.t('Switch Organization'),
    placeHolder: vscode.l10n.t('Select the organization for this workspace'),
    matchOnDetail: true,
  });
  if (!chosen) return;
  if (!('organization' in chosen)) {
    await signIn(services);
    return;
  }
  const before = organizations.current?.id;
  await organizations.use(chosen.organization.id);
  // A person who switches wants to see the state there, even with automatic refresh turned off.
  if (chosen.organization.id !== before && store.deployments.length > 0) void store.refreshAll();
}

/** Forgets one organization, after the question that names what is forgotten. */
export async function signOut(services: Services): Promise<void> {
  const organization = await signedInOne(services);
  if (!organization) return;
  const { id, name, baseUrl, hasSessionToken } = organization;
  const forgotten = hasSessionToken
    ? vscode.l10n.t('Both tokens and all data read with them are deleted from this machine.')
    : vscode.l10n.t('The access token and all data read with it are deleted from this machine.');
  const kept = vscode.l10n.t('The list of deployments stays. The token stays valid on the server.');
  const question = vscode.l10n.t('Sign out of “{name}”?', { name });
  if (!(await confirm(question, [baseUrl, forgotten, kept], vscode.l10n.t('Sign Out')))) return;
  await services.organizations.signOut(id);
  mention(vscode.l10n.t('Signed out of “{name}”.', { name }));
}

async function signedInOne(services: Services): Promise<Organization | undefined> {
  const known = await knownOrganizations(services);
  const signedIn = known.filter((organization) => organization.source === 'keyring');
  if (signedIn.length === 0) {
    throw known.length > 0 ? environmentSignOut() : new UserError(vscode.l10n.t('You are not signed in.'));
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

async function knownOrganizations({ organizations }: Services): Promise<readonly Organization[]> {
  await organizations.ready;
  if (organizations.list.length === 0 && organizations.missing === 'unreadable') throw keyringUnreadable();
  return organizations.list;
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

/** The optional second slot: the user session token that looking up an install takes. */
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
  const values = { name, host: hostOf(baseUrl) };
  const given = await askOneText(vscode.l10n.t('Set User Session Token'), {
    prompt: sentences(
      vscode.l10n.t('The user session token of “{name}”, for looking up installs. It is only sent to {host}.', values),
      hasSessionToken ? vscode.l10n.t('Leave empty to remove the current one.') : undefined,
    ),
    password: true,
    validate: (value) => (value.trim() === '' ? undefined : validateToken(value)),
  });
  if (given === undefined) return;
  const pasted = readToken(given);
  if (pasted.kind === 'token') {
    await services.organizations.setSessionToken(id, pasted.token);
    mention(vscode.l10n.t('Set the user session token of “{name}”.', values));
  } else if (hasSessionToken) {
    await services.organizations.setSessionToken(id, undefined);
    mention(vscode.l10n.t('Removed the user session token of “{name}”.', values));
  }
}

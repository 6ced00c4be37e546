import * as vscode from 'vscode';
import { ApiError, type Failure } from '../api/failure.js';
import { lookUpInstallAction, UserError } from '../host/actions.js';
import { viewIds } from '../host/ids.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { phaseText } from '../host/text/cause.js';
import { failureWords } from '../host/text/failure.js';
import { parts } from '../host/text/format.js';
import { installName, planText, timeLeftText } from '../host/text/install.js';
import { hostOf, organizationName } from '../host/text/organization.js';
import { inertLabel } from '../model/inertText.js';
import { installTokenIn, textPrefill } from '../model/input.js';
import type { PendingInstall } from '../model/installs.js';
import { type CommandArguments, installsOf } from './arguments.js';
import { sendAs } from './meant.js';
import { currentOrganization } from './organizations/switchOrganization.js';
import { askOneText, type Message, note } from './questions.js';

/** One pending install in a quick pick. */
export function installChoice(install: PendingInstall): vscode.QuickPickItem & { readonly install: PendingInstall } {
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

/** Asks for an install token (or a link with one in it) and reads what it would install. */
export async function lookUpInstall(services: Services, prefill?: unknown): Promise<void> {
  const organization = await currentOrganization(services);
  const token = await askInstallToken(organization, textPrefill(prefill));
  if (token !== undefined) await lookUp(services, organization, token);
}

/** Masked, since whoever has the token can complete the install; tools ask here too, so that it is never in a chat. */
export async function askInstallToken(organization: Organization, prefill?: string): Promise<string | undefined> {
  const given = await askOneText(vscode.l10n.t('Look Up Install'), {
    prompt: vscode.l10n.t('Install link or token, to look up in “{name}” ({host})', {
      name: organizationName(organization),
      host: hostOf(organization.baseUrl),
    }),
    ...(prefill !== undefined && { value: prefill }),
    password: true,
    validate: tokenMessage,
  });
  const found = given === undefined ? undefined : installTokenIn(given);
  return found?.kind === 'one' ? found.token : undefined;
}

function tokenMessage(text: string): Message {
  if (text.trim() === '') return vscode.l10n.t('Paste an install link or token.');
  const found = installTokenIn(text);
  switch (found.kind) {
    case 'one':
      return found.token === text ? undefined : note(vscode.l10n.t('The install token in this text is used.'));
    case 'none':
      return vscode.l10n.t('No install token found. It is a UUID: {example}.', { example: '00000000-0000-…' });
    case 'several':
      return vscode.l10n.t('Found {count} different UUIDs. Paste only the install token.', { count: found.count });
  }
}

/** The request, its progress, and the row. The organization is the one that the question named. */
export async function lookUp(services: Services, organization: Organization, token: string): Promise<void> {
  const cancellation = new vscode.CancellationTokenSource();
  let progress: vscode.Progress<{ message: string }> | undefined;
  let message = '';
  const reading = readInstall(services, organization, token, cancellation.token, (phase) => {
    message = phase;
    progress?.report({ message });
  });
  // A view's progress has no text and no Cancel button, which a slow look-up needs.
  const slow = setTimeout(() => {
    const location = vscode.ProgressLocation.Notification;
    const title = vscode.l10n.t('Looking up install');
    void vscode.window.withProgress({ location, title, cancellable: true }, (shown, { onCancellationRequested }) => {
      onCancellationRequested(() => cancellation.cancel());
      progress = shown;
      progress.report({ message });
      return reading.catch(() => undefined);
    });
  }, 2000);
  try {
    await vscode.window.withProgress({ location: { viewId: viewIds.installs } }, () =>
      Promise.all([reading, vscode.commands.executeCommand(`${viewIds.installs}.focus`)]),
    );
  } finally {
    clearTimeout(slow);
    cancellation.dispose();
  }
}

/** `undefined`: cancelled. Rejects with the sentence that people see. */
export async function readInstall(
  { organizations, client, installs }: Services,
  organization: Organization,
  token: string,
  cancellation: vscode.CancellationToken,
  report?: (message: string) => void,
): Promise<PendingInstall | undefined> {
  try {
    const answer = await sendAs(
      organizations,
      organization,
      'install',
      cancellation,
      (target, call) => client.getIntegrationInstall(target, token, call),
      (phase) => report?.(phaseText(phase)),
    );
    if (!answer) {
      throw new UserError(
        vscode.l10n.t('The look-up was stopped, because the sign-in to “{name}” has changed. Try again.', {
          name: organizationName(organization),
        }),
      );
    }
    return installs.add(token, organization.id, answer);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.failure.kind === 'cancelled') return undefined;
    // The step that helps depends on the session token, which may have been set or removed since the question.
    throw new LookUpFailed(error.failure, organizations.get(organization.id) ?? organization);
  }
}

/** For people the sentence with its step; for a language model's tool the facts. */
export class LookUpFailed extends UserError {
  constructor(
    readonly failure: Failure,
    readonly organization: Organization,
  ) {
    const { sentence, action } = failureWords(failure, organization, 'install');
    super(sentence, action ? [action] : []);
  }
}

/** Takes installs out of the view, and their tokens out of memory. */
export async function forgetInstall(services: Services, ...args: CommandArguments): Promise<void> {
  const rows = installsOf(services, args);
  const chosen = rows.length > 0 ? rows : await pickInstalls(services);
  for (const install of chosen) services.installs.forget(install.id);
}

async function pickInstalls({ installs }: Services): Promise<readonly PendingInstall[]> {
  if (installs.installs.length === 0) {
    throw new UserError(vscode.l10n.t('No pending installs.'), [lookUpInstallAction]);
  }
  const items = installs.installs.map(installChoice);
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Forget Install'),
    placeHolder: vscode.l10n.t('Select installs to remove from the view'),
    matchOnDescription: true,
    canPickMany: true,
  });
  return (chosen ?? []).map((item) => item.install);
}

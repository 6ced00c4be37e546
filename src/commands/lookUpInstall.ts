import * as vscode from 'vscode';
import { ApiError, type Failure } from '../api/failure.js';
import { lookUpInstallAction, UserError } from '../host/actions.js';
import { viewIds } from '../host/ids.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { phaseText } from '../host/text/cause.js';
import { type FailureAbout, failureAction, failureSentence } from '../host/text/failure.js';
import { parts } from '../host/text/format.js';
import { installName, planText, timeLeftText } from '../host/text/install.js';
import { hostOf, organizationName } from '../host/text/organization.js';
import { inertLabel } from '../model/inertText.js';
import { installTokenIn, textPrefill } from '../model/input.js';
import { lookedUpInstall, type PendingInstall } from '../model/installs.js';
import { type CommandArguments, installsOf } from './arguments.js';
import { isSameTarget, waitingSignal } from './meant.js';
import { currentOrganization } from './organizations/switchOrganization.js';
import { askOneText, note } from './questions.js';

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

/**
 * Asks for the token, alone or in a link. The box is masked, since whoever has the token can complete the install. A language
 * model's tool asks the person for it here too, so that the token is never in a chat.
 */
export async function askInstallToken(organization: Organization, prefill?: string): Promise<string | undefined> {
  const given = await askOneText(vscode.l10n.t('Look Up Install'), {
    prompt: vscode.l10n.t('The install link, or the token in it. “{name}” ({host}) is asked about it.', {
      name: organizationName(organization),
      host: hostOf(organization.baseUrl),
    }),
    ...(prefill !== undefined && { value: prefill }),
    password: true,
    validate,
    required: vscode.l10n.t('Paste an install link, or the token in it.'),
  });
  const found = given === undefined ? undefined : installTokenIn(given);
  return found?.kind === 'one' ? found.token : undefined;
}

function validate(text: string) {
  const found = installTokenIn(text);
  switch (found.kind) {
    case 'one':
      return found.token === text
        ? undefined
        : note(vscode.l10n.t('There is one install token in this text. It is used.'));
    case 'none':
      return vscode.l10n.t('There is no install token in this text. A token is a UUID: {example}.', {
        example: '00000000-0000-…',
      });
    case 'several':
      return vscode.l10n.t('There are {count} different UUIDs in this text. Paste only the one of the install.', {
        count: found.count,
      });
    default:
      return found satisfies never;
  }
}

/** The request, its progress, and the row. The organization is the one that the question named. */
export async function lookUp(services: Services, organization: Organization, token: string): Promise<void> {
  const install = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Looking up an install'),
      cancellable: true,
    },
    (progress, cancellation) => {
      const report = (message: string) => progress.report({ message });
      return readInstall(services, organization, token, cancellation, report);
    },
  );
  if (install) await vscode.commands.executeCommand(`${viewIds.installs}.focus`);
}

/** `undefined`: cancelled. Rejects with the sentence that people see. */
export async function readInstall(
  { organizations, client, installs }: Services,
  organization: Organization,
  token: string,
  cancellation: vscode.CancellationToken,
  report?: (message: string) => void,
): Promise<PendingInstall | undefined> {
  const target = organizations.target(organization.id, 'install');
  if (!target) throw gone(organization);
  const waiting = waitingSignal(cancellation, organizations.onDidChange, () =>
    isSameTarget(target, organizations.target(organization.id, 'install')),
  );
  try {
    const answer = await client.getIntegrationInstall(target, token, {
      signal: waiting.signal,
      urgent: true,
      onPhase: (phase) => {
        waiting.onPhase(phase);
        report?.(phaseText(phase));
      },
    });
    // After a sign-out nothing that was read with those tokens is kept.
    if (!organizations.get(organization.id)) throw gone(organization);
    return installs.add(token, lookedUpInstall(organization.id, answer));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (waiting.changed) throw gone(organization);
    if (error.failure.kind === 'cancelled') return undefined;
    // The step that helps depends on the session token, which may have been set or removed since.
    const about = { operation: 'install', organization: organizations.get(organization.id) ?? organization } as const;
    throw new LookUpFailed(error.failure, about);
  } finally {
    waiting.dispose();
  }
}

/** For people the sentence with its step; for a language model's tool the facts. */
export class LookUpFailed extends UserError {
  constructor(
    readonly failure: Failure,
    readonly about: FailureAbout,
  ) {
    const step = failureAction(failure, about);
    super(failureSentence(failure, about), step ? [step] : []);
  }
}

function gone(organization: Organization): UserError {
  return new UserError(
    vscode.l10n.t(
      'The sign-in to “{name}” changed, so nothing was looked up there. Look it up again if you still want to.',
      {
        name: organizationName(organization),
      },
    ),
  );
}

/** Takes installs out of the view, and their tokens out of memory. */
export async function forgetInstall(services: Services, ...args: CommandArguments): Promise<void> {
  const rows = installsOf(services, args);
  const chosen = rows.length > 0 ? rows : await pickInstalls(services);
  for (const install of chosen) services.installs.forget(install.id);
}

async function pickInstalls({ installs }: Services): Promise<readonly PendingInstall[]> {
  if (installs.installs.length === 0) {
    throw new UserError(vscode.l10n.t('No install has been looked up.'), [lookUpInstallAction()]);
  }
  const items = installs.installs.map(installChoice);
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Forget Install'),
    placeHolder: vscode.l10n.t('Installs to take out of the view'),
    matchOnDescription: true,
    canPickMany: true,
  });
  return (chosen ?? []).map((item) => item.install);
}

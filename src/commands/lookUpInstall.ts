import * as vscode from 'vscode';
import type { Call, Phase, Target } from '../api/call.js';
import { lookUpInstallAction, UserError } from '../host/actions.js';
import { viewIds } from '../host/ids.js';
import { withProgress } from '../host/messages.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { phaseText } from '../host/text/cause.js';
import { joinWithDots } from '../host/text/format.js';
import { installName, planText, timeLeftText } from '../host/text/install.js';
import { hostOf, organizationName } from '../host/text/organization.js';
import { DisposableOwner } from '../model/base/disposableOwner.js';
import { neighborOf } from '../model/base/neighbor.js';
import { installTokenIn } from '../model/entered/tokens.js';
import { inertLabel } from '../model/inertText.js';
import type { PendingInstall } from '../model/installs.js';
import { installsOf, type Row } from './arguments.js';
import { currentOrganization } from './organizations.js';
import { askOneText, note, type ValidationMessage } from './questions.js';
import { pickMany } from './quickPick.js';
import { sendAs } from './sendAs.js';

function installChoice(
  install: PendingInstall,
): vscode.QuickPickItem & { readonly install: PendingInstall } {
  const { serviceName, requiredPlan } = install.answer.value;
  const name = installName(install);
  const service = serviceName === name ? undefined : serviceName;
  const description = joinWithDots(
    timeLeftText(install, Date.now()),
    service,
    planText(requiredPlan),
  );
  const iconPath = new vscode.ThemeIcon('package');
  return { install, label: inertLabel(name), description: inertLabel(description, 200), iconPath };
}

export async function lookUpInstall(services: Services, prefill?: string): Promise<void> {
  const organization = await currentOrganization(services);
  const token = await askInstallToken(organization, prefill);
  if (token !== undefined) await lookUp(services, organization, token);
}

/** Masked, since the token is all it takes to complete the install. */
async function askInstallToken(
  organization: Organization,
  prefill?: string,
): Promise<string | undefined> {
  const words = { name: organizationName(organization), host: hostOf(organization.baseUrl) };
  const prompt = vscode.l10n.t('Install link or token, to look up in “{name}” ({host})', words);
  const placeholder = vscode.l10n.t('Install link or token');
  const question = { prompt, placeholder, password: true, validate: tokenMessage };
  const given = await askOneText(vscode.l10n.t('Look Up Install'), question, prefill);
  const found = given === undefined ? undefined : installTokenIn(given);
  return found?.kind === 'one' ? found.token : undefined;
}

function tokenMessage(text: string): ValidationMessage {
  if (text.trim() === '') return vscode.l10n.t('Paste an install link or token.');
  const found = installTokenIn(text);
  switch (found.kind) {
    case 'one':
      return found.token === text
        ? undefined
        : note(vscode.l10n.t('The install token in this text is used.'));
    case 'none':
      return vscode.l10n.t(
        'No install token found. An install token is a UUID, such as {example}.',
        {
          example: '00000000-0000-…',
        },
      );
    case 'several':
      return vscode.l10n.t('Found {count} different UUIDs. Paste only the install token.', {
        count: found.count,
      });
  }
}

async function lookUp(
  services: Services,
  organization: Organization,
  token: string,
): Promise<void> {
  const elsewhere = new WorkElsewhere();
  try {
    await withProgress(vscode.l10n.t('Looking up install'), async (report, cancellation) => {
      const reading = readInstall(services, organization, token, cancellation, (phase) =>
        report(phaseText(phase)),
      );
      const show = vscode.commands.executeCommand(`${viewIds.installs}.focus`);
      const [install] = await Promise.all([reading, show]);
      await (elsewhere.isPossible
        ? services.selectInstall(install)
        : services.focusInstall(install));
    });
  } finally {
    elsewhere.dispose();
  }
}

/**
 * VS Code does not say whether a view has lost the focus while an answer is waited for, but tells
 * when the user goes on in an editor.
 */
class WorkElsewhere extends DisposableOwner {
  private isInEditor = false;

  constructor() {
    super();
    this.own(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
        if (kind === Keyboard || kind === Mouse) this.isInEditor = true;
      }),
    );
  }

  get isPossible(): boolean {
    return this.isInEditor || vscode.window.activeTerminal !== undefined;
  }
}

export async function readInstall(
  services: Services,
  organization: Organization,
  token: string,
  cancellation: vscode.CancellationToken,
  onPhase?: (phase: Phase) => void,
): Promise<PendingInstall> {
  const { client, installs } = services;
  const send = (target: Target, call: Call) => client.getIntegrationInstall(target, token, call);
  const answer = await sendAs(services, organization, 'install', cancellation, send, onPhase);
  return installs.add(token, organization.id, answer);
}

export async function forgetInstall(services: Services, rows: readonly Row[]): Promise<void> {
  const { installs } = services;
  const found = installsOf(installs, rows);
  const chosen =
    found.length > 0 ? found : await pickInstalls(installs.installs, services.selectedInstalls());
  const next = neighborOf(installs.installs, found);
  for (const { id } of chosen) installs.forget(id);
  if (found.length > 0) await services.focusInstall(next);
}

async function pickInstalls(
  installs: readonly PendingInstall[],
  selected: readonly PendingInstall[],
): Promise<readonly PendingInstall[]> {
  if (installs.length === 0)
    throw new UserError(vscode.l10n.t('No pending installs.'), [lookUpInstallAction]);
  const items = installs.map(installChoice);
  const options = {
    title: vscode.l10n.t('Forget Install'),
    placeholder: vscode.l10n.t('Select installs to remove from the view'),
    matchOnDescription: true,
  };
  const suggested = items.filter(({ install }) => selected.includes(install));
  const chosen = await pickMany(items, options, suggested);
  return chosen.map(({ install }) => install);
}

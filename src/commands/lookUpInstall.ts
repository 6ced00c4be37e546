import * as vscode from 'vscode';
import type { Phase } from '../api/call.js';
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
import { type OrganizationRequest, sendAs } from './sendAs.js';

/** Look Up Install: asks for an install link or token, and shows the install. */
export async function lookUpInstall(services: Services, prefill?: string): Promise<void> {
  const organization = await currentOrganization(services);
  const token = await askInstallToken(organization, prefill);
  if (token !== undefined) await lookUp(services, organization, token);
}

/**
 * Returns the install token in what the user enters; `undefined` if the user dismissed the
 * question. The box hides the text, because anyone with the token can complete the install.
 */
async function askInstallToken(
  organization: Organization,
  prefill?: string,
): Promise<string | undefined> {
  const entered = await askOneText(
    vscode.l10n.t('Look Up Install'),
    {
      prompt: vscode.l10n.t('Install link or token, to look up in “{name}” ({host})', {
        name: organizationName(organization),
        host: hostOf(organization.baseUrl),
      }),
      placeholder: vscode.l10n.t('Install link or token'),
      password: true,
      validate: installTokenMessage,
    },
    prefill,
  );
  if (entered === undefined) return undefined;
  const found = installTokenIn(entered);
  return found.kind === 'one' ? found.token : undefined;
}

/** "Found 2 different UUIDs. Paste only the install token."; `undefined` for a token alone. */
function installTokenMessage(text: string): ValidationMessage {
  if (text.trim() === '') return vscode.l10n.t('Paste an install link or token.');
  const found = installTokenIn(text);
  switch (found.kind) {
    case 'one':
      if (found.token === text) return undefined;
      return note(vscode.l10n.t('The install token in this text is used.'));
    case 'none':
      return vscode.l10n.t(
        'No install token found. An install token is a UUID, such as {example}.',
        { example: '00000000-0000-…' },
      );
    case 'several':
      return vscode.l10n.t('Found {count} different UUIDs. Paste only the install token.', {
        count: found.count,
      });
  }
}

/** Reads the install with a progress notification, and shows its row. */
async function lookUp(
  services: Services,
  organization: Organization,
  token: string,
): Promise<void> {
  const editing = new EditorActivity();
  try {
    await withProgress(vscode.l10n.t('Looking up install'), async (report, cancellation) => {
      const onPhase = (phase: Phase): void => report(phaseText(phase));
      const reading = readInstall(services, { organization, token, cancellation, onPhase });
      const showingView = vscode.commands.executeCommand(`${viewIds.installs}.focus`);
      const [install] = await Promise.all([reading, showingView]);

      const mayUserTypeElsewhere = editing.wasSeen || vscode.window.activeTerminal !== undefined;
      await (mayUserTypeElsewhere
        ? services.selectInstall(install)
        : services.focusInstall(install));
    });
  } finally {
    editing.dispose();
  }
}

/**
 * Notices that the user goes on in an editor while an answer is waited for: VS Code does not report
 * that a view has lost the focus.
 */
class EditorActivity extends DisposableOwner {
  /** Whether the user has typed or clicked in an editor since this object was made. */
  wasSeen = false;

  constructor() {
    super();
    this.own(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
        if (kind === Keyboard || kind === Mouse) this.wasSeen = true;
      }),
    );
  }
}

interface InstallRequest
  extends Pick<OrganizationRequest<unknown>, 'organization' | 'cancellation' | 'onPhase'> {
  /** The install token, which identifies the install. */
  readonly token: string;
}

/** Reads a pending install, and adds it to the view. Rejects as `sendAs`. */
export async function readInstall(
  services: Services,
  request: InstallRequest,
): Promise<PendingInstall> {
  const { client, installs } = services;
  const { token, ...organizationRequest } = request;
  const answer = await sendAs(services, {
    ...organizationRequest,
    operation: 'install',
    send: (target, call) => client.getIntegrationInstall(target, token, call),
  });
  return installs.add(token, request.organization.id, answer);
}

/**
 * Forget Install: removes the installs of these rows from the view, or those that the user picks.
 */
export async function forgetInstall(services: Services, rows: readonly Row[]): Promise<void> {
  const { installs } = services;
  const ofRows = installsOf(installs, rows);
  const isFromRow = ofRows.length > 0;
  const forgotten = isFromRow
    ? ofRows
    : await pickInstalls(installs.installs, services.selectedInstalls());
  const neighbor = neighborOf(installs.installs, ofRows);
  for (const { id } of forgotten) installs.forget(id);
  if (isFromRow) await services.focusInstall(neighbor);
}

/** Returns the installs that the user picks. Rejects if there are none. `selected`: in the view. */
async function pickInstalls(
  installs: readonly PendingInstall[],
  selected: readonly PendingInstall[],
): Promise<readonly PendingInstall[]> {
  if (installs.length === 0)
    throw new UserError(vscode.l10n.t('No pending installs.'), [lookUpInstallAction]);
  const items = installs.map(installItem);
  const options = {
    title: vscode.l10n.t('Forget Install'),
    placeholder: vscode.l10n.t('Select installs to remove from the view'),
    matchOnDescription: true,
  };
  const suggested = items.filter(({ install }) => selected.includes(install));
  const picked = await pickMany(items, options, suggested);
  return picked.map(({ install }) => install);
}

interface InstallItem extends vscode.QuickPickItem {
  readonly install: PendingInstall;
}

function installItem(install: PendingInstall): InstallItem {
  const { serviceName, requiredPlan } = install.answer.value;
  const name = installName(install);
  const description = joinWithDots(
    timeLeftText(install, Date.now()),
    serviceName === name ? undefined : serviceName,
    planText(requiredPlan),
  );
  return {
    install,
    label: inertLabel(name),
    description: inertLabel(description, 200),
    iconPath: new vscode.ThemeIcon('package'),
  };
}

import * as vscode from 'vscode';
import type { Organization } from '../host/organization.js';
import type { Services } from '../host/services.js';
import { hostOf, installName, organizationName } from '../host/text.js';
import { UserError } from '../host/userError.js';
import { codeSpan } from '../model/inertText.js';
import type { PendingInstall } from '../model/installStore.js';
import { installItem } from './installItem.js';
import { askInstallToken, readInstall } from './lookUpInstall.js';
import type { Tool, ToolInput } from './tool.js';
import { installResult } from './toolResult.js';
import { currentOrganization } from './whichOrganization.js';

/**
 * Reads one pending install for a language model: an entry of the view by its label, else one whose token the person enters. The
 * token is never in the chat, since nobody there may keep a secret.
 */
export function installTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Reading a pending install'),
    title: vscode.l10n.t('Read a pending install?'),
    question: (input) => {
      const [install] = labelled(services, input);
      const organization = install
        ? services.organizations.get(install.organizationId)
        : services.organizations.current;
      return { organizationId: organization?.id, text: question(install, organization) };
    },
    run: async (input, token) => {
      const { organization, installToken } = await whichOne(services, input);
      const install = await readInstall(services, organization, installToken, token);
      if (!install) throw new UserError(vscode.l10n.t('Nothing was read: it was cancelled.'));
      return installResult(install.answer.value, install.answer);
    },
  };
}

function question(install: PendingInstall | undefined, organization: Organization | undefined): string {
  if (!organization) return vscode.l10n.t('Nothing is sent, since you are not signed in to an organization.');
  const values = { name: codeSpan(organizationName(organization)), host: codeSpan(hostOf(organization.baseUrl)) };
  return install
    ? vscode.l10n.t('“{label}”, from the organization “{name}” ({host}). Nothing is changed.', {
        label: codeSpan(installName(install)),
        ...values,
      })
    : vscode.l10n.t(
        'The install token is asked for in an input box and goes to the organization “{name}” ({host}) only.',
        values,
      );
}

/** Entries that are called so; two may have the same label. */
function labelled({ installs }: Services, { install }: ToolInput): readonly PendingInstall[] {
  if (typeof install !== 'string' || install.trim() === '') return [];
  return installs.installs.filter((entry) => installName(entry).trim() === install.trim());
}

async function whichOne(
  services: Services,
  input: ToolInput,
): Promise<{ readonly organization: Organization; readonly installToken: string }> {
  const matches = labelled(services, input);
  const install = matches.length > 1 ? await pickOne(matches) : matches[0];
  const organization = install && services.organizations.get(install.organizationId);
  const installToken = install && services.installs.tokenOf(install.id);
  if (organization && installToken !== undefined) return { organization, installToken };

  const current = await currentOrganization(services);
  const entered = await askInstallToken(current);
  if (entered === undefined) throw new UserError(vscode.l10n.t('No install token was entered, so nothing was read.'));
  return { organization: current, installToken: entered };
}

async function pickOne(installs: readonly PendingInstall[]): Promise<PendingInstall> {
  const chosen = await vscode.window.showQuickPick(installs.map(installItem), {
    title: vscode.l10n.t('Read a Pending Install'),
    placeHolder: vscode.l10n.t('Several have this label'),
    matchOnDescription: true,
  });
  if (!chosen) throw new UserError(vscode.l10n.t('No install was chosen, so nothing was read.'));
  return chosen.install;
}

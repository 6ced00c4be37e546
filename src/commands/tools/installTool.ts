import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { installName } from '../../host/text/install.js';
import { organizationName } from '../../host/text/organization.js';
import { codeSpan, inertLabel } from '../../model/inertText.js';
import type { PendingInstall } from '../../model/installs.js';
import { installResult } from '../../model/toolResult.js';
import { askInstallToken, installChoice, LookUpFailed, readInstall } from '../lookUpInstall.js';
import { currentOrganization } from '../organizations/switchOrganization.js';
import {
  failureFields,
  nothingRead,
  organizationChanged,
  organizationSpans,
  requireCurrent,
  type Tool,
  type ToolInput,
  type ToolQuestion,
} from './tool.js';

/**
 * Reads one pending install for a language model: an entry of the view by its label, else one whose token the person enters. The
 * token is never in the chat, since nobody there may keep a secret.
 */
export function installTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Reading a pending install'),
    title: vscode.l10n.t('Read a pending install?'),
    ask: async (input) => {
      const matches = labelled(services, input);
      if (matches.length === 0) return otherQuestion(services);
      // The entry decides which organization is asked, so it is chosen before the question names one.
      const install = matches.length > 1 ? await pickOne(services, matches) : matches[0];
      return install ? entryQuestion(services, install) : nothingChosen();
    },
  };
}

function entryQuestion(services: Services, install: PendingInstall): ToolQuestion {
  const asked = services.organizations.get(install.organizationId);
  return {
    about: JSON.stringify([install.organizationId, install.id]),
    text: asked
      ? vscode.l10n.t('Read {label} from organization {name} ({host}).', {
          label: codeSpan(installName(install)),
          ...organizationSpans(asked),
        })
      : nothingSent(),
    read: async (token) => {
      const organization = asked && services.organizations.get(asked.id);
      if (!organization) throw organizationChanged();
      return read(services, organization, services.installs.tokenOf(install.id), token);
    },
  };
}

/** What goes where is agreed to first; the token is asked for when it is read. */
function otherQuestion(services: Services): ToolQuestion {
  const asked = services.organizations.current;
  return {
    about: JSON.stringify([asked?.id]),
    text: asked
      ? vscode.l10n.t(
          'You will enter the install token in an input box. It is sent to organization {name} ({host}) only.',
          organizationSpans(asked),
        )
      : nothingSent(),
    read: async (token) => {
      requireCurrent(services, asked);
      return read(services, asked ?? (await currentOrganization(services)), undefined, token);
    },
  };
}

function nothingSent(): string {
  return vscode.l10n.t('You are not signed in, so nothing is sent.');
}

function nothingChosen(): ToolQuestion {
  const text = vscode.l10n.t('No install selected.');
  return { about: '', text, read: () => Promise.reject(new UserError(text)) };
}

/** The entries with this label: there may be several. */
function labelled({ installs }: Services, { install }: ToolInput): readonly PendingInstall[] {
  if (typeof install !== 'string' || install.trim() === '') return [];
  return installs.installs.filter((entry) => installName(entry).trim() === install.trim());
}

async function pickOne(
  { organizations }: Services,
  installs: readonly PendingInstall[],
): Promise<PendingInstall | undefined> {
  const items = installs.map((install) => {
    const organization = organizations.get(install.organizationId);
    const detail = organization && `${organizationName(organization)} · ${organization.baseUrl}`;
    return { ...installChoice(install), ...(detail && { detail: inertLabel(detail, 400) }) };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Read a Pending Install'),
    placeHolder: vscode.l10n.t('Several installs have this label. Select one.'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.install;
}

/** Without a token (there is no entry, or it has been forgotten since), the person is asked for it. */
async function read(
  services: Services,
  organization: Organization,
  known: string | undefined,
  cancellation: vscode.CancellationToken,
): Promise<object> {
  const token = known ?? (await askInstallToken(organization));
  if (token === undefined) throw new UserError(vscode.l10n.t('No install token entered.'));
  try {
    const install = await readInstall(services, organization, token, cancellation);
    if (!install) throw new UserError(nothingRead());
    return installResult(install.answer.value, install.answer);
  } catch (error) {
    if (error instanceof LookUpFailed) return failureFields(error.failure, error.about);
    throw error;
  }
}

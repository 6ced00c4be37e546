import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { installName } from '../../host/text/install.js';
import { codeSpan } from '../../model/inertText.js';
import type { PendingInstall } from '../../model/installs.js';
import { installResult } from '../../model/toolResult.js';
import { askInstallToken, installChoice, LookUpFailed, readInstall } from '../lookUpInstall.js';
import { currentOrganization } from '../organizations/switchOrganization.js';
import {
  failureFields,
  organizationChanged,
  organizationDetail,
  organizationSpans,
  questionItem,
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
      // The entry decides which organization is asked, so it is chosen before the question names one.
      const install = matches.length > 1 ? await pickOne(services, matches) : matches[0];
      if (install === 'none') return nothingChosen();
      return install ? entryQuestion(services, install) : otherQuestion(services);
    },
  };
}

function entryQuestion(services: Services, install: PendingInstall): ToolQuestion {
  const asked = services.organizations.get(install.organizationId);
  const label = installName(install);
  return {
    about: JSON.stringify([install.organizationId, install.id]),
    text: asked
      ? vscode.l10n.t('“{label}”, from the organization “{name}” ({host}). Nothing is changed.', {
          label: codeSpan(label),
          ...organizationSpans(asked),
        })
      : nothingSent(),
    item: questionItem(label, asked),
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
          'The install token is asked for in an input box and goes to the organization “{name}” ({host}) only.',
          organizationSpans(asked),
        )
      : nothingSent(),
    item: questionItem(vscode.l10n.t('The install whose token you enter'), asked),
    read: async (token) => {
      requireCurrent(services, asked);
      return read(services, asked ?? (await currentOrganization(services)), undefined, token);
    },
  };
}

function nothingSent(): string {
  return vscode.l10n.t('Nothing is sent, since you are not signed in to an organization.');
}

function nothingChosen(): ToolQuestion {
  const text = vscode.l10n.t('No install was chosen, so nothing was read.');
  return { about: '', text, item: { label: text }, read: () => Promise.reject(new UserError(text)) };
}

/** The entries with this label: there may be several. */
function labelled({ installs }: Services, { install }: ToolInput): readonly PendingInstall[] {
  if (typeof install !== 'string' || install.trim() === '') return [];
  return installs.installs.filter((entry) => installName(entry).trim() === install.trim());
}

async function pickOne(
  { organizations }: Services,
  installs: readonly PendingInstall[],
): Promise<PendingInstall | 'none'> {
  const items = installs.map((install) => {
    const organization = organizations.get(install.organizationId);
    return { ...installChoice(install), ...(organization && { detail: organizationDetail(organization) }) };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Read a Pending Install'),
    placeHolder: vscode.l10n.t('Several have this label'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.install ?? 'none';
}

/** Without a token (there is no entry, or it has been forgotten since), the person is asked for it. */
async function read(
  services: Services,
  organization: Organization,
  known: string | undefined,
  cancellation: vscode.CancellationToken,
): Promise<object> {
  const token = known ?? (await askInstallToken(organization));
  if (token === undefined) throw new UserError(vscode.l10n.t('No install token was entered, so nothing was read.'));
  try {
    const install = await readInstall(services, organization, token, cancellation);
    if (!install) throw new UserError(vscode.l10n.t('Nothing was read: it was cancelled.'));
    return installResult(install.answer.value, install.answer);
  } catch (error) {
    if (!(error instanceof LookUpFailed)) throw error;
    const { sentence, redirectedTo } = failureFields(error.failure, error.about);
    if (redirectedTo === undefined) throw error;
    return { error: sentence, redirectedTo };
  }
}

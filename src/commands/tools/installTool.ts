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
import {
  currentQuestion,
  failureFields,
  nothingRead,
  organizationChanged,
  organizationSpans,
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
      const entries = labelled(services, input);
      if (entries.length === 0) return otherQuestion(services);
      // The entry decides which organization is asked, so it is chosen before the question names one.
      const entry = entries.length > 1 ? await pickOne(entries) : entries[0];
      return entry ? entryQuestion(services, entry) : nothingChosen();
    },
  };
}

/** An entry of the view, and the organization that it was read from. */
interface Entry {
  readonly install: PendingInstall;
  readonly asked: Organization;
}

function entryQuestion(services: Services, { install, asked }: Entry): ToolQuestion {
  return {
    about: JSON.stringify([asked.id, install.id]),
    text: vscode.l10n.t('Read {label} from organization {name} ({host}).', {
      label: codeSpan(installName(install)),
      ...organizationSpans(asked),
    }),
    read: async (token) => {
      if (!services.organizations.get(asked.id)) throw organizationChanged();
      return read(services, asked, services.installs.tokenOf(install.id), token);
    },
  };
}

/** What goes where is agreed to first; the token is asked for when it is read. */
function otherQuestion(services: Services): ToolQuestion {
  return currentQuestion(
    services,
    (asked) =>
      vscode.l10n.t(
        'You will enter the install token in an input box. It is sent to organization {name} ({host}) only.',
        asked,
      ),
    (organization, token) => read(services, organization, undefined, token),
  );
}

function nothingChosen(): ToolQuestion {
  const text = vscode.l10n.t('No install selected.');
  return { about: '', text, read: () => Promise.reject(new UserError(text)) };
}

/** The entries with this label: there may be several. */
function labelled({ installs, organizations }: Services, { install: label }: ToolInput): readonly Entry[] {
  if (typeof label !== 'string' || label.trim() === '') return [];
  return installs.installs.flatMap((install) => {
    const asked = organizations.get(install.organizationId);
    return asked && installName(install).trim() === label.trim() ? { install, asked } : [];
  });
}

async function pickOne(entries: readonly Entry[]): Promise<Entry | undefined> {
  const items = entries.map((entry) => ({
    ...installChoice(entry.install),
    entry,
    detail: inertLabel(`${organizationName(entry.asked)} · ${entry.asked.baseUrl}`, 400),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Read a Pending Install'),
    placeHolder: vscode.l10n.t('Several installs have this label. Select one.'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.entry;
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
    if (error instanceof LookUpFailed) return failureFields(error.failure, error.organization, 'install');
    throw error;
  }
}

import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { installName } from '../../host/text/install.js';
import { organizationName } from '../../host/text/organization.js';
import { codeSpan, inertLabel } from '../../model/inertText.js';
import type { PendingInstall } from '../../model/installs.js';
import { installResult } from '../../model/toolResult.js';
import { askInstallToken, installChoice, readInstall } from '../lookUpInstall.js';
import {
  currentQuestion,
  organizationChanged,
  organizationSpans,
  type Tool,
  type ToolInput,
  type ToolQuestion,
} from './tool.js';

/** An entry of the view by its label, else one whose token the user enters: it never stands in the chat, which the model and its provider read. */
export function installTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Reading a pending install'),
    title: vscode.l10n.t('Read a pending install?'),
    ask: (input) => {
      const entries = labelled(services, input);
      if (entries.length > 0) return entriesQuestion(services, entries);
      // What goes where is agreed to first; the token is asked for when it is read.
      return currentQuestion(
        services,
        (asked) =>
          vscode.l10n.t(
            'You will enter the install token in an input box. It is sent only to organization {name} ({host}).',
            asked,
          ),
        (organization, token) => read(services, organization, undefined, token),
      );
    },
  };
}

interface LabelledInstall {
  readonly install: PendingInstall;
  readonly asked: Organization;
}

function entriesQuestion(services: Services, entries: readonly LabelledInstall[]): ToolQuestion {
  const [first] = entries;
  const values = { count: entries.length, label: codeSpan(installName(first!.install)) };
  return {
    text:
      entries.length === 1
        ? vscode.l10n.t('Read {label} from organization {name} ({host}).', {
            ...values,
            ...organizationSpans(first!.asked),
          })
        : vscode.l10n.t(
            'You will select one of {count} installs called {label}. The request is sent only to its organization.',
            values,
          ),
    read: async (token) => {
      const chosen = entries.length === 1 ? first : await pickOne(entries);
      if (!chosen) throw new UserError(vscode.l10n.t('No install selected.'));
      const { install, asked } = chosen;
      if (!services.organizations.get(asked.id)) throw organizationChanged();
      return read(services, asked, services.installs.tokenOf(install.id), token);
    },
  };
}

function labelled({ installs, organizations }: Services, { install: label }: ToolInput): readonly LabelledInstall[] {
  if (typeof label !== 'string' || label.trim() === '') return [];
  return installs.installs.flatMap((install) => {
    const asked = organizations.get(install.organizationId);
    return asked && installName(install).trim() === label.trim() ? { install, asked } : [];
  });
}

async function pickOne(entries: readonly LabelledInstall[]): Promise<LabelledInstall | undefined> {
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

async function read(
  services: Services,
  organization: Organization,
  known: string | undefined,
  cancellation: vscode.CancellationToken,
): Promise<object> {
  const token = known ?? (await askInstallToken(organization));
  if (token === undefined) throw new UserError(vscode.l10n.t('No install token entered.'));
  const { answer } = await readInstall(services, organization, token, cancellation);
  return installResult(answer.value, answer);
}

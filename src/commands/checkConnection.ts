import * as vscode from 'vscode';
import type { ConnectionStep } from '../api/network/check.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { showErrors } from '../host/showErrors.js';
import { absoluteTime, connectionStepLine, connectionVerdict, organizationName } from '../host/text.js';
import { UserError } from '../host/userError.js';
import { inertNotification, visibleControls } from '../model/inertText.js';
import { signalOf } from './signalOf.js';
import { isSameTarget } from './waitingSignal.js';
import { currentOrganization } from './whichOrganization.js';

/** What happens on the way to the current organization's base URL, step by step, as a text to read and to copy. */
export async function checkConnection(services: Services): Promise<void> {
  const { organizations, deploymentList, readOnlyText } = services;
  const organization = await currentOrganization(services);
  const target = organizations.target(organization.id, 'access');
  if (!target)
    throw new UserError(vscode.l10n.t('This organization is signed out. Choose another one or sign in again.'));

  // What carries a token ends with it: the check may stand at a slow step while somebody signs out, here or in another window.
  const change = new AbortController();
  const listener = organizations.onDidChange(() => {
    if (!isSameTarget(target, organizations.target(organization.id, 'access'))) change.abort();
  });
  const steps: ConnectionStep[] = [];
  const checking = vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Checking the connection'),
      cancellable: true,
    },
    async (progress, cancellation) => {
      const id = deploymentList.listed[0]?.id;
      const signal = AbortSignal.any([signalOf(cancellation), change.signal]);
      await services.checkConnection(target, signal, id, (step) => {
        steps.push(step);
        progress.report({ message: inertNotification(connectionStepLine(step)) });
      });
      return cancellation.isCancellationRequested;
    },
  );
  const cancelled = await Promise.resolve(checking).finally(() => listener.dispose());
  if (change.signal.aborted) {
    throw new UserError(
      vscode.l10n.t('The check has ended, because “{name}” was signed out or got another token. Check again.', {
        name: organizationName(organization),
      }),
    );
  }
  if (cancelled) return;
  const text = visibleText(services, organization, steps);
  await readOnlyText.show(vscode.l10n.t('Check Connection'), text);
  // Nobody waits for the answer.
  void showErrors(services.log, offerCopy)(connectionVerdict(steps), text);
}

/** Certificates and hosts are other people's text: control characters in it are made visible, line by line. */
function visibleText({ log }: Services, organization: Organization, steps: readonly ConnectionStep[]): string {
  const lines = [
    vscode.l10n.t('Connection to {url}', { url: organization.baseUrl }),
    vscode.l10n.t('Organization: {name}', { name: organizationName(organization) }),
    vscode.l10n.t('Checked: {time}', { time: absoluteTime(Date.now()) }),
    '',
    ...steps.map(connectionStepLine),
    '',
    connectionVerdict(steps),
    vscode.l10n.t('No token and no password is in this text.'),
  ];
  return lines.map((line) => visibleControls(log.redact(line))).join('\n');
}

async function offerCopy(verdict: string, text: string): Promise<void> {
  const copy = vscode.l10n.t('Copy Text');
  const chosen = await vscode.window.showInformationMessage(inertNotification(verdict, 1500), copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(text);
}

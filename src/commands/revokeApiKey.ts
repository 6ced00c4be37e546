import * as vscode from 'vscode';
import type { RevocationOutcome, Target } from '../api/call.js';
import { remedyAction, showLogAction, UserError } from '../host/actions.js';
import { commandIds } from '../host/ids.js';
import { causeLine } from '../host/log.js';
import { confirm, showErrorMessage, showMessage, withProgress } from '../host/messages.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { phaseText } from '../host/text/cause.js';
import { failureWords } from '../host/text/failure.js';
import { joinSentences } from '../host/text/format.js';
import { hostOf, organizationName } from '../host/text/organization.js';
import { shorten, shortenKeyId } from '../model/inertText.js';
import { currentOrganization } from './organizations.js';
import { askOneText, idErrorText, note, type TextQuestion } from './questions.js';
import { isTargetUnchanged, waitingCall } from './waitingCall.js';

/** Asks for the key ID, warns, asks for the key ID once more, and sends one request that is never repeated by itself. */
export async function revokeApiKey(services: Services, prefill?: string): Promise<void> {
  // No stored token may be taken for a key ID, also one of another organization.
  await services.organizations.waitForSignIns();
  const organization = await currentOrganization(services);
  const target = services.organizations.target(organization.id, 'access');
  if (!target || !isUsable(services, target)) throw targetChanged(services, organization);
  const keyId = await askKeyId(services, organization, prefill);
  if (keyId === undefined || !(await warned(organization, keyId))) return;
  if (!isUsable(services, target)) throw targetChanged(services, organization);
  if (!(await typedAgain(organization, keyId))) return;
  await sendRevocation(services, organization, target, keyId);
}

/** Whether it is the current organization with its newest token, also by what other windows did. */
function isUsable({ organizations }: Services, target: Target): boolean {
  return (
    isTargetUnchanged(target, organizations) && !organizations.hasOldToken(target.organizationId)
  );
}

export async function sendRevocation(
  services: Services,
  organization: Organization,
  target: Target,
  keyId: string,
): Promise<RevocationOutcome> {
  if (!isUsable(services, target)) throw targetChanged(services, organization);
  const outcome = await request(services, organization, target, keyId);
  notifyOutcome(outcome, keyId, organization);
  return outcome;
}

function judgedWithAll(
  outcome: RevocationOutcome,
  { id }: Organization,
  store: Services['store'],
): RevocationOutcome {
  if (outcome.kind !== 'refused') return outcome;
  return { ...outcome, failure: store.asSharedFailure(id, outcome.failure) };
}

async function askKeyId(services: Services, organization: Organization, prefill?: string) {
  const words = { name: organizationName(organization) };
  const question: TextQuestion = {
    prompt: vscode.l10n.t('ID of the API key in “{name}”, not the key itself', words),
    placeholder: vscode.l10n.t('Key ID'),
    validate: (value) => {
      const keyId = value.trim();
      const problem = idErrorText(services, keyId, {
        empty: vscode.l10n.t('Enter the ID of an API key.'),
        token: vscode.l10n.t('This is the key itself, not its ID. Enter the ID.'),
      });
      if (problem !== undefined || keyId === value) return problem;
      return note(vscode.l10n.t('Surrounding spaces are removed: {key}', { key: keyId }));
    },
  };
  return (await askOneText(vscode.l10n.t('Revoke API Key'), question, prefill))?.trim();
}

function warned(organization: Organization, keyId: string): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Permanently revoke API key {key}?', { key: keyId }),
    [
      vscode.l10n.t('Organization: {name}', { name: organizationName(organization) }),
      vscode.l10n.t('Base URL: {url}', { url: organization.baseUrl }),
      '',
      vscode.l10n.t('This cannot be undone. Everything that uses the key stops working.'),
      vscode.l10n.t('The key may be the very token that you are signed in with.'),
      vscode.l10n.t('Next, type the key ID again to confirm.'),
    ],
    vscode.l10n.t('Continue'),
  );
}

/** The box is empty and offers no help, because this is the last moment to notice a mix-up. */
async function typedAgain(organization: Organization, keyId: string): Promise<boolean> {
  const different = vscode.l10n.t('This is not the same key ID.');
  const typed = await askOneText(vscode.l10n.t('Revoke API Key'), {
    prompt: vscode.l10n.t('Type {key} again to permanently revoke this key in “{name}” ({host}).', {
      key: keyId,
      name: organizationName(organization),
      host: hostOf(organization.baseUrl),
    }),
    placeholder: vscode.l10n.t('Key ID again'),
    // Only on Enter, because a key ID is incomplete while it is being typed.
    onEnter: async (value) => (value === keyId ? undefined : different),
  });
  return typed === keyId;
}

/** Until the request is sent, Cancel and a sign-out stop it. Afterwards Cancel only ends the wait for the answer. */
async function request(
  services: Services,
  organization: Organization,
  target: Target,
  keyId: string,
) {
  const { client, organizations } = services;
  const isUnchanged = () => isUsable(services, target);
  const title = vscode.l10n.t('Revoking API key {key} in {organization}', {
    key: keyId,
    organization: organizationName(organization),
  });
  return withProgress(title, async (report, cancellation) => {
    // The user may come from another tab, where the organization has just been signed out.
    await organizations.caughtUp;
    const waiting = waitingCall(cancellation, organizations.onDidChange, isUnchanged, (phase) =>
      report(
        phase.kind === 'sending'
          ? vscode.l10n.t('sent, can no longer be stopped')
          : phaseText(phase),
      ),
    );
    try {
      const sent = await client.deleteApiKey(target, keyId, waiting);
      if (waiting.isStoppedByChange && sent.kind === 'notSent')
        throw targetChanged(services, organization);
      const outcome = judgedWithAll(sent, organization, services.store);
      // Before the progress closes, so that the log has the outcome even if VS Code is closed meanwhile.
      services.log.info(outcomeLine(outcome, shortenKeyId(keyId), organization.name));
      return outcome;
    } finally {
      waiting.dispose();
    }
  });
}

/** English like the rest of the log. The log writes the time before it. */
function outcomeLine(outcome: RevocationOutcome, key: string, organization: string): string {
  const words = {
    revoked: 'revoked',
    refused: 'refused',
    unknown: 'outcome unknown',
    notSent: 'not sent',
  };
  const word = isRefusedOnTheWay(outcome) ? 'refused, probably on the way' : words[outcome.kind];
  const status = 'status' in outcome ? outcome.status : undefined;
  const cause = causeLine(status, 'failure' in outcome ? outcome.failure : undefined);
  return `Revocation of API key ${key} in organization "${organization}": ${word}${cause}`;
}

function isRefusedOnTheWay(outcome: RevocationOutcome): boolean {
  return outcome.kind === 'refused' && outcome.failure.kind === 'notFromPlatform';
}

function notifyOutcome(
  outcome: RevocationOutcome,
  keyId: string,
  organization: Organization,
): void {
  const { sentence, remedy } = outcomeWords(outcome, keyId, organization);
  if (outcome.kind === 'revoked') {
    const another = { title: vscode.l10n.t('Revoke Another...'), command: commandIds.revokeApiKey };
    return showMessage(sentence, another, showLogAction);
  }
  const step = remedyAction(remedy, organization) ?? showLogAction;
  // With a button VS Code keeps the message until the user closes it.
  showErrorMessage(sentence, [...new Set([step, showLogAction])]);
}

/** The key ID is whole here, because its owner has to recognize it. */
export function outcomeWords(outcome: RevocationOutcome, key: string, organization: Organization) {
  const values = { key, organization: shorten(organization.name) };
  if (outcome.kind === 'revoked') {
    return {
      sentence: vscode.l10n.t('Revoked API key {key} in {organization}.', values),
      remedy: undefined,
    };
  }
  if (outcome.kind === 'unknown') {
    const may = vscode.l10n.t(
      'Outcome unknown: API key {key} in {organization} may have been revoked.',
      values,
    );
    const look = vscode.l10n.t('Look for the key in the dashboard, or revoke it again.');
    return { sentence: joinSentences(may, unknownReason(outcome), look), remedy: undefined };
  }
  let not = vscode.l10n.t('API key {key} in {organization} was not revoked.', values);
  if (outcome.kind === 'notSent') {
    not = vscode.l10n.t(
      'API key {key} in {organization} was not revoked. Nothing was sent.',
      values,
    );
  } else if (isRefusedOnTheWay(outcome)) {
    not = vscode.l10n.t(
      'API key {key} in {organization} was probably not revoked: the request was refused, probably on the way.',
      values,
    );
  }
  const { sentence, remedy } = failureWords(outcome.failure, organization, 'revocation');
  return { sentence: joinSentences(not, sentence), remedy };
}

/** Without the failure's own next step, which would be a second one. */
function unknownReason({ status, failure }: Extract<RevocationOutcome, { kind: 'unknown' }>) {
  if (failure) return failureWords(failure).name;
  return status === undefined
    ? undefined
    : vscode.l10n.t('The platform responded with {status}.', { status });
}

function targetChanged({ organizations }: Services, { id, name }: Organization): UserError {
  const problem = organizations.oldTokenError(id, { isUnsent: true });
  if (problem) return problem;
  if (!organizations.get(id)) {
    return new UserError(
      vscode.l10n.t('Nothing was sent, because “{name}” is signed out.', { name }),
    );
  }
  return new UserError(
    vscode.l10n.t(
      'Nothing was sent, because the organization, its base URL, or its token has changed. Try again.',
    ),
  );
}

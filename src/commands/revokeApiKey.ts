import * as vscode from 'vscode';
import type { Phase, RevocationOutcome, Target } from '../api/call.js';
import { type Remedy, remedyAction, showLogAction, UserError } from '../host/actions.js';
import { commandIds } from '../host/ids.js';
import { causeForLog } from '../host/log.js';
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

/**
 * Revoke API Key: asks for the key ID, warns, asks for the key ID once more, and sends one request,
 * which is never repeated automatically.
 */
export async function revokeApiKey(services: Services, prefill?: string): Promise<void> {
  // All tokens have to be known, so that none of them is taken for a key ID.
  await services.organizations.waitForSignIns();
  const organization = await currentOrganization(services);
  const target = services.organizations.target(organization.id, 'access');
  if (!target || !isUsable(services, target)) throw targetChanged(services, organization);

  const keyId = await askKeyId(services, organization, prefill);
  if (keyId === undefined || !(await confirmWarning(organization, keyId))) return;
  if (!isUsable(services, target)) throw targetChanged(services, organization);
  if (!(await askKeyIdAgain(organization, keyId))) return;
  await sendRevocation(services, organization, target, keyId);
}

/**
 * Whether the target is still that of the current organization, and no other window has changed its
 * tokens.
 */
function isUsable({ organizations }: Services, target: Target): boolean {
  return (
    isTargetUnchanged(target, organizations) && !organizations.hasOldToken(target.organizationId)
  );
}

/**
 * Sends the revocation with a progress notification, and shows its outcome in a message. Rejects if
 * the organization or its tokens have changed, so that nothing was sent.
 */
export async function sendRevocation(
  services: Services,
  organization: Organization,
  target: Target,
  keyId: string,
): Promise<RevocationOutcome> {
  if (!isUsable(services, target)) throw targetChanged(services, organization);
  const outcome = await sendWithProgress(services, organization, target, keyId);
  notifyOutcome(outcome, keyId, organization);
  return outcome;
}

/**
 * Returns the ID that the user enters, without outer spaces; `undefined` if the user dismisses it.
 */
async function askKeyId(
  services: Services,
  organization: Organization,
  prefill?: string,
): Promise<string | undefined> {
  const question: TextQuestion = {
    prompt: vscode.l10n.t('ID of the API key in “{name}”, not the key itself', {
      name: organizationName(organization),
    }),
    placeholder: vscode.l10n.t('Key ID'),
    validate: (value) => {
      const keyId = value.trim();
      const error = idErrorText(services, keyId, {
        empty: vscode.l10n.t('Enter the ID of an API key.'),
        token: vscode.l10n.t('This is the key itself, not its ID. Enter the ID.'),
      });
      if (error !== undefined || keyId === value) return error;
      return note(vscode.l10n.t('Surrounding spaces are removed: {key}', { key: keyId }));
    },
  };
  return (await askOneText(vscode.l10n.t('Revoke API Key'), question, prefill))?.trim();
}

function confirmWarning(organization: Organization, keyId: string): Promise<boolean> {
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

/**
 * Returns whether the user has typed the key ID again. The box opens empty and suggests nothing,
 * because this is the last moment to notice a mix-up.
 */
async function askKeyIdAgain(organization: Organization, keyId: string): Promise<boolean> {
  const differentError = vscode.l10n.t('This is not the same key ID.');
  const typed = await askOneText(vscode.l10n.t('Revoke API Key'), {
    prompt: vscode.l10n.t('Type {key} again to permanently revoke this key in “{name}” ({host}).', {
      key: keyId,
      name: organizationName(organization),
      host: hostOf(organization.baseUrl),
    }),
    placeholder: vscode.l10n.t('Key ID again'),
    // Only on Enter, because a key ID is incomplete while the user types it.
    onEnter: async (value) => (value === keyId ? undefined : differentError),
  });
  return typed === keyId;
}

/**
 * Sends the request, and writes its outcome to the log. Until the request is sent, Cancel and a
 * sign-out stop it. Afterwards Cancel only ends the wait for the response.
 */
async function sendWithProgress(
  services: Services,
  organization: Organization,
  target: Target,
  keyId: string,
): Promise<RevocationOutcome> {
  const { client, log, organizations, store } = services;
  const isUnchanged = () => isUsable(services, target);
  const title = vscode.l10n.t('Revoking API key {key} in {organization}', {
    key: keyId,
    organization: organizationName(organization),
  });
  return withProgress(title, async (report, cancellation) => {
    // The user may come from another tab, where the organization has just been signed out.
    await organizations.caughtUp;
    const onPhase = (phase: Phase): void => report(revocationPhaseText(phase));
    const call = waitingCall(cancellation, organizations.onDidChange, isUnchanged, onPhase);
    try {
      const sent = await client.deleteApiKey(target, keyId, call);
      if (call.isStoppedByChange && sent.kind === 'notSent') {
        throw targetChanged(services, organization);
      }
      const outcome = withSharedFailure(sent, organization.id, store);
      // Before the progress closes, so that the log has the outcome even if VS Code is closed
      // meanwhile.
      log.info(outcomeLine(outcome, shortenKeyId(keyId), organization.name));
      return outcome;
    } finally {
      call.dispose();
    }
  });
}

/** "sent, can no longer be stopped", "connecting" */
function revocationPhaseText(phase: Phase): string {
  return phase.kind === 'sending'
    ? vscode.l10n.t('sent, can no longer be stopped')
    : phaseText(phase);
}

/**
 * A refusal with a web page that all deployments get is not the platform's: `Store.asSharedFailure`
 * replaces its failure.
 */
function withSharedFailure(
  outcome: RevocationOutcome,
  organizationId: string,
  store: Services['store'],
): RevocationOutcome {
  if (outcome.kind !== 'refused') return outcome;
  return { ...outcome, failure: store.asSharedFailure(organizationId, outcome.failure) };
}

const outcomeLogWords: Readonly<Record<RevocationOutcome['kind'], string>> = {
  revoked: 'revoked',
  refused: 'refused',
  unknown: 'outcome unknown',
  notSent: 'not sent',
};

/**
 * A line for the log, which is in English: 'Revocation of API key key_…0f3c in organization "Acme":
 * refused (403 notPermitted)'. `key`: the shortened key ID.
 */
function outcomeLine(outcome: RevocationOutcome, key: string, organization: string): string {
  const word = isRefusedOnTheWay(outcome)
    ? 'refused, probably on the way'
    : outcomeLogWords[outcome.kind];
  const status = 'status' in outcome ? outcome.status : undefined;
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  const cause = causeForLog(status, failure);
  return `Revocation of API key ${key} in organization "${organization}": ${word}${cause}`;
}

/** Whether something between VS Code and the platform probably refused the request. */
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
  const helpful = remedyAction(remedy, organization) ?? showLogAction;
  const actions = helpful === showLogAction ? [showLogAction] : [helpful, showLogAction];
  // VS Code keeps a message with a button until the user closes it.
  showErrorMessage(sentence, actions);
}

/** The texts of the message about an outcome. */
interface OutcomeWords {
  /** "API key key_1 in Acme was not revoked. Not found (404). …" */
  readonly sentence: string;
  /** The button that helps; `undefined` if there is none. */
  readonly remedy: Remedy | undefined;
}

/** `key`: the whole key ID, because its owner has to recognize it. */
export function outcomeWords(
  outcome: RevocationOutcome,
  key: string,
  organization: Organization,
): OutcomeWords {
  const values = { key, organization: shorten(organization.name) };
  switch (outcome.kind) {
    case 'revoked': {
      const sentence = vscode.l10n.t('Revoked API key {key} in {organization}.', values);
      return { sentence, remedy: undefined };
    }
    case 'unknown': {
      const unknown = vscode.l10n.t(
        'Outcome unknown: API key {key} in {organization} may have been revoked.',
        values,
      );
      const advice = vscode.l10n.t('Look for the key in the dashboard, or revoke it again.');
      const sentence = joinSentences(unknown, unknownReason(outcome), advice);
      return { sentence, remedy: undefined };
    }
    case 'refused':
    case 'notSent': {
      const { sentence, remedy } = failureWords(outcome.failure, organization, 'revocation');
      return { sentence: joinSentences(notRevokedText(outcome, values), sentence), remedy };
    }
  }
}

/** "API key key_1 in Acme was not revoked. Nothing was sent." */
function notRevokedText(
  outcome: RevocationOutcome,
  values: { readonly key: string; readonly organization: string },
): string {
  if (outcome.kind === 'notSent') {
    return vscode.l10n.t(
      'API key {key} in {organization} was not revoked. Nothing was sent.',
      values,
    );
  }
  if (isRefusedOnTheWay(outcome)) {
    return vscode.l10n.t(
      'API key {key} in {organization} was probably not revoked: the request was refused, probably on the way.',
      values,
    );
  }
  return vscode.l10n.t('API key {key} in {organization} was not revoked.', values);
}

/**
 * "The platform responded with 202."; `undefined` if nothing is known. Leaves out the failure's own
 * next step, because the message has one already.
 */
function unknownReason({
  status,
  failure,
}: Extract<RevocationOutcome, { kind: 'unknown' }>): string | undefined {
  if (failure) return failureWords(failure).name;
  if (status === undefined) return undefined;
  return vscode.l10n.t('The platform responded with {status}.', { status });
}

/** "Nothing was sent, because “Acme” is signed out." */
function targetChanged({ organizations }: Services, { id, name }: Organization): UserError {
  const oldTokenError = organizations.oldTokenError(id, { isUnsent: true });
  if (oldTokenError) return oldTokenError;
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

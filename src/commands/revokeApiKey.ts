import * as vscode from 'vscode';
import type { Phase, RevocationOutcome } from '../api/client.js';
import type { Services } from '../host/services.js';
import { showErrors } from '../host/showError.js';
import { organizationName, revocationSentence, revocationStep, showLogStep } from '../host/text.js';
import { UserError } from '../host/userError.js';
import { shortenKeyId } from '../model/identifiers.js';
import { inertNotification } from '../model/inertText.js';
import { idProblem } from './idProblem.js';
import { phaseText } from './phaseText.js';
import { textPrefill } from './prefill.js';
import { isStillMeant, type RevocationTarget, revocationTarget, UnderWay } from './revocation.js';
import { confirm, tellTrouble } from './say.js';
import { signalOf } from './signalOf.js';
import { askOneText, note } from './steps.js';
import { currentOrganization } from './whichOrganization.js';

/**
 * Permanently revokes an API key: the key id, a warning that names everything, the key id once more, and then one request that is
 * never repeated (contract, "Revocation"). Whoever stops anywhere before that has changed nothing.
 */
export function createRevokeApiKey(services: Services): (prefill?: unknown) => Promise<void> {
  const underWay = new UnderWay();
  return async (prefill) => {
    const meant = revocationTarget(services.organizations, await currentOrganization(services));
    if (!meant) throw changed();

    const keyId = await askKeyId(services, meant, textPrefill(prefill));
    if (keyId === undefined) return;
    if (!(await warned(meant, keyId))) return;
    if (!(await typedAgain(keyId))) return;

    if (!isStillMeant(meant, services.organizations)) throw changed();
    if (!underWay.begin(meant.target, keyId)) throw alreadyUnderWay(keyId);
    try {
      tellOutcome(services, meant, keyId, await send(services, meant, keyId));
    } finally {
      underWay.end(meant.target, keyId);
    }
  };
}

async function askKeyId(services: Services, { organization }: RevocationTarget, prefill?: string) {
  const given = await askOneText(
    { title: vscode.l10n.t('Revoke API Key'), ignoreFocusOut: true },
    {
      prompt: vscode.l10n.t('The id of the API key in “{name}”. Not the key itself.', {
        name: organizationName(organization),
      }),
      ...(prefill !== undefined && { value: prefill }),
      validate: (value) => validateKeyId(services, value),
      required: vscode.l10n.t('Enter the id of an API key.'),
    },
  );
  return given?.trim();
}

function validateKeyId({ organizations }: Services, value: string) {
  const keyId = value.trim();
  const problem = idProblem(keyId, (text) => organizations.holdsToken(text));
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('Enter the id of an API key.');
    case 'token':
      return vscode.l10n.t('This is the key itself, not its id. The id stands beside the key in the dashboard.');
    case 'tooLong':
      return vscode.l10n.t('This is far too long for an id.');
    case 'dotSegment':
      return vscode.l10n.t('“.” and “..” are no ids: they would change the address of the request.');
    case 'loneSurrogate':
      return vscode.l10n.t('There is a broken character in this id. Copy it again.');
    case undefined:
      return keyId === value
        ? undefined
        : note(vscode.l10n.t('Used without the spaces around it: {key}', { key: keyId }));
    default:
      return problem satisfies never;
  }
}

function warned({ organization, target }: RevocationTarget, keyId: string): Promise<boolean> {
  const t = vscode.l10n.t;
  return confirm(
    t('Permanently revoke the API key “{key}”?', { key: keyId }),
    [
      t('Organization: {name}', { name: organizationName(organization) }),
      t('Base URL: {url}', { url: target.baseUrl }),
      '',
      t('This cannot be undone. Everything that uses the key stops working.'),
      t('The key may be the very token that is in use here, or anywhere else.'),
      t('The key id is asked for once more before anything is sent.'),
    ],
    t('Continue'),
  );
}

/** Exactly the same, with no help from us: this is the last moment to notice a mix-up. */
async function typedAgain(keyId: string): Promise<boolean> {
  const different = vscode.l10n.t('This is not the same key id. Nothing has been sent.');
  const typed = await askOneText(
    { title: vscode.l10n.t('Revoke API Key'), ignoreFocusOut: true },
    {
      prompt: vscode.l10n.t('Type the key id {key} once more to revoke it for good.', { key: keyId }),
      // An error while typing would be one before the last character, so it waits for Enter.
      validateOnEnter: (value) => (value === keyId ? undefined : different),
    },
  );
  return typed === keyId;
}

/**
 * Cancelling helps as long as the request waits for its turn. Once it is on its way nobody can call it back: then cancelling ends
 * the waiting only, and the outcome says so.
 */
async function send(
  { client }: Services,
  { target, organization }: RevocationTarget,
  keyId: string,
): Promise<RevocationOutcome> {
  const title = vscode.l10n.t('Revoking the API key {key} of “{name}”', {
    key: shortenKeyId(keyId),
    name: organizationName(organization),
  });
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: inertNotification(title), cancellable: true },
    (progress, cancellation) =>
      client.deleteApiKey(target, keyId, {
        signal: signalOf(cancellation),
        urgent: true,
        onPhase: (phase) => progress.report({ message: sendingText(phase) }),
      }),
  );
}

function sendingText(phase: Phase): string {
  return phase.kind === 'sending'
    ? vscode.l10n.t('on its way, and cannot be called back; cancelling only ends the waiting')
    : phaseText(phase);
}

/** In the log, and as a message that stays until somebody closes it. With the key id shortened in both. */
function tellOutcome(
  services: Services,
  { organization }: RevocationTarget,
  keyId: string,
  outcome: RevocationOutcome,
): void {
  const key = shortenKeyId(keyId);
  services.log.info(outcomeLine(outcome, key, organization.name));
  const sentence = revocationSentence(outcome, key, organization);
  if (outcome.kind === 'revoked') {
    void showErrors(services.log, () =>
      vscode.window.showInformationMessage(inertNotification(sentence), { modal: true }),
    )();
    return;
  }
  const step = revocationStep(outcome, organization);
  const log = showLogStep();
  if (step === undefined || step.command === log.command) tellTrouble(services, sentence, log);
  else tellTrouble(services, sentence, step, log);
}

/** English like the rest of the log. The log writes the time before it. */
function outcomeLine(outcome: RevocationOutcome, key: string, organization: string): string {
  const words = { revoked: 'revoked', refused: 'refused', unknown: 'outcome unknown', notSent: 'not sent' };
  const status = 'status' in outcome ? outcome.status : undefined;
  const failure = 'failure' in outcome ? outcome.failure?.kind : undefined;
  const cause = [status, failure].filter((part) => part !== undefined).join(' ');
  return `Revocation of API key ${key} in organization "${organization}": ${words[outcome.kind]}${cause && ` (${cause})`}`;
}

function changed(): UserError {
  return new UserError(
    vscode.l10n.t(
      'The organization, its base URL or its token changed while you were asked. Nothing was sent; begin again if you still want to revoke the key.',
    ),
  );
}

function alreadyUnderWay(keyId: string): UserError {
  return new UserError(
    vscode.l10n.t('The API key {key} is being revoked already. No second request was sent.', {
      key: shortenKeyId(keyId),
    }),
  );
}

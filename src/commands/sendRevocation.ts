import * as vscode from 'vscode';
import type { Phase, RevocationOutcome } from '../api/client.js';
import type { Services } from '../host/services.js';
import { showErrors } from '../host/showErrors.js';
import { organizationName, revocationSentence, revocationStep, showLogStep } from '../host/text.js';
import { UserError } from '../host/userError.js';
import { shortenKeyId } from '../model/identifiers.js';
import { inertNotification } from '../model/inertText.js';
import { phaseText } from './phaseText.js';
import { isStillMeant, type RevocationTarget, UnderWay } from './revocation.js';
import { tellTrouble } from './say.js';
import { waitingSignal } from './waitingSignal.js';

/**
 * What follows the confirmation: the last look at what was meant, one request, and its outcome in the log and on the screen. Two
 * requests for one key are never under way at the same time.
 */
export function createSendRevocation(
  services: Services,
): (meant: RevocationTarget, keyId: string) => Promise<RevocationOutcome> {
  const underWay = new UnderWay();
  return async (meant, keyId) => {
    if (!isStillMeant(meant, services.organizations)) throw targetChanged();
    if (!underWay.begin(meant.target, keyId)) throw alreadyUnderWay(keyId);
    try {
      const { outcome, changed } = await send(services, meant, keyId);
      if (changed && outcome.kind === 'notSent') throw targetChanged();
      tellOutcome(services, meant, keyId, outcome);
      return outcome;
    } finally {
      underWay.end(meant.target, keyId);
    }
  };
}

/**
 * Cancelling, or a sign-out, helps as long as nothing of the request is on its way. Afterwards nobody can call it back: then
 * cancelling ends the waiting only, and the outcome says so.
 */
async function send(
  { client, organizations }: Services,
  meant: RevocationTarget,
  keyId: string,
): Promise<{ readonly outcome: RevocationOutcome; readonly changed: boolean }> {
  const { target, organization } = meant;
  const title = vscode.l10n.t('Revoking the API key {key} of “{name}”', {
    key: shortenKeyId(keyId),
    name: organizationName(organization),
  });
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: inertNotification(title), cancellable: true },
    async (progress, cancellation) => {
      const waiting = waitingSignal(cancellation, organizations.onDidChange, () => isStillMeant(meant, organizations));
      try {
        const outcome = await client.deleteApiKey(target, keyId, {
          signal: waiting.signal,
          urgent: true,
          onPhase: (phase) => {
            waiting.onPhase(phase);
            progress.report({ message: sendingText(phase) });
          },
        });
        return { outcome, changed: waiting.changed };
      } finally {
        waiting.dispose();
      }
    },
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

/** Also if there was no secret to begin with. */
export function targetChanged(): UserError {
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

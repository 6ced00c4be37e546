import * as vscode from 'vscode';
import type { Phase } from '../api/queue.js';
import type { RevocationOutcome } from '../api/send.js';
import { showLogAction, UserError } from '../host/actions.js';
import { showErrors } from '../host/errors.js';
import { confirm, tellTrouble } from '../host/messages.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { phaseText } from '../host/text/cause.js';
import { type FailureAbout, failureAction, failureSentence, failureWord } from '../host/text/failure.js';
import { sentences } from '../host/text/format.js';
import { organizationName } from '../host/text/organization.js';
import { inertNotification, shorten, shortenKeyId } from '../model/inertText.js';
import { textPrefill } from '../model/input.js';
import { isStillMeant, type RevocationTarget, revocationTarget, UnderWay, waitingSignal } from './meant.js';
import { currentOrganization } from './organizations/switchOrganization.js';
import { askOneText, idProblemText, note } from './questions.js';

/**
 * Permanently revokes an API key: the key id, a warning that names everything, the key id once more, and then one request that is
 * never repeated (contract). Whoever stops anywhere before that has changed nothing.
 */
export class RevokeApiKey {
  private readonly underWay = new UnderWay();

  constructor(private readonly services: Services) {}

  async run(prefill?: unknown): Promise<void> {
    const { services } = this;
    const meant = revocationTarget(services.organizations, await currentOrganization(services));
    if (!meant) throw targetChanged();
    const keyId = await askKeyId(services, meant, textPrefill(prefill));
    if (keyId === undefined || !(await warned(meant, keyId)) || !(await typedAgain(keyId))) return;
    await this.send(meant, keyId);
  }

  /**
   * What follows the confirmation: the last look at what was meant, one request, and its outcome in the log and on the screen. Two
   * requests for one key are never under way at the same time.
   */
  async send(meant: RevocationTarget, keyId: string): Promise<RevocationOutcome> {
    const { services, underWay } = this;
    if (!isStillMeant(meant, services.organizations)) throw targetChanged();
    if (!underWay.begin(meant.target, keyId)) throw alreadyUnderWay(keyId);
    try {
      const { outcome, changed } = await request(services, meant, keyId);
      if (changed && outcome.kind === 'notSent') throw targetChanged();
      tellOutcome(services, meant, keyId, outcome);
      return outcome;
    } finally {
      underWay.end(meant.target, keyId);
    }
  }
}

async function askKeyId(services: Services, { organization }: RevocationTarget, prefill?: string) {
  const given = await askOneText(vscode.l10n.t('Revoke API Key'), {
    prompt: vscode.l10n.t('The id of the API key in “{name}”. Not the key itself.', {
      name: organizationName(organization),
    }),
    ...(prefill !== undefined && { value: prefill }),
    validate: (value) => validateKeyId(services, value),
    required: vscode.l10n.t('Enter the id of an API key.'),
  });
  return given?.trim();
}

function validateKeyId({ organizations }: Services, value: string) {
  const keyId = value.trim();
  const problem = idProblemText(organizations, keyId, {
    empty: vscode.l10n.t('Enter the id of an API key.'),
    token: vscode.l10n.t('This is the key itself, not its id. The id stands beside the key in the dashboard.'),
  });
  if (problem !== undefined || keyId === value) return problem;
  return note(vscode.l10n.t('Used without the spaces around it: {key}', { key: keyId }));
}

function warned({ organization, target }: RevocationTarget, keyId: string): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Permanently revoke the API key “{key}”?', { key: keyId }),
    [
      vscode.l10n.t('Organization: {name}', { name: organizationName(organization) }),
      vscode.l10n.t('Base URL: {url}', { url: target.baseUrl }),
      '',
      vscode.l10n.t('This cannot be undone. Everything that uses the key stops working.'),
      vscode.l10n.t('The key may be the very token that is in use here, or anywhere else.'),
      vscode.l10n.t('The key id is asked for once more before anything is sent.'),
    ],
    vscode.l10n.t('Continue'),
  );
}

/** The box is empty and offers no help, because this is the last moment to notice a mix-up. */
async function typedAgain(keyId: string): Promise<boolean> {
  const different = vscode.l10n.t('This is not the same key id. Nothing has been sent.');
  const typed = await askOneText(vscode.l10n.t('Revoke API Key'), {
    prompt: vscode.l10n.t('Type the key id {key} once more to revoke it for good.', { key: keyId }),
    // While it is being typed, every key id is incomplete and would be an error.
    validateOnEnter: (value) => (value === keyId ? undefined : different),
  });
  return typed === keyId;
}

/**
 * Cancelling and signing out stop the request as long as nothing of it is on its way. Afterwards cancelling only ends the waiting,
 * and the outcome says so.
 */
async function request(
  { client, organizations }: Services,
  meant: RevocationTarget,
  keyId: string,
): Promise<{ outcome: RevocationOutcome; changed: boolean }> {
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

/** In the log, and as a message that stays until somebody closes it; both have the shortened key id. */
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
  const log = showLogAction();
  // An outcome that is not known has no step of its own: looking comes first.
  const step = outcome.kind === 'unknown' ? undefined : failureAction(outcome.failure, aboutRevocation(organization));
  if (step === undefined || step.command === log.command) tellTrouble(sentence, log);
  else tellTrouble(sentence, step, log);
}

/** English like the rest of the log. The log writes the time before it. */
function outcomeLine(outcome: RevocationOutcome, key: string, organization: string): string {
  const words = { revoked: 'revoked', refused: 'refused', unknown: 'outcome unknown', notSent: 'not sent' };
  const status = 'status' in outcome ? outcome.status : undefined;
  const failure = 'failure' in outcome ? outcome.failure?.kind : undefined;
  const cause = [status, failure].filter((part) => part !== undefined).join(' ');
  return `Revocation of API key ${key} in organization "${organization}": ${words[outcome.kind]}${cause && ` (${cause})`}`;
}

/** The four honest outcomes (contract). */
export function revocationSentence(outcome: RevocationOutcome, keyId: string, organization: Organization): string {
  const values = { key: shorten(keyId), organization: shorten(organization.name) };
  const about = aboutRevocation(organization);
  switch (outcome.kind) {
    case 'revoked':
      return vscode.l10n.t('{status}: The API key {key} of “{organization}” is revoked.', {
        status: outcome.status,
        ...values,
      });
    case 'refused':
      return sentences(
        failureSentence(outcome.failure, about),
        vscode.l10n.t('The API key {key} of “{organization}” was not revoked.', values),
      );
    case 'unknown':
      return sentences(
        outcome.status === undefined
          ? vscode.l10n.t(
              'The outcome is not known: the request to revoke the API key {key} of “{organization}” was sent, but no answer came.',
              values,
            )
          : vscode.l10n.t(
              '{status}: The outcome is not known: the request to revoke the API key {key} of “{organization}” was sent, and this answer does not say whether it was done.',
              { status: outcome.status, ...values },
            ),
        outcome.failure && vscode.l10n.t('Cause: {cause}.', { cause: failureWord(outcome.failure) }),
        vscode.l10n.t('Look in the dashboard whether the key still exists, or revoke it again by hand.'),
      );
    case 'notSent':
      return sentences(
        vscode.l10n.t('Nothing was sent, so the API key {key} of “{organization}” was not revoked.', values),
        failureSentence(outcome.failure, about),
      );
  }
}

function aboutRevocation(organization: Organization): FailureAbout {
  return { operation: 'revocation', organization };
}

/** Also said if the organization had no token to begin with. */
function targetChanged(): UserError {
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

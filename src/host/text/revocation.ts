import { l10n } from 'vscode';
import type { RevocationOutcome } from '../../api/client.js';
import type { Organization } from '../organizations/organization.js';
import { failureSentence, failureStep, failureWord } from './failure.js';
import { sentences, shorten } from './format.js';
import type { Step } from './step.js';

/** The four honest outcomes (contract, "Revocation"). `keyId` is the whole one for the dialog, the shortened one for the log. */
export function revocationSentence(outcome: RevocationOutcome, keyId: string, organization: Organization): string {
  const values = { key: shorten(keyId), organization: shorten(organization.name) };
  const about = { operation: 'revocation' as const, organization };
  switch (outcome.kind) {
    case 'revoked':
      return l10n.t('{status}: The API key {key} of “{organization}” is revoked.', {
        status: outcome.status,
        ...values,
      });
    case 'refused':
      return sentences(
        failureSentence(outcome.failure, about),
        l10n.t('The API key {key} of “{organization}” was not revoked.', values),
      );
    case 'unknown':
      return sentences(
        outcome.status === undefined
          ? l10n.t(
              'The outcome is not known: the request to revoke the API key {key} of “{organization}” was sent, but no answer came.',
              values,
            )
          : l10n.t(
              '{status}: The outcome is not known: the request to revoke the API key {key} of “{organization}” was sent, and this answer does not say whether it was done.',
              { status: outcome.status, ...values },
            ),
        outcome.failure && l10n.t('Cause: {cause}.', { cause: failureWord(outcome.failure) }),
        l10n.t('Look in the dashboard whether the key still exists, or revoke it again by hand.'),
      );
    case 'notSent':
      return sentences(
        l10n.t('Nothing was sent, so the API key {key} of “{organization}” was not revoked.', values),
        failureSentence(outcome.failure, about),
      );
  }
}

/** The button that goes with it, if one helps. An outcome that is not known has none: looking comes first. */
export function revocationStep(outcome: RevocationOutcome, organization: Organization): Step | undefined {
  return outcome.kind === 'refused' || outcome.kind === 'notSent'
    ? failureStep(outcome.failure, { operation: 'revocation', organization })
    : undefined;
}

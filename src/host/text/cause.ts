import { l10n } from 'vscode';
import type { Phase } from '../../api/call.js';
import type { FailedRead } from '../../model/toolResult.js';
import type { ElementOf } from '../../model/tree/elements.js';
import type { Organization } from '../organizations/organization.js';
import { failureFields, failureWords, wordWithStatus } from './failure.js';
import { clockTime, sentences } from './format.js';

type Cause = ElementOf<'cause'>['cause'];

export function causeWords(
  cause: Cause,
  organization: Organization | undefined,
): Pick<ReturnType<typeof failureWords>, 'word' | 'sentence' | 'remedy'> {
  switch (cause.kind) {
    case 'failure': {
      const { failure, isOffline } = cause;
      const words = failureWords(failure, organization);
      if (isOffline) {
        return {
          word: l10n.t('Offline'),
          sentence: l10n.t('Offline: no deployment can be read. Check the connection to see which step fails.'),
          remedy: 'checkConnection',
        };
      }
      // More time helps one deployment that is slow, not where none answers.
      if (failure.kind === 'timedOut') return { ...words, remedy: 'checkConnection' };
      return { ...words, word: wordWithStatus(failure) };
    }
    case 'paused':
      // What waits goes on by itself, so there is no step.
      return {
        word: l10n.t('Paused until {time}', { time: clockTime(cause.until) }),
        sentence: pausedText(cause.until),
        remedy: undefined,
      };
    case 'untrusted':
      return {
        word: l10n.t('Workspace not trusted'),
        sentence: l10n.t(
          'This workspace is not trusted, so deployments in its settings are ignored. Trust the workspace to use them.',
        ),
        remedy: 'manageTrust',
      };
  }
}

/** For a tool: the sentence without the texts of whoever answered, which stand in fields of their own. */
export function causeFields(cause: Cause, organization: Organization | undefined): FailedRead {
  if (cause.kind !== 'failure') return { error: causeWords(cause, organization).sentence };
  return failureFields(cause.failure, (failure) => causeWords({ ...cause, failure }, organization).sentence);
}

export function asOfText(cause: Cause | undefined): string | undefined {
  if (cause?.kind !== 'failure' || cause.asOf === undefined) return undefined;
  return asOfTime(cause.asOf);
}

/** "as of 10:05 PM". `at`, `now`: epoch ms. */
export function asOfTime(at: number, now?: number): string {
  return l10n.t('as of {time}', { time: clockTime(at, now) });
}

/** "Rate limited (429). Requests resume at 10:15 PM." `until`: epoch ms. */
function pausedText(until: number): string {
  const { name } = failureWords({ kind: 'rateLimited', status: 429, until });
  return sentences(name, l10n.t('Requests resume at {time}.', { time: clockTime(until) }));
}

export function phaseText(phase: Phase): string {
  switch (phase.kind) {
    case 'waiting':
      return l10n.t('waiting');
    case 'paused':
      return pausedText(phase.until);
    case 'connecting':
      return l10n.t('connecting');
    case 'sending':
      return l10n.t('waiting for a response');
  }
}

import type { Failure } from '../api/failure.js';
import { failureWords } from '../host/text/failure.js';
import { joinSentences } from '../host/text/format.js';
import {
  accountLabel,
  adviceLabel,
  adviceText,
  errorMessage,
  nameList,
  problemText,
} from '../host/text/problem.js';
import type { Problem } from '../model/findings/findings.js';
import { shorten } from '../model/inertText.js';
import { nextStepAfter } from './nextStep.js';
import type { EnvironmentProxy } from './proxy.js';

/** Where the deployments were read from. */
export interface CheckedPlatform {
  readonly baseUrl: string;
  readonly proxy: EnvironmentProxy | undefined;
}

/**
 * Says why a deployment could not be read, and what to do about it from a terminal or CI. Output
 * makes one.
 */
export class FailureTexts {
  constructor(private readonly platform: CheckedPlatform) {}

  /** "Not found (404). The deployment was probably deleted, or … Check the ID, …" */
  sentences(failure: Failure): string {
    const { name, meaning, doubt } = this.wordsOf(failure);
    return joinSentences(name, meaning, this.nextStep(failure), doubt);
  }

  /** The text without the failure's name: "It leads to host.example/login. The token has …" */
  meaningAndStep(failure: Failure): string {
    const { meaning, doubt } = this.wordsOf(failure);
    const isSameHost = failure.kind === 'redirected' && failure.target === 'sameHost';
    const target = isSameHost ? failure.foreign : undefined;
    const targetSentence = target ? `It leads to ${target.address}.` : '';
    return joinSentences(targetSentence, meaning, this.nextStep(failure), doubt);
  }

  private nextStep(failure: Failure): string {
    return nextStepAfter(failure, this.platform.proxy);
  }

  private wordsOf(failure: Failure) {
    const { baseUrl } = this.platform;
    const { host } = new URL(baseUrl);
    return failureWords(failure, {
      id: host,
      name: host,
      baseUrl,
      source: 'environment',
      hasSessionToken: false,
    });
  }
}

/**
 * What to do against a problem. Scopes stand whole, because a log has no hover that shows them:
 * "Reconnect Finance Slack.", "Reconnect Ops Slack (slack) with the scope channels:read."
 */
export function problemAdvice(problem: Problem): string {
  const isOnlyReconnecting = problem.kind === 'failedAccount' && problem.scopes.length === 0;
  return isOnlyReconnecting ? `${adviceLabel(problem)}.` : adviceText(problem, wholeScopes);
}

const maxScopes = 50;
const maxScopeChars = 300;

/** "channels:read, https://www.googleapis.com/auth/spreadsheets.readonly" */
function wholeScopes(scopes: readonly string[]): string {
  return nameList(scopes, (scope) => shorten(scope, maxScopeChars), maxScopes);
}

/**
 * What is wrong, without a full stop: "Finance Slack failed (token_revoked)", "Ops Slack is missing
 * channels:read for notifier".
 */
export function problemWords(problem: Problem): string {
  if (problem.kind === 'unsatisfiedRequirement') return problemText(problem);
  const { account } = problem.finding;
  const reason = shorten(account.error?.code ?? '') || errorMessage(account);
  const failed = `${accountLabel(account)} failed`;
  return reason ? `${failed} (${reason})` : failed;
}

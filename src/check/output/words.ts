import type { Failure } from '../../api/failure.js';
import { failureWords, responseSentence } from '../../host/text/failure.js';
import { durationText, joinSentences } from '../../host/text/format.js';
import {
  accountLabel,
  adviceLabel,
  adviceText,
  errorMessage,
  nameList,
  problemText,
  requirementLabel,
  scopesWord,
} from '../../host/text/problem.js';
import type { Problem } from '../../model/findings/findings.js';
import { shorten } from '../../model/inertText.js';
import { nextStepAfter, type Surroundings } from './nextStep.js';

/** Where the deployments were read from. */
export interface CheckedPlatform extends Surroundings {
  readonly baseUrl: string;
}

/** What is to be said of the time of the whole run. */
interface TimeUp {
  /**
   * The failure of each deployment that was not read because the time of the run was up;
   * `undefined` if it was not.
   */
  readonly failure: Failure | undefined;
  /** Whether any deployment was read before. */
  readonly isAnythingRead: boolean;
}

/**
 * Says why a deployment could not be read, and what to do about it from a terminal or CI. Output
 * makes one.
 */
export class FailureTexts {
  constructor(
    private readonly platform: CheckedPlatform,
    private readonly timeUp: TimeUp,
  ) {}

  /** "Not found (404). The deployment was probably deleted, or … Check the ID, …" */
  sentences(failure: Failure): string {
    return joinSentences(this.wordsOf(failure).name, this.meaningAndStep(failure));
  }

  /** The text without the failure's name: "The deployment was probably deleted, or … Check …" */
  meaningAndStep(failure: Failure): string {
    if (failure === this.timeUp.failure) return this.timeUpText(failure);
    const { meaning, doubt } = this.wordsOf(failure);
    const nextStep = nextStepAfter(failure, this.platform);
    return joinSentences(
      targetText(failure),
      reasonFromPlatform(failure) ?? meaning,
      nextStep,
      doubt,
    );
  }

  /** "The time of the whole run was up after 8 sec. Allow more time with --timeout." */
  private timeUpText(failure: Failure): string {
    const { platform, timeUp } = this;
    const afterMs = failure.kind === 'timedOut' ? failure.after : 0;
    const time = durationText([{ unit: 'second', amount: Math.round(afterMs / 1000) }]);
    const meaning = `The time of the whole run was up after ${time}.`;
    return joinSentences(
      meaning,
      timeUp.isAnythingRead ? 'Allow more time with --timeout.' : nextStepAfter(failure, platform),
    );
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

/** "It leads to /login."; `undefined` where the failure's name says where a redirect leads. */
function targetText(failure: Failure): string | undefined {
  const isSameHost = failure.kind === 'redirected' && failure.target === 'sameHost';
  const address = isSameHost ? failure.foreign?.address : undefined;
  return address && `It leads to ${address}.`;
}

/**
 * "Response: “the deployment is archived”.", where nothing else says why a request was refused;
 * `undefined` if the platform gave no reason.
 */
function reasonFromPlatform(failure: Failure): string | undefined {
  const isUnexplained = failure.kind === 'clientError' && failure.status !== 407;
  const response = isUnexplained ? responseSentence(failure) : undefined;
  return response && asSentence(response);
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
 * channels:read for notifier". Of scopes only the first stands here, and shortened, because the
 * next step has them whole.
 */
export function problemWords(problem: Problem): string {
  return problem.kind === 'failedAccount' ? failedWords(problem) : unsatisfiedWords(problem);
}

function failedWords(problem: Extract<Problem, { kind: 'failedAccount' }>): string {
  const { account } = problem.finding;
  const reason = shorten(account.error?.code ?? '') || errorMessage(account);
  return reason
    ? `${accountLabel(account)} failed (${reason})`
    : problemText(problem, accountLabel);
}

function unsatisfiedWords(problem: Extract<Problem, { kind: 'unsatisfiedRequirement' }>): string {
  const { bound, missingScopes } = problem.finding;
  if (!bound || missingScopes.length === 0) return problemText(problem);
  const scopes = scopesWord(missingScopes);
  return `${accountLabel(bound.account)} is missing ${scopes} for ${requirementLabel(problem.finding)}`;
}

/** Adds the full stop that the text lacks: "Owner: Maria." */
export function asSentence(text: string): string {
  return /[.!?…。！？]$/u.test(text) ? text : `${text}.`;
}

import { l10n } from 'vscode';
import { countDecodeIssues } from '../../api/decode.js';
import { type Counts, type Deployment, isUnreadable } from '../../model/deployment.js';
import type { Findings, Problem } from '../../model/problems/findings.js';
import { minute } from '../../model/time.js';
import { failureWords } from './failure.js';
import { heading, listText, numberText, parts, plural, relativeTime } from './format.js';
import { mutedWord, problemWord } from './problem.js';
import { stateWord } from './states.js';

/**
 * A deployment's row, what is wrong first: "Finance Slack failed", "2 of 5 not satisfied", "Not found · stale, read 1 hour ago",
 * "4 of 4 satisfied", "muted until Friday · Finance Slack failed". `shared`: in how many listed deployments the one account is that
 * failed.
 */
export function deploymentSummary(
  deployment: Deployment,
  now: number,
  {
    watched,
    shared = 0,
    satisfied = satisfiedText(deployment),
  }: { readonly watched?: string | undefined; readonly shared?: number; readonly satisfied?: string | undefined } = {},
): string {
  const { answer, failure } = deployment;
  const activity = activityWord(deployment);
  if (failure && isUnreadable(deployment)) {
    return parts(heading(failureWords(failure.failure).word), watched, staleWord(deployment, now), activity);
  }
  if (!answer) return parts(activity ?? stateWord('notYetRead'), watched);
  return parts(
    worstWord(answer.findings),
    // In a narrow sidebar the end is cut off, and who watches looks for this.
    watched,
    inDeploymentsWord(shared),
    mutedSummary(answer.findings, now),
    staleWord(deployment, now),
    unreadableWord(countDecodeIssues(answer)),
    satisfied,
    activity,
  );
}

/** "in 4 deployments", of an account that several have. */
export function inDeploymentsWord(count: number): string | undefined {
  return count > 1 ? l10n.t('in {count} deployments', { count: numberText(count) }) : undefined;
}

/** The same for a hover, which has room to say which deployments are counted. */
export function inDeploymentsText(count: number): string | undefined {
  return count > 1 ? l10n.t('In {count} deployments of those read here.', { count: numberText(count) }) : undefined;
}

export function failedAccountId(problem: Problem): string | undefined {
  return problem.kind === 'failedAccount' ? problem.finding.account.id : undefined;
}

type Found = Pick<Findings, 'problems' | 'muted' | 'failedAccounts' | 'unsatisfied' | 'requirements'>;

function worstWord(found: Found): string | undefined {
  const [worst] = found.problems;
  return found.failedAccounts === 1 && worst ? problemWord(worst) : wrongWords(found)[0];
}

/** Beside what is not muted only how much is. */
function mutedSummary({ problems, muted }: Found, now: number): string | undefined {
  const [worst] = muted;
  return problems.length > 0 || !worst ? mutedCount(muted.length) : parts(mutedWord(worst, now), problemWord(worst));
}

function mutedCount(count: number): string | undefined {
  return count > 0 ? l10n.t('{count} muted', { count: numberText(count) }) : undefined;
}

/** "2 accounts failed", "1 of 3 not satisfied" */
function wrongWords({ failedAccounts, unsatisfied, requirements }: Found): readonly string[] {
  const failed = { count: numberText(failedAccounts) };
  const lacking = { count: numberText(unsatisfied), total: numberText(requirements.length) };
  return [
    ...(failedAccounts > 0
      ? [plural(failedAccounts, l10n.t('{count} account failed', failed), l10n.t('{count} accounts failed', failed))]
      : []),
    ...(unsatisfied > 0 ? [l10n.t('{count} of {total} not satisfied', lacking)] : []),
  ];
}

export function satisfiedText({ answer }: Deployment): string | undefined {
  return answer && satisfiedWord(answer.findings);
}

/** "1 unknown · 3 of 4 satisfied", where nothing is wrong. */
function satisfiedWord({ problems, muted, requirements }: Found): string | undefined {
  const total = requirements.length;
  if (problems.length > 0) return undefined;
  const unknown = requirements.filter(({ state }) => state === 'unknown').length;
  const unknownCount = unknown > 0 ? l10n.t('{count} unknown', { count: numberText(unknown) }) : undefined;
  if (muted.length > 0) return unknownCount;
  if (total === 0) return l10n.t('nothing required');
  const satisfied = total - unknown;
  return parts(
    unknownCount,
    l10n.t('{count} of {total} satisfied', { count: numberText(satisfied), total: numberText(total) }),
  );
}

/** "stale, read 1 hour ago", if the last attempt failed and there is older data. */
export function staleWord({ answer, failure }: Deployment, now: number): string | undefined {
  if (!answer || !failure) return undefined;
  if (now - answer.receivedAt < minute) return l10n.t('stale');
  return l10n.t('stale, read {time}', { time: relativeTime(answer.receivedAt, now) });
}

export function unreadableWord(count: number): string | undefined {
  if (count === 0) return undefined;
  const values = { count: numberText(count) };
  return plural(count, l10n.t('{count} field unreadable', values), l10n.t('{count} fields unreadable', values));
}

/** For a hover: "Failed: 1 account failed, 1 of 3 not satisfied", "Muted until Friday · Finance Slack failed", "Unknown: Not found". */
export function stateLine(deployment: Deployment, satisfied = satisfiedText(deployment)): string {
  const { answer, failure, state: is } = deployment;
  const state = heading(stateWord(is));
  if (failure && isUnreadable(deployment)) {
    return l10n.t('{state}: {findings}', { state, findings: failureWords(failure.failure).word });
  }
  if (!answer) return state;
  const { findings } = answer;
  const muted = mutedSummary(findings, Date.now());
  if (is === 'muted' && muted) return heading(muted);
  const wrong = [...wrongWords(findings), ...(muted ? [muted] : [])];
  return l10n.t('{state}: {findings}', {
    state,
    findings: wrong.length > 0 ? listText(wrong) : (satisfied ?? ''),
  });
}

export function activityWord({ activity }: Deployment): string | undefined {
  if (activity === 'idle') return undefined;
  return activity === 'waiting' ? l10n.t('waiting') : l10n.t('reading');
}

/** "2 failing, 1 unknown", "None failing, 2 muted", "14 healthy"; of unread deployments only that they are unread. */
export function countsText(counts: Counts): string {
  const { failing, muted, healthy } = counts;
  const wrong = countWords(counts);
  if (wrong.length === 0) return healthy > 0 ? l10n.t('{count} healthy', { count: numberText(healthy) }) : '';
  return listText(failing === 0 && healthy + muted > 0 ? [l10n.t('None failing'), ...wrong] : wrong);
}

/**
 * How they stand in a few words: "7 failing"; where none is, how the others are. `undefined` while the first answers arrive and none
 * of them is bad: nothing is claimed of what is not read.
 */
export function verdict(counts: Counts, isReading: boolean): string | undefined {
  const { failing, notYetRead } = counts;
  if (failing > 0) return countWords({ ...counts, unknown: 0, notYetRead: 0, muted: 0 })[0];
  return isReading && notYetRead > 0 ? undefined : countsText(counts);
}

/** How many are not healthy, and why. */
export function countWords({ failing, unknown, notYetRead, muted }: Counts): readonly string[] {
  return [
    ...(failing > 0 ? [l10n.t('{count} failing', { count: numberText(failing) })] : []),
    ...(unknown > 0 ? [l10n.t('{count} unknown', { count: numberText(unknown) })] : []),
    ...(notYetRead > 0 ? [l10n.t('{count} not read yet', { count: numberText(notYetRead) })] : []),
    ...(muted > 0 ? [mutedCount(muted)!] : []),
  ];
}

export function unreadableText(count: number): string {
  return plural(
    count,
    l10n.t('{count} field of this response could not be read', { count: numberText(count) }),
    l10n.t('{count} fields of this response could not be read', { count: numberText(count) }),
  );
}

import { l10n } from 'vscode';
import { leftOutCount } from '../../api/decode.js';
import type { Counts, Deployment } from '../../model/deployment.js';
import { timeAgo } from '../../model/time.js';
import { failureWord } from './failure.js';
import { numberText, parts, plural, relativeTime } from './format.js';
import { stateWord } from './states.js';

/**
 * A deployment's row: "1 account failed · 1 of 3 not satisfied · 2 min. ago", "not found (404)",
 * "2 of 5 not satisfied · stale, last read 1 hr. ago", "waiting".
 */
export function deploymentSummary(deployment: Deployment, now: number): string {
  const { answer, failure } = deployment;
  const activity = activityWord(deployment);
  if (!answer) {
    return parts(failure ? failureWord(failure.failure) : (activity ?? stateWord('notYetRead')), failure && activity);
  }
  const stale = staleText(deployment, now);
  return parts(
    deploymentFindingsText(deployment),
    // Of a stale row the reason is shown, of another one its age, if it has problems.
    stale && failure ? parts(stale, failureWord(failure.failure)) : undefined,
    !stale && answer.findings.problems.length > 0 ? relativeTime(answer.receivedAt, now) : undefined,
    unreadableWord(leftOutCount(answer)),
    activity,
  );
}

/** Epoch ms from which on the summary reads otherwise although nothing changed: only ages do. */
export function summaryChangesAt({ answer, failure }: Deployment, now: number): number {
  const hasAge = answer !== undefined && (failure !== undefined || answer.findings.problems.length > 0);
  return hasAge ? timeAgo(answer.receivedAt, now).nextChange : Number.POSITIVE_INFINITY;
}

function unreadableWord(count: number): string | undefined {
  if (count === 0) return undefined;
  return plural(
    count,
    l10n.t('{count} field unreadable', { count: numberText(count) }),
    l10n.t('{count} fields unreadable', { count: numberText(count) }),
  );
}

/** "1 account failed · 1 of 3 not satisfied", "4 of 4 satisfied"; nothing if nothing was read. */
export function deploymentFindingsText({ answer }: Deployment): string | undefined {
  if (!answer) return undefined;
  const { failedAccounts, unsatisfied } = answer.findings;
  // Counted in the answer, since the findings are only sorted when somebody opens the row.
  const { requirements, accounts } = answer.authorization;
  const total = requirements.length;
  const failed =
    failedAccounts > 0
      ? plural(
          failedAccounts,
          l10n.t('{count} account failed', { count: numberText(failedAccounts) }),
          l10n.t('{count} accounts failed', { count: numberText(failedAccounts) }),
        )
      : undefined;
  if (unsatisfied > 0) {
    return parts(
      failed,
      l10n.t('{count} of {total} not satisfied', { count: numberText(unsatisfied), total: numberText(total) }),
    );
  }
  if (failed) return failed;
  if (total === 0) {
    return accounts.length === 0
      ? l10n.t('nothing required')
      : parts(
          l10n.t('nothing required'),
          plural(
            accounts.length,
            l10n.t('{count} account', { count: numberText(accounts.length) }),
            l10n.t('{count} accounts', { count: numberText(accounts.length) }),
          ),
        );
  }
  const satisfied = requirements.filter((requirement) => requirement.satisfied === true).length;
  return parts(
    l10n.t('{count} of {total} satisfied', { count: numberText(satisfied), total: numberText(total) }),
    satisfied < total ? l10n.t('{count} unknown', { count: numberText(total - satisfied) }) : undefined,
  );
}

/** "waiting" and "reading"; nothing while idle. */
export function activityWord(deployment: Deployment): string | undefined {
  switch (deployment.activity) {
    case 'waiting':
      return l10n.t('waiting');
    case 'reading':
      return l10n.t('reading');
    case 'idle':
      return undefined;
  }
}

/** "stale, last read 1 hr. ago", if the last attempt failed and there is older data. */
function staleText(deployment: Deployment, now: number): string | undefined {
  if (!deployment.answer || !deployment.failure) return undefined;
  return l10n.t('stale, last read {time}', { time: relativeTime(deployment.answer.receivedAt, now) });
}

/** "312 of 10,000" */
export function progressText(progress: { readonly done: number; readonly total: number }): string {
  return l10n.t('{done} of {total}', { done: numberText(progress.done), total: numberText(progress.total) });
}

/** For the view's description and the badge's tooltip: "2 of 14 with problems", "no problems · stale". */
export function countsText(counts: Counts): string {
  return parts(knownText(counts), staleWord(counts));
}

/** That not all of it was confirmed by the last attempt. */
export function staleWord({ stale }: Counts): string | undefined {
  return stale > 0 ? l10n.t('stale') : undefined;
}

function knownText(counts: Counts): string {
  const total = numberText(counts.total);
  if (counts.total === 0) return '';
  if (counts.withProblems > 0) {
    return l10n.t('{count} of {total} with problems', { count: numberText(counts.withProblems), total });
  }
  if (counts.notYetRead === counts.total) return l10n.t('{total} not checked yet', { total });
  const unclear = counts.unknown + counts.notYetRead;
  return unclear > 0
    ? l10n.t('no problems, {count} of {total} unknown', { count: numberText(unclear), total })
    : l10n.t('no problems');
}

/** "2 fields of this answer could not be read" */
export function unreadableText(count: number): string {
  return plural(
    count,
    l10n.t('{count} field of this answer could not be read', { count: numberText(count) }),
    l10n.t('{count} fields of this answer could not be read', { count: numberText(count) }),
  );
}

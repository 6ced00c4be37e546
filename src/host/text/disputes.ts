import { l10n } from 'vscode';
import { earliest } from '../../model/base/time.js';
import { shortName } from '../../model/deploymentNames.js';
import {
  type AccountReading,
  accountClaim,
  readingOf,
} from '../../model/findings/accountReadings.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { groupBy } from '../../model/findings/findings.js';
import { shorten } from '../../model/inertText.js';
import { clockTime, joinSentences } from './format.js';
import { accountLabel, nameList } from './problem.js';

/** How many deployments are named on each side of a dispute. */
const maxDeploymentNames = 5;

/**
 * Returns where an account works and where it has failed, the side with the newest answer first:
 * "Finance Slack works in Billing sync as of 9:02 PM. Finance Slack failed in Expense approvals,
 * Invoices as of 8:44 PM: token_revoked." `holders`: the deployments that have the account. `now`:
 * epoch ms. Leaves out answers that may hide a failure.
 */
export function disputeText(
  accountId: string,
  holders: readonly Deployment[],
  now: number,
): string {
  const readings = holders.flatMap((deployment) => readingOf(deployment, accountId) ?? []);
  const newestFirst = readings.toSorted((a, b) => b.answer.sequence - a.answer.sequence);
  const [newest] = newestFirst;
  const account = newest ? accountLabel(newest.finding.account) : '';

  // "works", "failed: token_revoked"; `undefined` for an answer that may hide a failure.
  const sides = groupBy(newestFirst, ({ finding, answer }) =>
    accountClaim(finding, answer.findings),
  );
  const texts: string[] = [];
  for (const [word, side] of sides) {
    if (word !== undefined) texts.push(sideText(account, side, now));
  }
  return joinSentences(...texts);
}

/**
 * "Finance Slack works in Billing sync as of 9:02 PM." All `readings` say the same about the
 * account. The time is that of the oldest of them, because the account has been so at least since
 * then.
 */
function sideText(account: string, readings: readonly AccountReading[], now: number): string {
  const [newest] = readings;
  const since = earliest(readings.map(({ answer }) => answer.asOf));
  const values = {
    account,
    deployments: nameList(readings, ({ deployment }) => shortName(deployment), maxDeploymentNames),
    time: clockTime(since, now),
    code: shorten(newest?.finding.account.error?.code ?? ''),
  };
  const hasFailed = newest?.finding.problem !== undefined;
  if (!hasFailed) return l10n.t('{account} works in {deployments} as of {time}.', values);
  return values.code === ''
    ? l10n.t('{account} failed in {deployments} as of {time}.', values)
    : l10n.t('{account} failed in {deployments} as of {time}: {code}.', values);
}

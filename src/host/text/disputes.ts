import { l10n } from 'vscode';
import { earliest } from '../../model/base/time.js';
import { shortName } from '../../model/deploymentNames.js';
import {
  type AccountReading,
  accountWord,
  readingOf,
} from '../../model/findings/accountReadings.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { groupBy } from '../../model/findings/findings.js';
import { shorten } from '../../model/inertText.js';
import { clockTime, joinSentences } from './format.js';
import { accountLabel, nameList } from './problem.js';

/** Of each side, since it has to be found which deployments are meant. */
const maxNames = 5;

/**
 * Says where an account works and where it has failed, the newest answer first: "Finance Slack works in
 * Billing sync as of 09:02 PM. Finance Slack failed in Expense approvals, Invoices as of 08:44 PM: token_revoked."
 */
export function disputeText(
  accountId: string,
  holders: readonly Deployment[],
  now: number,
): string {
  const readings = holders.flatMap((deployment) => readingOf(deployment, accountId) ?? []);
  const newestFirst = readings.toSorted((a, b) => b.answer.sequence - a.answer.sequence);
  const account = newestFirst[0] ? accountLabel(newestFirst[0].finding.account) : '';
  const sides = groupBy(newestFirst, ({ finding, answer }) =>
    accountWord(finding, answer.findings),
  );
  const known = Array.from(sides).filter(([word]) => word !== undefined);
  return joinSentences(...known.map(([, side]) => sideText(account, side, now)));
}

/** `readings`: all say the same. Since the oldest of them was made it has been so, as far as is known. */
function sideText(account: string, readings: readonly AccountReading[], now: number): string {
  const error = readings[0]?.finding.account.error;
  const words = {
    account,
    deployments: nameList(readings, ({ deployment }) => shortName(deployment), maxNames),
    time: clockTime(earliest(readings.map(({ answer }) => answer.asOf)), now),
    code: shorten(error?.code ?? ''),
  };
  if (!readings[0]?.finding.problem)
    return l10n.t('{account} works in {deployments} as of {time}.', words);
  return words.code
    ? l10n.t('{account} failed in {deployments} as of {time}: {code}.', words)
    : l10n.t('{account} failed in {deployments} as of {time}.', words);
}

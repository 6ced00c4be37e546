import { l10n } from 'vscode';
import type { Failure } from '../../api/failure.js';
import type { ReportedFailure, ReportWording } from '../../model/report.js';
import { unreadableText } from './deployment.js';
import { numberText, plural } from './format.js';
import { stateWord } from './states.js';

/** The report's sentences. Trusted Markdown: nothing of the service is in them; `model/report.ts` puts values into code spans. */
export function reportWording(): ReportWording {
  return {
    leftOut: l10n.t('This report leaves out the base URL, the organization and the accounts’ serviceSub.'),
    summary: (total, withProblems, unknown) =>
      plural(
        total,
        l10n.t('{total} deployment: {problems} with problems, {unknown} unknown', {
          total: numberText(total),
          problems: numberText(withProblems),
          unknown: numberText(unknown),
        }),
        l10n.t('{total} deployments: {problems} with problems, {unknown} unknown', {
          total: numberText(total),
          problems: numberText(withProblems),
          unknown: numberText(unknown),
        }),
      ),
    requirements: l10n.t('Requirements'),
    accounts: l10n.t('Accounts'),
    none: l10n.t('none'),
    notYetRead: stateWord('notYetRead'),
    readAt: (at) => l10n.t('Read on {time}.', { time: at }),
    stale: (failure, at) =>
      l10n.t('Stale: the attempt on {time} failed ({failure}).', { time: at, failure: reportedFailureWord(failure) }),
    unknown: (failure, at) =>
      l10n.t('Unknown: the attempt on {time} failed ({failure}).', { time: at, failure: reportedFailureWord(failure) }),
    unreadableFields: unreadableText,
    requirementState: stateWord,
    accountState: stateWord,
    boundAccountAbsent: l10n.t('the bound account is not among the accounts'),
    scopeState: (state) =>
      ({
        held: l10n.t('held'),
        missing: l10n.t('missing'),
        unknown: l10n.t('not known whether held'),
      })[state],
    required: l10n.t('required'),
    minimal: l10n.t('minimal'),
    ownConnection: l10n.t('method of the bound account'),
    seenSince: (at) => l10n.t('seen since {time}', { time: at }),
    otherFields: l10n.t('Other fields, without their values:'),
  };
}

const words: Readonly<Record<Failure['kind'], () => string>> = {
  invalidId: () => l10n.t('id cannot be used'),
  tokenRejected: () => l10n.t('token rejected'),
  notPermitted: () => l10n.t('not permitted'),
  notFound: () => l10n.t('not found'),
  rateLimited: () => l10n.t('rate limited'),
  clientError: () => l10n.t('refused'),
  serverError: () => l10n.t('server error'),
  redirected: () => l10n.t('redirected'),
  unreachable: () => l10n.t('unreachable'),
  connectionLost: () => l10n.t('connection lost'),
  timedOut: () => l10n.t('timed out'),
  cancelled: () => l10n.t('cancelled'),
  unusable: () => l10n.t('answer unusable'),
};

/** Kind and status only: host names and texts of the service stay out of a report. */
function reportedFailureWord({ kind, status }: ReportedFailure): string {
  const word = words[kind]();
  return status === undefined ? word : l10n.t('{failure}, {status}', { failure: word, status });
}

import { l10n } from 'vscode';
import type { Deployment } from '../../model/deployment.js';
import type { Problem } from '../../model/findings.js';
import { numberText, plural, sentences, shorten } from './format.js';
import { problemMessage } from './problem.js';

/** "New problem in Billing sync: Finance Slack (slack) failed: … And 2 more new problems." */
export function newProblemsSentence(
  first: { readonly deployment: Deployment; readonly problem: Problem },
  others: number,
): string {
  const message = problemMessage(first.problem);
  const values = { count: numberText(others) };
  return sentences(
    l10n.t('New problem in {deployment}: {message}', { deployment: shorten(first.deployment.name), message }),
    others === 0
      ? undefined
      : plural(
          others,
          l10n.t('And {count} more new problem.', values),
          l10n.t('And {count} more new problems.', values),
        ),
  );
}

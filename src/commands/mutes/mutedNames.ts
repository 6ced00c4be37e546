import * as vscode from 'vscode';
import { numberText } from '../../host/text/format.js';
import { accountLabel, findingWithService } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';

/** What has the problem: the account "Finance Slack", or the requirement "notifier (slack)". */
export function subjectName(problem: Problem): string {
  return problem.kind === 'failedAccount'
    ? accountLabel(problem.finding.account)
    : findingWithService(problem.finding);
}

/** "Finance Slack", "3 problems" */
export function subjectOrCount(problems: readonly Problem[]): string {
  const [first] = problems;
  if (first && problems.length === 1) return subjectName(first);
  return vscode.l10n.t('{count} problems', { count: numberText(problems.length) });
}

/** Returns the listed deployments that have one of these problems: an account can be in several. */
export function deploymentsWith(
  problems: readonly Problem[],
  listed: readonly Deployment[],
): readonly Deployment[] {
  const keys = new Set(problems.map(({ key }) => key));
  return listed.filter(({ answer }) => answer?.findings.problems.some(({ key }) => keys.has(key)));
}

/**
 * Returns what a sentence about a mute of these problems can name. `affected`: the deployments that
 * have them.
 */
export function mutedNames(problems: readonly Problem[], affected: readonly Deployment[]) {
  const [deployment] = affected;
  return {
    problem: subjectOrCount(problems),
    deployment: deployment ? shortName(deployment) : '',
    count: numberText(affected.length),
  };
}

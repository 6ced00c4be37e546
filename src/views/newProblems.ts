import * as vscode from 'vscode';
import { commandIds, internalCommandIds } from '../host/ids.js';
import { showWarning } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { BriefCauses, type WorstCauses } from '../host/text/briefCauses.js';
import { capitalized, joinSentences, numberText } from '../host/text/format.js';
import { sentenceWithGroups } from '../host/text/groups.js';
import { moreProblemsText, problemSentence } from '../host/text/problem.js';
import { shortName } from '../model/deploymentNames.js';
import {
  type Deployment,
  type DeploymentProblem,
  isUnreadable,
} from '../model/findings/deployment.js';
import type { Problem } from '../model/findings/findings.js';
import { type Mutes, unmutedProblems } from '../model/findings/state.js';

/**
 * Notifies of new problems in the groups that the user has chosen, if the user wants that, until
 * the result is disposed of.
 */
export function registerNewProblems({ memory, myGroups, settings }: Services): vscode.Disposable {
  return memory.onDidFindNewProblems((problems) => {
    if (!settings.notifyNewProblems) return;
    const { deployments, counts } = myGroups;
    const causes = worstNewCause(problems, deployments, memory);
    const [deployment] = causes.rows[0]?.deployments ?? [];
    if (!deployment) return;

    const reveal = {
      title: vscode.l10n.t('Reveal in Deployments View'),
      command: internalCommandIds.revealDeployment,
      arguments: [deployment.id],
    };
    const counted = countedProblems(problems, deployments, memory);
    const rows = counted.map((found) => ({
      deployment: { id: found.deployment.id },
      problem: { key: found.problem.key },
    }));
    const copyRequest = {
      title: vscode.l10n.t('Copy Request'),
      command: commandIds.copyRequest,
      arguments: [rows[0], rows],
    };
    const sentence = sentenceWithGroups(counts.groups, newProblemsSentence(causes));
    showWarning(sentence, [reveal, copyRequest]);
  });
}

/**
 * Returns those of the problems that are not muted, each in the first deployment that counts as
 * failing because of it: an entry of a folder may mute an account in some deployments alone.
 */
export function countedProblems(
  found: readonly DeploymentProblem[],
  deployments: readonly Deployment[],
  memory: Mutes,
): readonly DeploymentProblem[] {
  const keys = new Set(found.map(({ problem }) => problem.key));
  const counted = new Map<string, DeploymentProblem>();
  for (const deployment of deployments) {
    if (isUnreadable(deployment)) continue;
    for (const problem of unmutedProblems(deployment.answer?.findings, memory)) {
      const { key } = problem;
      if (keys.has(key) && !counted.has(key)) counted.set(key, { deployment, problem });
    }
  }
  return [...counted.values()];
}

/**
 * Returns the worst cause of these problems, with all deployments that count as failing because of
 * it, and how many problems have other causes.
 */
export function worstNewCause(
  found: readonly DeploymentProblem[],
  deployments: readonly Deployment[],
  memory: Mutes,
): WorstCauses {
  const keys = new Set(found.map(({ problem }) => problem.key));
  const causes = new BriefCauses(memory);
  for (const deployment of deployments) {
    const { answer } = deployment;
    if (!answer || isUnreadable(deployment)) continue;
    const counted = unmutedProblems(answer.findings, memory);
    const problems = counted.filter(({ key }) => keys.has(key));
    causes.addProblems(deployment, answer, problems);
  }
  return causes.worstCauses(1, () => true);
}

/**
 * "Finance Slack failed in 6 deployments. 2 more problems."; for a single problem in one deployment
 * "New problem in Lead intake: Ops Slack is missing channels:read for notifier."; '' without a
 * problem.
 */
export function newProblemsSentence({ rows, moreProblems }: WorstCauses): string {
  const [worst] = rows;
  const [deployment, ...others] = worst?.deployments ?? [];
  if (!worst?.problem || !deployment) return '';

  const { problem, problemCount, descriptionParts } = worst;
  const name = shortName(deployment);
  const isInOneDeployment = others.length === 0;
  if (isInOneDeployment && problemCount + moreProblems === 1) {
    const values = { deployment: name, message: problemSentence(problem) };
    return vscode.l10n.t('New problem in {deployment}: {message}', values);
  }

  const description = descriptionParts.join(' · ');
  const values = {
    problem: beginsWithName(problem) ? description : capitalized(description),
    deployment: name,
    count: numberText(others.length + 1),
  };
  const sentence = isInOneDeployment
    ? vscode.l10n.t('{problem} in {deployment}.', values)
    : vscode.l10n.t('{problem} in {count} deployments.', values);
  return joinSentences(sentence, moreProblemsText(moreProblems));
}

/** Whether the problem's description begins with a name, which is not capitalized. */
function beginsWithName({ kind, finding }: Problem): boolean {
  if (kind === 'failedAccount') return true;
  return finding.missingScopes.length === 0 && Boolean(finding.name);
}

import * as vscode from 'vscode';
import { commandIds, internalCommandIds } from '../host/ids.js';
import { showWarning } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { BriefCauses, type WorstCauses } from '../host/text/briefCauses.js';
import { capitalized, joinSentences, numberText } from '../host/text/format.js';
import { moreProblemsText, problemSentence } from '../host/text/problem.js';
import { shortName } from '../model/deploymentNames.js';
import {
  type Deployment,
  type DeploymentProblem,
  isUnreadable,
} from '../model/findings/deployment.js';
import type { Problem } from '../model/findings/findings.js';
import { countedProblems, type Mutes } from '../model/findings/state.js';

export function registerNewProblems({ memory, settings, store }: Services) {
  return memory.onDidFindNewProblems((problems) => {
    if (!settings.notifyNewProblems) return;
    const causes = newCauses(problems, store.deployments, memory);
    const [deployment] = causes.rows[0]?.deployments ?? [];
    if (!deployment) return;
    const title = vscode.l10n.t('Reveal in Deployments View');
    const reveal = {
      title,
      command: internalCommandIds.revealDeployment,
      arguments: [deployment.id],
    };
    const rows = problems.map((one) => ({
      deployment: { id: one.deployment.id },
      problem: { key: one.problem.key },
    }));
    const request = {
      title: vscode.l10n.t('Copy Request'),
      command: commandIds.copyRequest,
      arguments: [rows[0], rows],
    };
    showWarning(newProblemsSentence(causes), [reveal, request]);
  });
}

/** The worst cause of these problems, with all deployments that count as failing because of it. */
export function newCauses(
  found: readonly DeploymentProblem[],
  deployments: readonly Deployment[],
  memory: Mutes,
): WorstCauses {
  const keys = new Set(found.map(({ problem }) => problem.key));
  const causes = new BriefCauses(memory);
  for (const deployment of deployments) {
    const { answer } = deployment;
    if (!answer || isUnreadable(deployment)) continue;
    const own = countedProblems(answer.findings, memory).filter(({ key }) => keys.has(key));
    causes.addProblems(deployment, answer, own);
  }
  return causes.worst(1, () => true);
}

/** "Finance Slack failed in 6 deployments. 2 more problems." */
export function newProblemsSentence({ rows, moreProblems: more }: WorstCauses): string {
  const [worst] = rows;
  const [deployment, ...others] = worst?.deployments ?? [];
  if (!worst?.problem || !deployment) return '';
  const { problem, problemCount, descriptionParts } = worst;
  const name = shortName(deployment);
  if (problemCount + more === 1 && others.length === 0) {
    const values = { deployment: name, message: problemSentence(problem) };
    return vscode.l10n.t('New problem in {deployment}: {message}', values);
  }
  const word = descriptionParts.join(' · ');
  const what = beginsWithName(problem) ? word : capitalized(word);
  const count = numberText(others.length + 1);
  const where =
    others.length === 0
      ? vscode.l10n.t('{problem} in {deployment}.', { problem: what, deployment: name })
      : vscode.l10n.t('{problem} in {count} deployments.', { problem: what, count });
  return joinSentences(where, moreProblemsText(more));
}

/** Then it stays as it is, at the beginning of a sentence, too. */
function beginsWithName({ kind, finding }: Problem): boolean {
  if (kind === 'failedAccount') return true;
  return finding.missingScopes.length === 0 && Boolean(finding.name);
}

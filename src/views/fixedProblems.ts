import * as vscode from 'vscode';
import { type Action } from '../host/actions.js';
import { commandIds, internalCommandIds } from '../host/ids.js';
import { showMessage, showWarning } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { joinSentences, numberText, plural } from '../host/text/format.js';
import { accountLabel, nameList, problemSentence, requirementLabel } from '../host/text/problem.js';
import { shortName } from '../model/deploymentNames.js';
import {
  type Deployment,
  type DeploymentProblem,
  isUnreadable,
} from '../model/findings/deployment.js';
import { AccountFinding, type RequirementFinding } from '../model/findings/findings.js';
import { type Mutes, stateOfFindings } from '../model/findings/state.js';
import type { Outcome } from '../model/problems/outcomes.js';

type Fixed = Extract<Outcome, { readonly kind: 'fixed' }>;

/** Says what became of the problems that the user wants to be notified of. */
export function registerFixedProblems({ memory }: Pick<Services, 'memory'>): vscode.Disposable {
  return memory.onDidFindOutcomes((outcomes) => {
    const ended = outcomes.filter(({ kind }) => kind !== 'changed');
    if (ended.length > 0) {
      const [firstDeployment] = ended.flatMap(deploymentsIn);
      showMessage(fixedSentence(ended, memory), ...revealActions(firstDeployment));
    }
    const changed = outcomes.filter((outcome) => outcome.kind === 'changed');
    if (changed.length > 0) showWarning(changedSentence(changed), changedActions(changed));
  });
}

/** "Finance Slack works again. 4 deployments have no problem left." */
export function fixedSentence(outcomes: readonly Outcome[], mutes: Mutes): string {
  const fixed = outcomes.filter((outcome): outcome is Fixed => outcome.kind === 'fixed');
  const gone = outcomes.filter((outcome) => outcome.kind === 'gone');
  const deployments = [...new Set(outcomes.flatMap(deploymentsIn))];
  const withoutProblem = deployments.filter((deployment) => hasNoProblem(deployment, mutes));
  return joinSentences(
    accountsSentence(fixed),
    requirementsSentence(fixed),
    goneSentence(gone.map(({ deployment }) => deployment)),
    noProblemLeftSentence(withoutProblem.length),
  );
}

/**
 * "The problem has changed in Lead intake: Ops Slack is missing channels:read for notifier."; of
 * several "2 problems have changed. Lead intake: …" with the first of them.
 */
export function changedSentence(changed: readonly DeploymentProblem[]): string {
  const { deployment, problem } = changed[0]!;
  const values = {
    deployment: shortName(deployment),
    message: problemSentence(problem),
    count: numberText(changed.length),
  };
  if (changed.length > 1) {
    return vscode.l10n.t('{count} problems have changed. {deployment}: {message}', values);
  }
  // An account is the same in all deployments that have it.
  const isOfAllDeployments = problem.deploymentId === undefined;
  return isOfAllDeployments
    ? vscode.l10n.t('The problem has changed: {message}', values)
    : vscode.l10n.t('The problem has changed in {deployment}: {message}', values);
}

/** "Finance Slack, Ops Slack work again."; `undefined` if no account was fixed. */
function accountsSentence(fixed: readonly Fixed[]): string | undefined {
  const accounts = fixed.flatMap(({ finding }) =>
    finding instanceof AccountFinding ? finding : [],
  );
  if (accounts.length === 0) return undefined;
  const values = { accounts: nameList(accounts, ({ account }) => accountLabel(account)) };
  return plural(
    accounts.length,
    vscode.l10n.t('{accounts} works again.', values),
    vscode.l10n.t('{accounts} work again.', values),
  );
}

interface FixedRequirement {
  readonly finding: RequirementFinding;
  readonly deployment: Deployment;
}

/** "notifier in Lead intake is satisfied."; `undefined` if no requirement was fixed. */
function requirementsSentence(fixed: readonly Fixed[]): string | undefined {
  const requirements: FixedRequirement[] = [];
  for (const { finding, deployments } of fixed) {
    const [deployment] = deployments;
    if (finding instanceof AccountFinding || deployment === undefined) continue;
    requirements.push({ finding, deployment });
  }
  if (requirements.length === 0) return undefined;
  const values = { requirements: nameList(requirements, requirementInDeployment) };
  return plural(
    requirements.length,
    vscode.l10n.t('{requirements} is satisfied.', values),
    vscode.l10n.t('{requirements} are satisfied.', values),
  );
}

/** "notifier in Lead intake" */
function requirementInDeployment({ finding, deployment }: FixedRequirement): string {
  return vscode.l10n.t('{requirement} in {deployment}', {
    requirement: requirementLabel(finding),
    deployment: shortName(deployment),
  });
}

/**
 * "The account or requirement that had a problem in Billing sync is no longer part of the
 * deployment."; `undefined` without a deployment.
 */
function goneSentence(deployments: readonly Deployment[]): string | undefined {
  const names = [...new Set(deployments.map((deployment) => shortName(deployment)))];
  if (names.length === 0) return undefined;
  const values = { deployments: nameList(names, (name) => name) };
  return plural(
    names.length,
    vscode.l10n.t(
      'The account or requirement that had a problem in {deployments} is no longer part of the deployment.',
      values,
    ),
    vscode.l10n.t(
      'The accounts or requirements that had problems in {deployments} are no longer part of these deployments.',
      values,
    ),
  );
}

/** "4 deployments have no problem left."; `undefined` for 0. */
function noProblemLeftSentence(count: number): string | undefined {
  if (count === 0) return undefined;
  const values = { count: numberText(count) };
  return plural(
    count,
    vscode.l10n.t('{count} deployment has no problem left.', values),
    vscode.l10n.t('{count} deployments have no problem left.', values),
  );
}

/** Whether everything in the deployment is known, and it has no problem except muted ones. */
function hasNoProblem(deployment: Deployment, mutes: Mutes): boolean {
  const { answer } = deployment;
  if (answer === undefined || isUnreadable(deployment)) return false;
  const state = stateOfFindings(answer.findings, mutes);
  return state === 'satisfied' || state === 'muted';
}

function deploymentsIn(outcome: Outcome): readonly Deployment[] {
  return outcome.kind === 'fixed' ? outcome.deployments : [outcome.deployment];
}

function revealActions(deployment: Deployment | undefined): readonly Action[] {
  if (deployment === undefined) return [];
  const title = vscode.l10n.t('Reveal in Deployments View');
  return [{ title, command: internalCommandIds.revealDeployment, arguments: [deployment.id] }];
}

/** Offers the notification once more, because a change of the problem has ended it. */
function changedActions(changed: readonly DeploymentProblem[]): readonly Action[] {
  const rows = changed.map(({ deployment, problem }) => ({
    deployment: { id: deployment.id },
    problem: { key: problem.key },
  }));
  return [
    ...revealActions(changed[0]?.deployment),
    {
      title: vscode.l10n.t('Copy Request'),
      command: commandIds.copyRequest,
      arguments: [rows[0], rows],
    },
    {
      title: vscode.l10n.t('Notify When Fixed'),
      command: commandIds.notifyWhenFixed,
      arguments: [rows[0], rows],
    },
  ];
}

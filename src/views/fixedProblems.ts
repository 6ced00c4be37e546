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

/** Shows what became of the problems that the user wants to be notified of. */
export function registerFixedProblems({ memory }: Pick<Services, 'memory'>): vscode.Disposable {
  return memory.onDidFindOutcomes((outcomes) => {
    const ended = outcomes.filter(({ kind }) => kind !== 'changed');
    const [first] = ended.flatMap(deploymentsIn);
    if (ended.length > 0) showMessage(fixedSentence(ended, memory), ...revealActions(first));
    const changed = outcomes.filter((outcome) => outcome.kind === 'changed');
    if (changed.length > 0) showWarning(changedSentence(changed), changedActions(changed));
  });
}

/** "Finance Slack works again. 4 deployments have no problem left." */
export function fixedSentence(outcomes: readonly Outcome[], mutes: Mutes): string {
  const fixed = outcomes.filter((outcome): outcome is Fixed => outcome.kind === 'fixed');
  const gone = outcomes
    .filter((outcome) => outcome.kind === 'gone')
    .map(({ deployment }) => deployment);
  const deployments = new Set(outcomes.flatMap(deploymentsIn));
  const left = Array.from(deployments).filter((deployment) =>
    hasNoProblem(deployment, mutes),
  ).length;
  return joinSentences(
    accountsSentence(fixed),
    requirementsSentence(fixed),
    goneSentence(gone),
    leftSentence(left),
  );
}

/** "The problem has changed in Lead intake: Ops Slack is missing channels:read for notifier." */
export function changedSentence(changed: readonly DeploymentProblem[]): string {
  const { deployment, problem } = changed[0]!;
  const words = { deployment: shortName(deployment), message: problemSentence(problem) };
  if (changed.length > 1) {
    const count = numberText(changed.length);
    return vscode.l10n.t('{count} problems have changed. {deployment}: {message}', {
      ...words,
      count,
    });
  }
  // An account is the same in all deployments that have it.
  return problem.deploymentId === undefined
    ? vscode.l10n.t('The problem has changed: {message}', words)
    : vscode.l10n.t('The problem has changed in {deployment}: {message}', words);
}

/** "Finance Slack, Ops Slack work again." */
function accountsSentence(fixed: readonly Fixed[]): string | undefined {
  const accounts = fixed.flatMap(({ finding }) =>
    finding instanceof AccountFinding ? finding : [],
  );
  if (accounts.length === 0) return undefined;
  const words = { accounts: nameList(accounts, ({ account }) => accountLabel(account)) };
  return plural(
    accounts.length,
    vscode.l10n.t('{accounts} works again.', words),
    vscode.l10n.t('{accounts} work again.', words),
  );
}

/** "notifier in Lead intake is satisfied." */
function requirementsSentence(fixed: readonly Fixed[]): string | undefined {
  const requirements = fixed.flatMap(({ finding, deployments: [deployment] }) =>
    finding instanceof AccountFinding || deployment === undefined ? [] : { finding, deployment },
  );
  if (requirements.length === 0) return undefined;
  const words = { requirements: nameList(requirements, requirementInDeployment) };
  return plural(
    requirements.length,
    vscode.l10n.t('{requirements} is satisfied.', words),
    vscode.l10n.t('{requirements} are satisfied.', words),
  );
}

function requirementInDeployment(one: {
  readonly finding: RequirementFinding;
  readonly deployment: Deployment;
}): string {
  const words = {
    requirement: requirementLabel(one.finding),
    deployment: shortName(one.deployment),
  };
  return vscode.l10n.t('{requirement} in {deployment}', words);
}

/** "A problem of Billing sync is gone, with the account or requirement it was about." */
function goneSentence(deployments: readonly Deployment[]): string | undefined {
  const names = [...new Set(deployments.map((one) => shortName(one)))];
  if (names.length === 0) return undefined;
  const words = { deployments: nameList(names, (name) => name) };
  return plural(
    names.length,
    vscode.l10n.t(
      'The account or requirement that had a problem in {deployments} is no longer part of the deployment.',
      words,
    ),
    vscode.l10n.t(
      'The accounts or requirements that had problems in {deployments} are no longer part of these deployments.',
      words,
    ),
  );
}

function leftSentence(count: number): string | undefined {
  if (count === 0) return undefined;
  const words = { count: numberText(count) };
  return plural(
    count,
    vscode.l10n.t('{count} deployment has no problem left.', words),
    vscode.l10n.t('{count} deployments have no problem left.', words),
  );
}

/** Whether nothing is wrong with it that is not muted, and nothing is unknown. */
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

/** A problem that has changed ends the notification, so that another one is offered. */
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

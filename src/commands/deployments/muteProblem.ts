import * as vscode from 'vscode';
import { showMessage, showStatusBarMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { futureDayOrTime, numberText, plural } from '../../host/text/format.js';
import {
  accountLabel,
  findingWithService,
  nameList,
  problemWord,
} from '../../host/text/problem.js';
import { day } from '../../model/base/time.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { inertLabel } from '../../model/inertText.js';
import { maxMuteMs, maxTimedMuteMs } from '../../model/problems/savedProblems.js';
import type { Row } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { chooseProblems } from './pickProblems.js';

/** How long a problem is muted. */
interface MuteLength {
  /** Epoch ms. */
  readonly until: number;
  /** Whether the mute ends when the problem changes, and at `until` at the latest. */
  readonly isUntilChange: boolean;
}

/**
 * Mutes the problems of these rows, or those that the user picks, for as long as the user says, and
 * offers Undo. Throws if there is no problem.
 */
export async function muteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, store } = services;
  const { id: organizationId } = await currentOrganization(services);
  const title = vscode.l10n.t('Mute Problem');
  const chosen = await chooseProblems(services, rows, {
    title,
    noneText: vscode.l10n.t('There is no problem to mute.'),
    which: 'unmuted',
  });
  const problems = chosen.map(({ problem }) => problem);
  if (problems.length === 0) return;

  const affected = deploymentsWith(problems, store.deployments);
  const length = await askHowLong(title, problems, affected.length);
  // The user may have switched the organization while the questions were open.
  if (length === undefined || store.organizationId !== organizationId) return;

  // A mute turns notifications off, so Undo turns them on again.
  const notifying = chosen.filter(({ problem }) => memory.notifies(problem));
  memory.mute(chosen, length.until, length.isUntilChange);
  showMessage(mutedSentence(problems, affected, length), {
    title: vscode.l10n.t('Undo'),
    run: async () => {
      if (store.organizationId !== organizationId) return;
      memory.unmute(problems);
      memory.notifyWhenFixed(notifying);
    },
  });
}

/**
 * Unmutes the muted problems of these rows, or those that the user picks. Throws if there is no
 * muted problem.
 */
export async function unmuteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, store } = services;
  const { id: organizationId } = await currentOrganization(services);
  const chosen = await chooseProblems(services, rows, {
    title: vscode.l10n.t('Unmute Problem'),
    noneText: vscode.l10n.t('No problem is muted.'),
    which: 'muted',
  });
  if (chosen.length === 0 || store.organizationId !== organizationId) return;

  memory.unmute(chosen.map(({ problem }) => problem));
  const names = nameList(chosen, ({ problem }) => subjectOf(problem));
  showStatusBarMessage(vscode.l10n.t('No longer muted: {names}.', { names }));
}

/** Returns the listed deployments that have one of these problems: an account can be in several. */
function deploymentsWith(
  problems: readonly Problem[],
  listed: readonly Deployment[],
): readonly Deployment[] {
  const keys = new Set(problems.map(({ key }) => key));
  return listed.filter(({ answer }) => answer?.findings.problems.some(({ key }) => keys.has(key)));
}

/** Resolves with `undefined` if the user dismisses the list. */
async function askHowLong(
  title: string,
  problems: readonly Problem[],
  deploymentCount: number,
): Promise<MuteLength | undefined> {
  const now = Date.now();
  const lengths = [
    { label: vscode.l10n.t('For a Day'), until: now + day, isUntilChange: false },
    { label: vscode.l10n.t('For a Week'), until: now + maxTimedMuteMs, isUntilChange: false },
    { label: vscode.l10n.t('Until It Changes'), until: now + maxMuteMs, isUntilChange: true },
  ];
  const items = lengths.map((length) => ({
    ...length,
    description: vscode.l10n.t('until {time} at the latest', {
      time: futureDayOrTime(length.until, now),
    }),
  }));
  const [first] = problems;
  const isSingle = first !== undefined && problems.length === 1;
  const values = {
    problem: isSingle ? problemWord(first) : countText(problems),
    count: numberText(deploymentCount),
  };
  const placeHolder = plural(
    deploymentCount,
    vscode.l10n.t('{problem}: will be muted in {count} deployment', values),
    vscode.l10n.t('{problem}: will be muted in {count} deployments', values),
  );
  return vscode.window.showQuickPick(items, { title, placeHolder: inertLabel(placeHolder, 200) });
}

/**
 * "Finance Slack muted in 6 deployments until it changes.", "notifier (slack) muted in Lead intake
 * until Dec 2, 2026." `affected`: the deployments with these problems.
 */
export function mutedSentence(
  problems: readonly Problem[],
  affected: readonly Deployment[],
  { until, isUntilChange }: MuteLength,
): string {
  const [first] = problems;
  const isSingle = first !== undefined && problems.length === 1;
  const [deployment] = affected;
  const values = {
    problem: isSingle ? subjectOf(first) : countText(problems),
    deployment: deployment ? shortName(deployment) : '',
    count: numberText(affected.length),
    time: futureDayOrTime(until, Date.now()),
  };
  if (affected.length === 1) {
    return isUntilChange
      ? vscode.l10n.t('{problem} muted in {deployment} until it changes.', values)
      : vscode.l10n.t('{problem} muted in {deployment} until {time}.', values);
  }
  return isUntilChange
    ? vscode.l10n.t('{problem} muted in {count} deployments until it changes.', values)
    : vscode.l10n.t('{problem} muted in {count} deployments until {time}.', values);
}

/** What has the problem: the account "Finance Slack", or the requirement "notifier (slack)". */
function subjectOf(problem: Problem): string {
  return problem.kind === 'failedAccount'
    ? accountLabel(problem.finding.account)
    : findingWithService(problem.finding);
}

/** "3 problems" */
function countText(problems: readonly Problem[]): string {
  return vscode.l10n.t('{count} problems', { count: numberText(problems.length) });
}

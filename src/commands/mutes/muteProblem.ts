import * as vscode from 'vscode';
import { showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { futureDayOrTime, numberText, plural } from '../../host/text/format.js';
import { problemWord } from '../../host/text/problem.js';
import { day } from '../../model/base/time.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { inertLabel } from '../../model/inertText.js';
import { maxMuteMs, maxTimedMuteMs } from '../../model/problems/savedProblems.js';
import type { Row } from '../arguments.js';
import { chooseProblems } from '../deployments/pickProblems.js';
import { currentOrganization } from '../organizations.js';
import { deploymentsWith, mutedNames, subjectOrCount } from './mutedNames.js';
import { entriesFor, muteForEveryone, type NewEntries } from './muteForEveryone.js';

/** How long a problem is muted. */
interface MuteLength {
  /** Epoch ms. */
  readonly until: number;
  /** Whether the mute ends when the problem changes, and at `until` at the latest. */
  readonly isUntilChange: boolean;
}

interface MuteItem extends vscode.QuickPickItem {
  readonly mute: MuteLength | NewEntries;
}

/**
 * Mutes the problems of these rows, or those that the user picks, for as long as the user says, and
 * offers Undo. Throws if there is no problem.
 */
export async function muteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, store } = services;
  const { id: organizationId } = await currentOrganization(services);
  // The user may switch the organization while a question is open.
  const hasSwitched = () => store.organizationId !== organizationId;
  const title = vscode.l10n.t('Mute Problem');
  const chosen = await chooseProblems(services, rows, {
    title,
    noneText: vscode.l10n.t('There is no problem to mute.'),
    which: 'unmuted',
  });
  const problems = chosen.map(({ problem }) => problem);
  if (problems.length === 0) return;

  const affected = deploymentsWith(problems, store.deployments);
  const newEntries = entriesFor(services, problems);
  const items = newEntries ? [...ownItems(), itemForEveryone(newEntries)] : ownItems();
  const placeHolder = questionText(problems, affected.length);
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
  if (picked === undefined || hasSwitched()) return;
  const { mute } = picked;
  if ('subjects' in mute) {
    return muteForEveryone(services, { problems, newEntries: mute, hasSwitched });
  }

  // A mute turns notifications off, so Undo turns them on again.
  const notifying = chosen.filter(({ problem }) => memory.notifies(problem));
  memory.mute(chosen, mute.until, mute.isUntilChange);
  showMessage(mutedSentence(problems, affected, mute), {
    title: vscode.l10n.t('Undo'),
    run: async () => {
      if (hasSwitched()) return;
      memory.unmute(problems);
      memory.notifyWhenFixed(notifying);
    },
  });
}

/** "Finance Slack failed: will be muted in 6 deployments" */
function questionText(problems: readonly Problem[], deploymentCount: number): string {
  const [first] = problems;
  const isSingle = first !== undefined && problems.length === 1;
  const values = {
    problem: isSingle ? problemWord(first) : subjectOrCount(problems),
    count: numberText(deploymentCount),
  };
  const text = plural(
    deploymentCount,
    vscode.l10n.t('{problem}: will be muted in {count} deployment', values),
    vscode.l10n.t('{problem}: will be muted in {count} deployments', values),
  );
  return inertLabel(text, 200);
}

/** The lengths of a mute of the user's own. */
function ownItems(): readonly MuteItem[] {
  const now = Date.now();
  const items = [
    { label: vscode.l10n.t('For a Day'), until: now + day, isUntilChange: false },
    { label: vscode.l10n.t('For a Week'), until: now + maxTimedMuteMs, isUntilChange: false },
    { label: vscode.l10n.t('Until It Changes'), until: now + maxMuteMs, isUntilChange: true },
  ];
  return items.map(({ label, ...mute }) => ({
    label,
    description: vscode.l10n.t('until {time} at the latest', {
      time: futureDayOrTime(mute.until, now),
    }),
    mute,
  }));
}

function itemForEveryone(newEntries: NewEntries): MuteItem {
  return {
    label: vscode.l10n.t('For Everyone in This Workspace...'),
    description: inertLabel(newEntries.scope.detailedName),
    mute: newEntries,
  };
}

/**
 * "Finance Slack muted in 6 deployments until it changes.", "notifier (slack) muted in Lead intake
 * until Dec 2, 2026." `affected`: the deployments with these problems.
 */
function mutedSentence(
  problems: readonly Problem[],
  affected: readonly Deployment[],
  { until, isUntilChange }: MuteLength,
): string {
  const values = {
    ...mutedNames(problems, affected),
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

import * as vscode from 'vscode';
import type { SettingChange } from '../../host/list/scopedSetting.js';
import { showMessage, showStatusBarMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import {
  futureDayOrTime,
  joinSentences,
  joinWithDots,
  numberText,
  plural,
  utcDayText,
} from '../../host/text/format.js';
import { nameList } from '../../host/text/problem.js';
import type { MuteEntry } from '../../model/entered/muteEntries.js';
import type { DeploymentProblem } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import type { Mute } from '../../model/findings/state.js';
import { inertLabel } from '../../model/inertText.js';
import type { Row } from '../arguments.js';
import { chooseProblems } from '../deployments/pickProblems.js';
import { scopeNames } from '../deployments/scopeNames.js';
import { showWithUndo } from '../deployments/undo.js';
import { currentOrganization } from '../organizations.js';
import { subjectName, subjectOrCount } from './mutedNames.js';

/** A problem, and all that mutes it. */
interface MutedProblem extends DeploymentProblem {
  /** The user's own mute. */
  readonly own: Mute | undefined;
  /** What mutes it for everyone. */
  readonly entries: readonly MuteEntry[];
}

/** Which mute is to end of a problem that the user and an entry mute. */
type Ending = 'own' | 'forEveryone' | 'both';

/**
 * Unmutes the muted problems of these rows, or those that the user picks. If the user and an entry
 * of the setting `mutes` mute a problem, asks which mute is to end. Takes entries out of their
 * files, and then offers Undo. Throws if there is no muted problem; rejects with a `RefusedChange`
 * if a file cannot be written.
 */
export async function unmuteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, muteEntries, store, log } = services;
  const { id: organizationId } = await currentOrganization(services);
  // The user may switch the organization while a question is open, or a file is written.
  const hasSwitched = () => store.organizationId !== organizationId;
  const title = vscode.l10n.t('Unmute Problem');
  const chosen = await chooseProblems(services, rows, {
    title,
    noneText: vscode.l10n.t('No problem is muted.'),
    which: 'muted',
  });
  if (chosen.length === 0) return;
  const muted = withMutes(services, chosen);
  const ending = await askWhich(title, muted);
  if (ending === undefined || hasSwitched()) return;

  const entries = muted.flatMap((problem) => entriesToEnd(problem, ending));
  const change = entries.length > 0 ? await muteEntries.remove(entries) : undefined;
  const ownEnded = muted.filter((problem) => endsOwn(problem, ending));
  if (!hasSwitched()) memory.unmute(ownEnded.map(({ problem }) => problem));

  const sentence = joinSentences(
    change && removedSentence(change, entries.length),
    unmutedSentence(services, muted),
  );
  if (change === undefined) return showStatusBarMessage(sentence);
  if (change.scopes.length === 0) return showMessage(sentence);
  showWithUndo(log, sentence, {
    undo: async () => {
      const undone = await change.undo();
      if (undone.refusals.length === 0 && !hasSwitched()) muteAgain(services, ownEnded);
      return undone;
    },
  });
}

/** Adds to each problem what mutes it, in whichever deployments it is found. */
function withMutes(
  { memory, muteEntries, store }: Services,
  chosen: readonly DeploymentProblem[],
): readonly MutedProblem[] {
  const entriesByKey = new Map(chosen.map(({ problem }) => [problem.key, new Set<MuteEntry>()]));
  const now = Date.now();
  const problems = store.deployments.flatMap(({ answer }) => answer?.findings.problems ?? []);
  for (const problem of problems) {
    const entries = entriesByKey.get(problem.key);
    if (entries === undefined) continue;
    for (const entry of muteEntries.current.entriesThatMute(problem, now)) entries.add(entry);
  }
  return chosen.map((found) => ({
    ...found,
    own: memory.ownMuteOf(found.problem),
    entries: [...(entriesByKey.get(found.problem.key) ?? [])],
  }));
}

function isMutedTwice({ own, entries }: MutedProblem): boolean {
  return own !== undefined && entries.length > 0;
}

/** A single mute of a problem ends whatever the user has chosen. */
function endsOwn(problem: MutedProblem, ending: Ending): boolean {
  return ending !== 'forEveryone' || !isMutedTwice(problem);
}

function entriesToEnd(problem: MutedProblem, ending: Ending): readonly MuteEntry[] {
  return ending === 'own' && isMutedTwice(problem) ? [] : problem.entries;
}

/**
 * Asks which mute is to end of the problems that have both. Resolves with `undefined` if the user
 * dismisses the list. Does not ask if there is no such problem.
 */
async function askWhich(
  title: string,
  muted: readonly MutedProblem[],
): Promise<Ending | undefined> {
  const mutedTwice = muted.filter(isMutedTwice);
  const [first] = mutedTwice;
  if (first === undefined) return 'both';
  const isSingle = mutedTwice.length === 1;
  const items: readonly (vscode.QuickPickItem & { readonly ending: Ending })[] = [
    isSingle
      ? { label: vscode.l10n.t('Your Own Mute'), description: ownWord(first), ending: 'own' }
      : { label: vscode.l10n.t('Your Own Mutes'), ending: 'own' },
    isSingle
      ? {
          label: vscode.l10n.t('The Mute for Everyone'),
          description: forEveryoneWord(first),
          ending: 'forEveryone',
        }
      : { label: vscode.l10n.t('The Mutes for Everyone'), ending: 'forEveryone' },
    { label: vscode.l10n.t('Both'), ending: 'both' },
  ];
  const placeHolder = vscode.l10n.t(
    '{problem}: muted by you and for everyone. Which mute is to end?',
    { problem: subjectOrCount(mutedTwice.map(({ problem }) => problem)) },
  );
  const options = { title, placeHolder: inertLabel(placeHolder, 200) };
  const picked = await vscode.window.showQuickPick(items, options);
  return picked?.ending;
}

/** "until Friday", "until it changes" */
function ownWord({ own }: MutedProblem): string {
  if (own === undefined) return '';
  return own.isUntilChange
    ? vscode.l10n.t('until it changes')
    : vscode.l10n.t('until {time}', { time: futureDayOrTime(own.until, Date.now()) });
}

/** "until Dec 31 · App review at Slack", of the entry that ends last. */
function forEveryoneWord({ entries }: MutedProblem): string {
  const [last] = entries.toSorted((a, b) => b.endsAt - a.endsAt);
  if (last === undefined) return '';
  const time = utcDayText(last.until, Date.now());
  return inertLabel(joinWithDots(vscode.l10n.t('until {time}', { time }), last.reason), 200);
}

/** Gives the problems the user's own mutes that they had, unless they have changed since. */
function muteAgain({ memory }: Services, ended: readonly MutedProblem[]): void {
  const problems = ended.filter(({ problem }) => memory.seenSince(problem) !== undefined);
  // A mute turns notifications off, so those that are wanted now are turned on again.
  const notifying = problems.filter(({ problem }) => memory.notifies(problem));
  for (const found of problems) {
    if (found.own) memory.mute([found], found.own.until, found.own.isUntilChange);
  }
  if (notifying.length > 0) memory.notifyWhenFixed(notifying);
}

/** "Removed the mute for everyone from .vscode/settings.json." */
function removedSentence({ scopes }: SettingChange, entryCount: number): string {
  if (scopes.length === 0) {
    return plural(
      entryCount,
      vscode.l10n.t('The mute for everyone is no longer in the settings.'),
      vscode.l10n.t('The mutes for everyone are no longer in the settings.'),
    );
  }
  const values = { count: numberText(entryCount), places: scopeNames(scopes) };
  return entryCount > 1
    ? vscode.l10n.t('Removed {count} mutes for everyone from {places}.', values)
    : vscode.l10n.t('Removed the mute for everyone from {places}.', values);
}

/** "No longer muted: Finance Slack. Still muted for everyone: notifier (slack)." */
function unmutedSentence({ memory }: Services, problems: readonly MutedProblem[]): string {
  const unmuted: Problem[] = [];
  const stillForEveryone: Problem[] = [];
  const stillForUser: Problem[] = [];
  for (const { problem } of problems) {
    const mute = memory.muteOf(problem);
    if (mute === undefined) unmuted.push(problem);
    else if (mute.forEveryone) stillForEveryone.push(problem);
    else stillForUser.push(problem);
  }
  return joinSentences(
    unmuted.length > 0 ? vscode.l10n.t('No longer muted: {names}.', namesOf(unmuted)) : '',
    stillForEveryone.length > 0
      ? vscode.l10n.t('Still muted for everyone: {names}.', namesOf(stillForEveryone))
      : '',
    stillForUser.length > 0
      ? vscode.l10n.t('Still muted for you: {names}.', namesOf(stillForUser))
      : '',
  );
}

function namesOf(problems: readonly Problem[]) {
  return { names: nameList(problems, subjectName) };
}

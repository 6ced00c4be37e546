import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import type { SettingsScope } from '../../host/list/settingsScope.js';
import type { Services } from '../../host/services.js';
import { joinSentences, numberText, plural, utcDayText } from '../../host/text/format.js';
import { day } from '../../model/base/time.js';
import {
  dayOf,
  dayText,
  type MuteSubject,
  maxMuteDays,
  reasonProblem,
} from '../../model/entered/muteEntries.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { inertLabel } from '../../model/inertText.js';
import { muteSubjectOf } from '../../model/problems/mutes.js';
import { scopeNames, willBeSavedText } from '../deployments/scopeNames.js';
import { showWithUndo } from '../deployments/undo.js';
import { askInSteps, type Question, type TextQuestion } from '../questions.js';
import { mutedNames, subjectOrCount } from './mutedNames.js';

/** The entries that would mute some problems for everyone. */
export interface NewEntries {
  /** What the entries name. */
  readonly subjects: readonly MuteSubject[];
  /** The listed deployments in which they mute something. */
  readonly affected: readonly Deployment[];
  /** Where they are written. */
  readonly scope: SettingsScope;
}

interface MutedProblems {
  readonly problems: readonly Problem[];
  readonly newEntries: NewEntries;
  /** Whether the user has switched the organization since the command began. */
  readonly hasSwitched: () => boolean;
}

/**
 * Returns the entries that would mute all of these problems. Returns `undefined` if an entry cannot
 * name one of the problems, if there is no workspace, or if it is not trusted.
 */
export function entriesFor(
  { muteEntries, store }: Services,
  problems: readonly Problem[],
): NewEntries | undefined {
  const scope = muteEntries.scopeOfNewEntries;
  const subjects = problems.map(muteSubjectOf).filter((subject) => subject !== undefined);
  const areAllNamed = subjects.length === problems.length;
  if (scope === undefined || !areAllNamed) return undefined;
  return { subjects, affected: deploymentsWithSame(problems, store.deployments), scope };
}

/**
 * Returns the listed deployments that have one of these problems as it is: in another deployment an
 * account can have another error, which the entry does not mute.
 */
function deploymentsWithSame(
  problems: readonly Problem[],
  listed: readonly Deployment[],
): readonly Deployment[] {
  const signs = new Map(problems.map(({ key, sign }) => [key, sign]));
  const isSame = ({ key, sign }: Problem): boolean => signs.has(key) && signs.get(key) === sign;
  return listed.filter(({ answer }) => answer?.findings.problems.some(isSame));
}

/**
 * Asks until when these problems are muted for everyone, and why, writes that into the setting
 * `mutes`, and offers Undo. Rejects with a `RefusedChange` if the setting cannot be written, and
 * with a `UserError` if the problems have changed.
 */
export async function muteForEveryone(services: Services, muted: MutedProblems): Promise<void> {
  const { log, muteEntries, store } = services;
  const terms = await askTerms(services, muted);
  if (terms === undefined || muted.hasSwitched()) return;
  // A refresh may have found another error while a question was open.
  const hasChanged = muted.problems.some(
    (problem) => deploymentsWithSame([problem], store.deployments).length === 0,
  );
  if (hasChanged) {
    throw new UserError(vscode.l10n.t('The problem has changed meanwhile. Nothing was muted.'));
  }
  const change = await muteEntries.add(muted.newEntries.subjects, terms);
  const sentence = joinSentences(
    mutedSentence(muted, terms.until),
    vscode.l10n.t('Saved in {place}.', { place: scopeNames(change.scopes) }),
  );
  showWithUndo(log, sentence, change);
}

/** Resolves with `undefined` if the user dismisses a question. */
async function askTerms(services: Services, muted: MutedProblems) {
  const { today } = services.muteEntries;
  const title = vscode.l10n.t('Mute Problem for Everyone');
  const length = await vscode.window.showQuickPick(lengthItems(today), {
    title,
    placeHolder: questionText(muted),
  });
  if (length === undefined) return undefined;

  const draft = { until: length.lastDay, reason: '' };
  const lastDayStep: Question<'until'> = {
    field: 'until',
    question: () => lastDayQuestion(muted, today),
  };
  const reasonStep: Question<'reason'> = {
    field: 'reason',
    question: () => reasonQuestion(services, muted, draft.until.trim()),
  };
  const steps = length.lastDay === '' ? [lastDayStep, reasonStep] : [reasonStep];
  const isAnswered = await askInSteps(title, draft, steps);
  return isAnswered ? { until: draft.until.trim(), reason: draft.reason.trim() } : undefined;
}

interface LengthItem extends vscode.QuickPickItem {
  /** "2026-12-31"; empty if the user is to enter a day. */
  readonly lastDay: string;
}

/** `today`: "2026-11-28", the day in UTC. */
function lengthItems(today: string): readonly LengthItem[] {
  const todayAt = Date.parse(today);
  const lengths = [
    { label: vscode.l10n.t('A Week'), lastDay: dayText(todayAt + 7 * day) },
    { label: vscode.l10n.t('A Month'), lastDay: dayText(monthsLater(todayAt, 1)) },
    { label: vscode.l10n.t('Three Months'), lastDay: dayText(monthsLater(todayAt, 3)) },
  ];
  const items = lengths.map(({ label, lastDay }) => ({
    label,
    description: vscode.l10n.t('until {time}', { time: utcDayText(lastDay, todayAt) }),
    lastDay,
  }));
  return [...items, { label: vscode.l10n.t('A Date...'), lastDay: '' }];
}

/**
 * Returns the same day of the month so many months later, or the last day of a shorter month. `at`,
 * and the result: epoch ms at which a day begins in UTC.
 */
export function monthsLater(at: number, months: number): number {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + months;
  // Day 0 is the last day of the month before.
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), daysInMonth));
}

/** "Finance Slack: will be muted for everyone in 6 deployments" */
function questionText({ problems, newEntries: { affected } }: MutedProblems): string {
  const values = mutedNames(problems, affected);
  const text = plural(
    affected.length,
    vscode.l10n.t('{problem}: will be muted for everyone in {count} deployment', values),
    vscode.l10n.t('{problem}: will be muted for everyone in {count} deployments', values),
  );
  return inertLabel(text, 200);
}

function lastDayQuestion({ problems }: MutedProblems, today: string): TextQuestion {
  const suggestedValue = dayText(monthsLater(Date.parse(today), 1));
  return {
    prompt: vscode.l10n.t(
      '{problem}: until which day will this be muted for everyone? The mute ends with that day, in UTC.',
      { problem: subjectOrCount(problems) },
    ),
    suggestedValue,
    placeholder: vscode.l10n.t('Last day, for example {day}', { day: suggestedValue }),
    validate: (text) => lastDayMessage(text.trim(), today),
  };
}

/**
 * Returns why a text cannot be the last day of a mute that begins today; `undefined` if it can:
 * "Enter a day such as 2026-12-28." `today`: the day in UTC, as "2026-11-28".
 */
export function lastDayMessage(text: string, today: string): string | undefined {
  const todayAt = Date.parse(today);
  const at = dayOf(text);
  if (at === undefined) {
    const example = dayText(monthsLater(todayAt, 1));
    return vscode.l10n.t('Enter a day of the calendar, such as {day}.', { day: example });
  }
  if (at < todayAt) {
    return vscode.l10n.t('This day is over. Enter {day} (today, in UTC) or a later day.', {
      day: today,
    });
  }
  const latest = todayAt + maxMuteDays * day;
  if (at <= latest) return undefined;
  return vscode.l10n.t('A mute lasts at most {count} days. Enter {day} or an earlier day.', {
    count: numberText(maxMuteDays),
    day: dayText(latest),
  });
}

function reasonQuestion(
  services: Services,
  { problems, newEntries }: MutedProblems,
  lastDay: string,
): TextQuestion {
  const values = {
    problem: subjectOrCount(problems),
    time: utcDayText(lastDay, Date.now()),
  };
  return {
    prompt: joinSentences(
      vscode.l10n.t('{problem}: why will this be muted for everyone until {time}?', values),
      vscode.l10n.t(
        'The reason is shown to everyone who opens this workspace, and in the CI check.',
      ),
      willBeSavedText(newEntries.scope),
    ),
    placeholder: vscode.l10n.t('Reason, for example App review at Slack, FIN-1234'),
    validate: (text) => reasonMessage(services, text.trim()),
  };
}

/** "Enter at most 200 characters."; `undefined` if the text can be a reason. */
function reasonMessage({ muteEntries, organizations }: Services, text: string): string | undefined {
  if (organizations.hasTokenIn(text) || muteEntries.hasToken(text)) {
    return vscode.l10n.t('This text contains a token. Do not put tokens into settings.');
  }
  switch (reasonProblem(text)) {
    case 'empty':
      return vscode.l10n.t('Enter a reason, so that others know what this waits for.');
    case 'tooLong':
      return vscode.l10n.t('Enter at most 200 characters.');
    default:
      return undefined;
  }
}

/**
 * "Finance Slack muted for everyone in 6 deployments until Dec 31.", "notifier (slack) muted for
 * everyone in Lead intake until Dec 31." `lastDay`: "2026-12-31".
 */
function mutedSentence({ problems, newEntries }: MutedProblems, lastDay: string): string {
  const { affected } = newEntries;
  const values = {
    ...mutedNames(problems, affected),
    time: utcDayText(lastDay, Date.now()),
  };
  return affected.length === 1
    ? vscode.l10n.t('{problem} muted for everyone in {deployment} until {time}.', values)
    : vscode.l10n.t('{problem} muted for everyone in {count} deployments until {time}.', values);
}

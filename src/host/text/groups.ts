import { l10n } from 'vscode';
import type { GroupName } from '../../model/groups.js';
import { inertPlain } from '../../model/inertText.js';
import { joinWithDots, numberText } from './format.js';

/**
 * How many UTF-16 units a group's name keeps, with its invisible characters made visible: in the
 * status bar and the view's header, and where there is room.
 */
export const groupWordChars = { short: 12, sentence: 60 } as const;

/**
 * "payments"; "No group" for the deployments that are in none, and “No group” in quotation marks for
 * a group of this name.
 */
export function groupText(name: GroupName): string {
  const noGroup = l10n.t('No group');
  if (name === undefined) return noGroup;
  return name === noGroup ? l10n.t('“{name}”', { name }) : name;
}

/**
 * "payments +1": the chosen groups, of which the first is named. `undefined` if none is chosen, so
 * that all deployments count.
 */
export function groupsWord(
  groups: readonly GroupName[] | undefined,
  maxChars: number,
): string | undefined {
  if (groups === undefined || groups.length === 0) return undefined;
  const name = inertPlain(groupText(groups[0]), maxChars);
  if (groups.length === 1) return name;
  return l10n.t('{name} +{count}', { name, count: numberText(groups.length - 1) });
}

/** "payments +1 · 7 failing"; the counts alone if all deployments count. */
export function withGroups(
  groups: readonly GroupName[] | undefined,
  countsText: string,
  maxChars: number = groupWordChars.short,
): string {
  return joinWithDots(groupsWord(groups, maxChars), countsText);
}

/**
 * As `withGroups`, in at most `max` UTF-16 units if the first group's name can be cut to that. The
 * counts are never cut: a number that lost digits would be another number.
 */
export function withGroupsWithin(
  groups: readonly GroupName[] | undefined,
  countsText: string,
  max: number,
): string {
  const chars = max - withGroups(groups, countsText, 1).length + 1;
  return withGroups(groups, countsText, Math.max(1, Math.min(chars, groupWordChars.short)));
}

/** "payments +1: Finance Slack failed in 6 deployments."; the sentence alone if all count. */
export function sentenceWithGroups(
  groups: readonly GroupName[] | undefined,
  sentence: string,
): string {
  const word = groupsWord(groups, groupWordChars.sentence);
  return word === undefined
    ? sentence
    : l10n.t('{groups}: {text}', { groups: word, text: sentence });
}

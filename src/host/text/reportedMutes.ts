// What a report says of mutes: the words of its table, and the entries of `mutes` that mute
// nothing.

import { l10n } from 'vscode';
import { redactedDeployment } from '../../model/deploymentNames.js';
import type { MuteEntry, MuteSubject } from '../../model/entered/muteEntries.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import type { Mutes } from '../../model/findings/state.js';
import { codeSpan, inertName, inertProse, shorten } from '../../model/inertText.js';
import type { EntryState } from '../../model/problems/mutes.js';
import { configurationSection, settingKeys } from '../ids.js';
import {
  CauseRows,
  markdownName,
  namesWithin,
  quoted,
  type Redact,
  utcTime,
} from './causeTable.js';
import { joinSentences, joinWithDots } from './format.js';
import { accountLabel } from './problem.js';

/** Of the entries that one line names. */
const maxEntries = { lines: 10, chars: 1_500 };

/** Muted problems, one row for each account with the same error, end, and reason. */
export class MuteRows extends CauseRows {
  protected override accountKey({ key, sign }: Problem, end: string): string {
    return JSON.stringify([key, sign, end]);
  }
}

/**
 * "2026-11-20 12:00 UTC", "it changes, or 2026-11-20 12:00 UTC", "2026-12-31, for everyone · “App
 * review at Slack, `FIN-1234`”", as Markdown.
 */
export function endOfMute(problem: Problem, memory: Mutes, redact: Redact): string {
  const mute = memory.muteOf(problem);
  if (mute?.forEveryone) {
    const { until, reason } = mute.forEveryone;
    const end = l10n.t({
      message: '{day}, for everyone',
      args: { day: until },
      comment: 'Muted until',
    });
    return joinWithDots(end, quoted(inertProse(redact(reason))));
  }
  const time = utcTime(mute?.until ?? 0);
  return mute?.isUntilChange
    ? l10n.t({ message: 'it changes, or {time}', args: { time }, comment: 'Muted until' })
    : time;
}

/** The name of the setting with the entries. */
const setting = codeSpan(`${configurationSection}.${settingKeys.mutes}`);

/**
 * Returns lines below the tables, each after an empty one, about entries that mute nothing:
 * "Obsolete mutes for everyone: “Finance Slack”. Remove the entries from
 * `automationPlatform.mutes`." No lines without such entries. `states`: what becomes of each entry
 * in all listed deployments.
 */
export function idleMuteLines(
  states: ReadonlyMap<MuteEntry, EntryState>,
  deployments: readonly Deployment[],
  redact: Redact,
): readonly string[] {
  const namesOf = (state: EntryState): string => {
    const entries = Array.from(states.keys()).filter((entry) => states.get(entry) === state);
    return namesWithin(entries, maxEntries, ({ subject }) =>
      subjectName(subject, deployments, redact),
    );
  };
  const obsolete = { names: namesOf('obsolete'), setting };
  const ambiguous = { names: namesOf('ambiguous') };
  const ended = { names: namesOf('ended') };
  const lines = [
    obsolete.names &&
      joinSentences(
        l10n.t('Obsolete mutes for everyone: {names}.', obsolete),
        l10n.t('Remove the entries from {setting}.', obsolete),
      ),
    ambiguous.names &&
      l10n.t(
        'Mutes for everyone that mute nothing, because several requirements have the name or may have it: {names}.',
        ambiguous,
      ),
    ended.names && l10n.t('Mutes for everyone that have ended: {names}.', ended),
  ];
  return lines.filter(Boolean).flatMap((line) => ['', line]);
}

/** "“Finance Slack”", "“notifier” in “Billing sync”", with the ID of what no deployment has. */
function subjectName(
  subject: MuteSubject,
  deployments: readonly Deployment[],
  redact: Redact,
): string {
  const named = (text: string): string => inertName(shorten(redact(text)), quoted);
  if (subject.kind === 'account') {
    for (const { answer } of deployments) {
      const finding = answer?.findings.accountsById.get(subject.account);
      if (finding) return named(accountLabel(finding.account));
    }
    return named(subject.account);
  }
  const deployment = deployments.find(({ id }) => id === subject.deployment);
  return l10n.t('{requirement} in {deployment}', {
    requirement: named(subject.requirement),
    deployment: deployment
      ? markdownName(redactedDeployment(deployment, redact))
      : named(subject.deployment),
  });
}

import { l10n, type MarkdownString } from 'vscode';
import { effectIcon, requirementIcon, stateIcons } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { joinWithDots, numberText, plural } from '../../../host/text/format.js';
import { changedSinceMutedWord, mutedWord } from '../../../host/text/mutes.js';
import {
  effectReason,
  effectWord,
  findingWithService,
  maxLabelChars,
  missingScopesWord,
  nameList,
  notifyingWord,
  problemWord,
  requirementLabel,
  requirementNote,
} from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import { stateOfFinding } from '../../../model/findings/state.js';
import { shortenMiddle } from '../../../model/inertText.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { listHover } from '../../markdown.js';
import { muteNoteWord } from '../../muteNotes.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';

/** "notifier", beside it "missing channels:read · muted until Friday", or "needs Finance Slack". */
export function requirementRow(
  { finding, deployment }: ElementOf<'requirement'>,
  context: RowContext,
): RowContent {
  const { memory, now } = context;
  const { name, cause, problem, isEffect, missingScopes, requirement, isBoundAccountAbsent } =
    finding;
  const { accountId = '', serviceId } = requirement;
  const state = stateOfFinding(finding, memory);
  const label = requirementLabel(finding, maxLabelChars);
  const muted = mutedWord(cause, memory, now) ?? changedSinceMutedWord(problem, memory);
  const muteNote = muteNoteWord(finding, deployment, context);
  const missing = missingScopes.length > 0 ? missingScopesWord(missingScopes) : undefined;
  const notSatisfied = problem && problemWord(problem);
  const notifying = notifyingWord([cause], memory);
  return {
    label,
    description: joinWithDots(
      effectWord(finding) ?? missing ?? notSatisfied,
      muted,
      muteNote,
      finding.state === 'unknown' ? stateWord('unknown') : undefined,
      isBoundAccountAbsent
        ? l10n.t('no account {id}', { id: shortenMiddle(accountId) })
        : undefined,
      notifying,
    ),
    icon: requirementIcon(finding, memory),
    spoken: [
      label,
      l10n.t('requirement'),
      muted,
      effectReason(finding) ?? stateWord(finding.state),
      muteNote,
      requirementNote(finding),
      serviceId === name ? undefined : serviceId,
      notifying,
    ],
    contextValue: menuFor(contextValues.requirement, [cause], memory),
    state: isEffect && state !== 'muted' ? 'effect' : state,
  };
}

/** "2 satisfied", beside it "github, salesforce". */
export function satisfiedRow({ findings }: ElementOf<'satisfied'>): RowContent {
  const label = l10n.t('{count} satisfied', { count: numberText(findings.length) });
  const names = nameList(findings, (finding) => requirementLabel(finding, maxLabelChars));
  return { label, description: names, icon: stateIcons.satisfied, spoken: [label, names] };
}

/** "**2 satisfied**", below it a list: "github", "CRM (salesforce)". */
export function satisfiedHover(element: ElementOf<'satisfied'>): MarkdownString {
  return listHover(satisfiedRow(element).label, element.findings, findingWithService);
}

/** "2 requirements need them", below failed accounts; beside it "notifier, archive". */
export function effectsRow({ findings }: ElementOf<'effects'>): RowContent {
  const count = numberText(findings.length);
  const label = plural(
    findings.length,
    l10n.t('{count} requirement needs them', { count }),
    l10n.t('{count} requirements need them', { count }),
  );
  const names = nameList(findings, (finding) => requirementLabel(finding, maxLabelChars));
  return { label, description: names, icon: effectIcon, spoken: [label, names], state: 'effect' };
}

/** Lists each requirement with its account: "notifier (slack) · needs Finance Slack". */
export function effectsHover(element: ElementOf<'effects'>): MarkdownString {
  return listHover(effectsRow(element).label, element.findings, (finding) =>
    joinWithDots(findingWithService(finding), effectWord(finding)),
  );
}

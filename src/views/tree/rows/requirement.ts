import { l10n } from 'vscode';
import { stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { heading, numberText, parts, sentences } from '../../../host/text/format.js';
import {
  effectWord,
  missingWord,
  mutedWord,
  nameList,
  problemWord,
  requirementLabel,
  requirementNote,
} from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import { shortenMiddle } from '../../../model/inertText.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { escaped, fields, list, markdown, title } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';
import { adviceInFull } from './advice.js';

/** "missing channels:read", "needs Finance Slack"; nothing of a satisfied one. */
export function requirementRow({ finding }: ElementOf<'requirement'>, { now }: RowContext): RowContent {
  const { name, state, said, cause, problem, missingScopes, requirement, boundAbsent } = finding;
  const label = name || l10n.t('unnamed requirement');
  const muted = mutedWord(cause, now);
  const lacking = missingScopes.length > 0 ? missingWord(missingScopes) : undefined;
  const { accountId: id = '', serviceId } = requirement;
  return {
    label,
    description: parts(
      muted,
      effectWord(finding) ?? lacking ?? (problem && problemWord(problem)),
      said === 'unknown' ? stateWord(said) : undefined,
      boundAbsent ? l10n.t('no account {id}', { id: shortenMiddle(id) }) : undefined,
    ),
    icon: stateIcon(state),
    spoken: [
      label,
      l10n.t('requirement'),
      muted,
      stateWord(said),
      effectWord(finding),
      requirementNote(finding),
      serviceId === name ? undefined : serviceId,
    ],
    contextValue: menuFor(contextValues.requirement, [cause]),
    state,
  };
}

/** "2 satisfied", and their names. */
export function satisfiedRow({ findings }: ElementOf<'satisfied'>): RowContent {
  const label = l10n.t('{count} satisfied', { count: numberText(findings.length) });
  const names = nameList(findings.map(({ name }) => name || l10n.t('unnamed requirement')));
  return { label, description: names, icon: stateIcon('satisfied'), spoken: [label, names] };
}

/** The title says name and service, the rows below the accounts and connection methods. */
export function requirementHover({ finding, deployment }: ElementOf<'requirement'>) {
  // Of a requirement, an unknown state has only one cause.
  const word = finding.said === 'unknown' ? l10n.t('unknown: the service did not say') : stateWord(finding.said);
  const state = l10n.t('{state}.', { state: heading(word) });
  return markdown(
    title(requirementLabel(finding), l10n.t('requirement')),
    escaped(sentences(state, requirementNote(finding))),
    finding.cause && adviceInFull(finding.cause, deployment),
    list(fields(finding.requirement, ['serviceId', 'binding', 'satisfied', 'connections', 'eligibleAccountIds'])),
  );
}

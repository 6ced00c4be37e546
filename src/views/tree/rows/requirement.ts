import { l10n } from 'vscode';
import { stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { heading, parts, sentences } from '../../../host/text/format.js';
import {
  effectWord,
  missingWord,
  mutedWord,
  problemWord,
  requirementLabel,
  requirementNote,
} from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import { shorten, shortenMiddle } from '../../../model/inertText.js';
import type { RequirementFinding } from '../../../model/problems/findings.js';
import type { RequirementElement } from '../../../model/tree/elements.js';
import { escaped, fields, list, markdown, title } from '../../markdown.js';
import { type Looks, menuFor, type Row, type RowContext } from '../row.js';
import { adviceInFull } from './advice.js';

export const requirementRows = {
  requirement: { row: requirementRow, hover: requirementHover },
} satisfies Looks<'requirement'>;

function requirementRow({ finding }: RequirementElement, { now }: RowContext): Row {
  const { name, state, said, cause } = finding;
  const label = name || l10n.t('unnamed requirement');
  return {
    label,
    description: requirementSummary(finding, now),
    icon: stateIcon(state),
    spoken: [
      label,
      l10n.t('requirement'),
      mutedWord(cause, now),
      stateWord(said),
      effectWord(finding),
      requirementNote(finding),
      otherService(finding),
    ],
    contextValue: menuFor(contextValues.requirement, [cause]),
    state,
  };
}

/** "missing channels:read · slack", "needs Finance Slack"; of a satisfied one the service. */
function requirementSummary(finding: RequirementFinding, now: number): string {
  const { said, cause, problem, missingScopes, requirement, boundAbsent } = finding;
  return parts(
    mutedWord(cause, now),
    effectWord(finding) ?? (missingScopes.length > 0 ? missingWord(missingScopes) : problem && problemWord(problem)),
    said === 'unknown' ? stateWord(said) : undefined,
    boundAbsent ? l10n.t('no account {id}', { id: shortenMiddle(requirement.accountId ?? '') }) : undefined,
    otherService(finding) ?? (said === 'satisfied' ? stateWord(said) : undefined),
  );
}

/** Where the label says something else. */
function otherService({ name, requirement: { serviceId } }: RequirementFinding): string | undefined {
  return serviceId && serviceId !== name ? shorten(serviceId) : undefined;
}

/** The title says name and service, the rows below the accounts and connection methods. */
function requirementHover({ finding, deployment }: RequirementElement) {
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

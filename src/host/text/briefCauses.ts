import { l10n } from 'vscode';
import type { LastAnswer } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import type { State } from '../../model/findings/order.js';
import type { Mutes } from '../../model/findings/state.js';
import { shortenMiddle } from '../../model/inertText.js';
import {
  bySeverity,
  type CauseRow,
  CauseRows,
  causeRowOf,
  type UnsatisfiedRequirement,
} from './causeTable.js';
import { numberText } from './format.js';
import { isStateUnreadable, problemWord, requirementLabel } from './problem.js';

export interface WorstCauses {
  readonly rows: readonly CauseRow[];
  /** How many deployments only the rows name that are left out, and how many problems these tell of. */
  readonly moreDeployments: number;
  readonly moreProblems: number;
}

/**
 * What is wrong, in few words, for a surface without room for more: requirements of one service that lack
 * the same scopes share a row, whatever their names.
 */
export class BriefCauses extends CauseRows {
  constructor(memory: Mutes) {
    super({ memory, advice: () => '', nextStep: () => '' });
  }

  /**
   * Returns the worst rows of these states, among equals the one of most deployments first, and how much
   * is left out.
   */
  worst(max: number, has: (state: State) => boolean): WorstCauses {
    const found = Array.from(this.byKey.values()).filter(({ state }) => has(state));
    const sorted = found.toSorted(
      (a, b) => bySeverity(a, b) || b.deployments.size - a.deployments.size,
    );
    const rest = sorted.slice(max);
    const moreProblems = rest.reduce((count, { problemKeys }) => count + problemKeys.size, 0);
    const rows = sorted.slice(0, max).map((cause) => withCount(causeRowOf(cause)));
    return { rows, moreDeployments: countOthers(rows, rest), moreProblems };
  }

  protected override wordsOf(problem: Problem): readonly string[] {
    return [briefWord(problem)];
  }

  /** One reason each, whatever the names and numbers. */
  protected override unknownReasons({
    findings,
    decodeIssues,
  }: LastAnswer): readonly (readonly string[])[] {
    const isUnsaid = findings.unknownFindings.some((finding) => !isStateUnreadable(finding));
    return [
      ...(isUnsaid ? [[l10n.t('State not reported')]] : []),
      ...(decodeIssues.length > 0 ? [[l10n.t('Fields unreadable')]] : []),
    ];
  }

  protected override requirementKey({ finding }: UnsatisfiedRequirement): string {
    const { missingScopes, name, requirement, bound } = finding;
    const lacks = missingScopes.length > 0 ? missingScopes.toSorted() : name;
    return JSON.stringify([requirement.serviceId ?? bound?.account.serviceId, lacks]);
  }
}

/** "Finance Slack failed", "missing channels:read +1", "notifier not satisfied" */
function briefWord(problem: Problem): string {
  if (problem.kind === 'failedAccount' || problem.finding.missingScopes.length > 0)
    return problemWord(problem);
  const requirement = shortenMiddle(requirementLabel(problem.finding));
  return l10n.t('{requirement} not satisfied', { requirement });
}

/** "missing channels:read (3 requirements)", where there are more of them than deployments. */
function withCount(row: CauseRow): CauseRow {
  const { descriptionParts: wrong, problemCount, deployments } = row;
  if (problemCount <= deployments.size) return row;
  const values = { problem: wrong.join(' · '), count: numberText(problemCount) };
  return { ...row, descriptionParts: [l10n.t('{problem} ({count} requirements)', values)] };
}

/** Returns how many deployments `rest` names that `rows` do not name. */
function countOthers(
  rows: readonly CauseRow[],
  rest: readonly Pick<CauseRow, 'deployments'>[],
): number {
  const named = new Set(rows.flatMap(({ deployments }) => Array.from(deployments)));
  const others = rest.flatMap(({ deployments }) =>
    Array.from(deployments).filter((one) => !named.has(one)),
  );
  return new Set(others).size;
}

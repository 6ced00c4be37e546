import { l10n } from 'vscode';
import type { Deployment, LastAnswer } from '../../model/findings/deployment.js';
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
  /** How many deployments are affected by nothing but causes that are left out. */
  readonly moreDeployments: number;
  /** How many problems the causes that are left out stand for. */
  readonly moreProblems: number;
}

/**
 * What is wrong in few words, for the status bar's hover and for notifications: requirements of one
 * service that lack the same scopes share a row, whatever their names, and no row has a next step.
 */
export class BriefCauses extends CauseRows {
  constructor(memory: Mutes) {
    super({ memory, advice: () => '', nextStep: () => '' });
  }

  /**
   * Returns at most `max` causes whose state passes `isWanted`, the worst first, and among equals
   * the one with most deployments, and counts what is left out.
   */
  worstCauses(max: number, isWanted: (state: State) => boolean): WorstCauses {
    const wanted = Array.from(this.causes.values()).filter(({ newest }) => isWanted(newest.state));
    const worstFirst = wanted.toSorted(
      (a, b) => bySeverity(a, b) || b.deployments.size - a.deployments.size,
    );
    const rows = worstFirst.slice(0, max).map((cause) => withRequirementCount(causeRowOf(cause)));
    const leftOut = worstFirst.slice(max);
    let moreProblems = 0;
    for (const { problemKeys } of leftOut) moreProblems += problemKeys.size;
    return { rows, moreDeployments: countMoreDeployments(leftOut, rows), moreProblems };
  }

  /** ["Finance Slack failed"] */
  protected override descriptionOf(problem: Problem): readonly string[] {
    return [briefDescription(problem)];
  }

  /** [["State not reported"], ["Fields unreadable"]], whatever the names and numbers. */
  protected override unknownReasons({
    findings,
    decodeIssues,
  }: LastAnswer): readonly (readonly string[])[] {
    const reasons: (readonly string[])[] = [];
    const isAnyUnreported = findings.unknownFindings.some((finding) => !isStateUnreadable(finding));
    if (isAnyUnreported) reasons.push([l10n.t('State not reported')]);
    if (decodeIssues.length > 0) reasons.push([l10n.t('Fields unreadable')]);
    return reasons;
  }

  protected override requirementKey({ finding }: UnsatisfiedRequirement): string {
    const { missingScopes, name, requirement, bound } = finding;
    const serviceId = requirement.serviceId ?? bound?.account.serviceId;
    const lacks = missingScopes.length > 0 ? missingScopes.toSorted() : name;
    return JSON.stringify([serviceId, lacks]);
  }
}

/** "Finance Slack failed", "missing channels:read +1", "notifier not satisfied" */
function briefDescription(problem: Problem): string {
  if (problem.kind === 'failedAccount' || problem.finding.missingScopes.length > 0) {
    return problemWord(problem);
  }
  const requirement = shortenMiddle(requirementLabel(problem.finding));
  return l10n.t('{requirement} not satisfied', { requirement });
}

/**
 * Returns the row with a description like "missing channels:read (3 requirements)" if it stands for
 * more problems than deployments; else the row itself.
 */
function withRequirementCount(row: CauseRow): CauseRow {
  const { descriptionParts, problemCount, deployments } = row;
  if (problemCount <= deployments.size) return row;
  const values = { problem: descriptionParts.join(' · '), count: numberText(problemCount) };
  return { ...row, descriptionParts: [l10n.t('{problem} ({count} requirements)', values)] };
}

type Affecting = Pick<CauseRow, 'deployments'>;

/** Returns how many deployments stand in `leftOut` and not in `rows`. */
function countMoreDeployments(leftOut: readonly Affecting[], rows: readonly Affecting[]): number {
  const more = new Set<Deployment>();
  for (const { deployments } of leftOut) {
    for (const deployment of deployments) more.add(deployment);
  }
  for (const { deployments } of rows) {
    for (const deployment of deployments) more.delete(deployment);
  }
  return more.size;
}

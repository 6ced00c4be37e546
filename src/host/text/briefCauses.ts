import type { Finding, Problem } from '../../model/findings/findings.js';
import type { State } from '../../model/findings/order.js';
import type { Mutes } from '../../model/findings/state.js';
import { bySeverity, type CauseRow, CauseRows, rowOf, type UnsatisfiedRequirement } from './causeTable.js';
import { findingLabel, problemWord } from './problem.js';

export interface WorstCauses {
  readonly rows: readonly CauseRow[];
  /** How many rows are left out, and how many problems these tell of. */
  readonly more: number;
  readonly moreProblems: number;
}

/**
 * What is wrong, in the few words that rows have, for a surface without room for more: all requirements
 * of which these words are the same share a row.
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
    const sorted = found.toSorted((a, b) => bySeverity(a, b) || b.deployments.size - a.deployments.size);
    const rest = sorted.slice(max);
    const moreProblems = rest.reduce((count, { problemKeys }) => count + problemKeys.size, 0);
    return { rows: sorted.slice(0, max).map(rowOf), more: rest.length, moreProblems };
  }

  protected override wordsOf(problem: Problem): readonly string[] {
    return [problemWord(problem)];
  }

  protected override unknownWords(finding: Finding): readonly string[] {
    return [findingLabel(finding)];
  }

  protected override requirementKey(problem: UnsatisfiedRequirement): string {
    return problemWord(problem);
  }
}

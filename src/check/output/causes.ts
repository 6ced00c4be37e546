import type { Failure } from '../../api/failure.js';
import {
  CauseRows,
  problemParts,
  type UnsatisfiedRequirement,
} from '../../host/text/causeTable.js';
import { unreadableFieldsWord } from '../../host/text/deployment.js';
import { firstWithMore, listText } from '../../host/text/format.js';
import { changedSinceMutedWord } from '../../host/text/mutes.js';
import { unknownTexts } from '../../host/text/problem.js';
import type { OwnerOf } from '../../model/entered/owners.js';
import type { Deployment, LastAnswer } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import type { Mutes } from '../../model/findings/state.js';
import { shorten } from '../../model/inertText.js';
import { problemAdvice, problemWords } from './words.js';

/** How many fields that could not be read are named. */
const maxFields = 5;

export interface CheckCausesOptions {
  readonly ownerOf: OwnerOf;
  /** Knows which problems are muted for everyone. */
  readonly mutes: Mutes;
  /** Says what a failure means, and the next step. */
  readonly meaningAndStep: (failure: Failure) => string;
}

/** What is wrong in deployments, and what is unknown of them, in the words of the check. */
class CheckCauses extends CauseRows {
  protected readonly mutes: Mutes;

  constructor({ ownerOf, mutes, meaningAndStep }: CheckCausesOptions) {
    super({
      nextStep: meaningAndStep,
      advice: problemAdvice,
      unknownStep: 'Look in the dashboard.',
      ownerOf,
      memory: mutes,
    });
    this.mutes = mutes;
  }

  /**
   * Adds deployments. An answer that could not be read wholly has a row of its own beside those of
   * its problems.
   */
  addAll(deployments: readonly Deployment[]): this {
    for (const deployment of deployments) {
      const { answer } = deployment;
      this.add(deployment);
      if (answer?.findings.isIncomplete === true) this.addUnknown(deployment, answer);
    }
    return this;
  }

  /** Adds "changed since it was muted" for a problem of which that is true. */
  protected withChange(parts: readonly string[], problem: Problem): readonly string[] {
    const word = changedSinceMutedWord(problem, this.mutes);
    return word === undefined ? parts : [...parts, word];
  }
}

/** The causes of one deployment, each in the words of a line, which has no other columns. */
export class LineCauses extends CheckCauses {
  /** ["Ops Slack is missing channels:read for notifier", "changed since it was muted"] */
  protected override descriptionOf(problem: Problem): readonly string[] {
    return this.withChange([problemWords(problem)], problem);
  }

  /**
   * [["crm (salesforce): the platform does not say whether it is satisfied."], ["2 fields
   * unreadable: accounts[0], requirements[1].satisfied"]]
   */
  protected override unknownReasons({
    findings,
    decodeIssues,
  }: LastAnswer): readonly (readonly string[])[] {
    const reasons = unknownTexts(findings.unknownFindings).map((text) => [text]);
    const unreadable = unreadableFieldsWord(decodeIssues.length);
    if (unreadable === undefined) return reasons;
    const fields = firstWithMore(decodeIssues, maxFields, ({ path }) => shorten(path));
    return [...reasons, [`${unreadable}: ${listText(fields)}`]];
  }
}

/** The causes of all deployments, for a table. Each row is true of all its deployments. */
export class SummaryCauses extends CheckCauses {
  /**
   * An account can lack other scopes, have another owner, or have been muted, in another
   * deployment.
   */
  protected override accountKey(
    problem: Problem,
    nextStep: string,
    owner: string | undefined,
  ): string {
    const hasChanged = this.mutes.hasChangedSinceMuted(problem);
    return JSON.stringify([problem.key, nextStep, owner, hasChanged]);
  }

  protected override requirementKey(
    problem: UnsatisfiedRequirement,
    nextStep: string,
    owner: string | undefined,
  ): string {
    const hasChanged = this.mutes.hasChangedSinceMuted(problem);
    return JSON.stringify([super.requirementKey(problem, nextStep, owner), hasChanged]);
  }

  /** ["Finance Slack failed", "token_revoked"], ["notifier (slack) is not satisfied"] */
  protected override descriptionOf(problem: Problem): readonly string[] {
    const isAccount = problem.kind === 'failedAccount';
    return this.withChange(isAccount ? problemParts(problem) : [problemWords(problem)], problem);
  }
}

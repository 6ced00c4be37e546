import type { Failure } from '../../api/failure.js';
import { CauseRows, problemParts } from '../../host/text/causeTable.js';
import { unreadableFieldsWord } from '../../host/text/deployment.js';
import { firstWithMore, listText } from '../../host/text/format.js';
import { unknownTexts } from '../../host/text/problem.js';
import type { OwnerOf } from '../../model/entered/owners.js';
import type { Deployment, LastAnswer } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { shorten } from '../../model/inertText.js';
import { problemAdvice, problemWords } from './words.js';

/** How many fields that could not be read are named. */
const maxFields = 5;

/** What is wrong in deployments, and what is unknown of them, in the words of the check. */
class CheckCauses extends CauseRows {
  /** `meaningAndStep`: says what a failure means, and the next step. */
  constructor(ownerOf: OwnerOf, meaningAndStep: (failure: Failure) => string) {
    super({
      nextStep: meaningAndStep,
      advice: problemAdvice,
      unknownStep: 'Look in the dashboard.',
      ownerOf,
    });
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
}

/** The causes of one deployment, each in the words of a line, which has no other columns. */
export class LineCauses extends CheckCauses {
  /** ["Ops Slack is missing channels:read for notifier"] */
  protected override descriptionOf(problem: Problem): readonly string[] {
    return [problemWords(problem)];
  }

  /**
   * [["crm (salesforce): the platform does not say whether it is satisfied."], ["2 fields unreadable:
   * accounts[0], requirements[1].satisfied"]]
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
  /** An account can lack other scopes, and have another owner, in another deployment. */
  protected override accountKey(
    { key }: Problem,
    nextStep: string,
    owner: string | undefined,
  ): string {
    return JSON.stringify([key, nextStep, owner]);
  }

  /** ["Finance Slack failed", "token_revoked"], ["notifier (slack) is not satisfied"] */
  protected override descriptionOf(problem: Problem): readonly string[] {
    return problem.kind === 'failedAccount' ? problemParts(problem) : [problemWords(problem)];
  }
}

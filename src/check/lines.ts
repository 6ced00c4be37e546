import type { Failure } from '../api/failure.js';
import { type CauseRow, CauseRows } from '../host/text/causeTable.js';
import { unreadableFieldsWord } from '../host/text/deployment.js';
import { joinSentences } from '../host/text/format.js';
import { unknownTexts } from '../host/text/problem.js';
import { shortName } from '../model/deploymentNames.js';
import type { OwnerOf } from '../model/entered/owners.js';
import type { Deployment, LastAnswer } from '../model/findings/deployment.js';
import type { Problem } from '../model/findings/findings.js';
import { type State, severity } from '../model/findings/order.js';
import type { FailOn } from './arguments.js';
import { doesCount } from './verdict.js';
import { problemAdvice, problemWords } from './words.js';

/** How much of a deployment's label a line or a test case has. */
export const maxNameChars = 200;

/** What is wrong with one deployment, or what is unknown about it. */
export interface Line {
  readonly state: State;
  /** Whether it makes the check fail. */
  readonly isCounted: boolean;
  /** "Billing sync: Finance Slack failed (token_revoked). Reconnect Finance Slack. Owner: Maria." */
  readonly text: string;
}

export interface LineOptions {
  readonly failOn: FailOn;
  readonly ownerOf: OwnerOf;
  /** Says what a failure means, and the next step. */
  readonly meaningAndStep: (failure: Failure) => string;
}

/**
 * Returns a line for each problem of a deployment and for each thing that is unknown of it, the
 * worst first; none if it is healthy.
 */
export function linesOf(deployment: Deployment, options: LineOptions): readonly Line[] {
  const { failOn } = options;
  const { rows } = causesOf([deployment], new LineCauses(options));
  const lines = rows.map((row) => ({
    state: row.state,
    isCounted: row.problem !== undefined && doesCount(row.problem.kind, failOn),
    text: `${shortName(deployment, maxNameChars)}: ${textOf(row)}`,
  }));
  return lines.toSorted((a, b) => severity(a.state) - severity(b.state));
}

/** "Finance Slack failed (token_revoked). Reconnect Finance Slack. Owner: Maria." */
function textOf({ descriptionParts, nextStep, owner }: CauseRow): string {
  const description = asSentence(descriptionParts.join(', '));
  return joinSentences(description, nextStep, owner && asSentence(owner));
}

/** "Owner: Maria." of "Owner: Maria" */
function asSentence(text: string): string {
  return text.replace(/\.?$/, '.');
}

/**
 * Adds what is wrong with deployments, and what is unknown of them, to `causes`. An answer that
 * could not be read wholly has a row of its own beside those of its problems.
 */
export function causesOf<Causes extends CauseRows>(
  deployments: readonly Deployment[],
  causes: Causes,
): Causes {
  for (const deployment of deployments) {
    const { answer } = deployment;
    causes.add(deployment);
    if (answer?.findings.isIncomplete === true) causes.addUnknown(deployment, answer);
  }
  return causes;
}

/** The causes of one deployment, each in the words of a line, which has no other columns. */
class LineCauses extends CauseRows {
  constructor({ ownerOf, meaningAndStep }: LineOptions) {
    super({
      nextStep: meaningAndStep,
      advice: problemAdvice,
      unknownStep: 'Look in the dashboard.',
      ownerOf,
    });
  }

  /** ["Ops Slack is missing channels:read for notifier"] */
  protected override descriptionOf(problem: Problem): readonly string[] {
    return [problemWords(problem)];
  }

  /** [["crm (salesforce): the platform does not say whether it is satisfied."]] */
  protected override unknownReasons({
    findings,
    decodeIssues,
  }: LastAnswer): readonly (readonly string[])[] {
    const reasons = unknownTexts(findings.unknownFindings).map((text) => [text]);
    const unreadable = unreadableFieldsWord(decodeIssues.length);
    return unreadable ? [...reasons, [unreadable]] : reasons;
  }
}

import type { Failure } from '../../api/failure.js';
import type { CauseRow } from '../../host/text/causeTable.js';
import { joinSentences } from '../../host/text/format.js';
import { shortName } from '../../model/deploymentNames.js';
import type { OwnerOf } from '../../model/entered/owners.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { type State, severity } from '../../model/findings/order.js';
import type { FailOn } from '../arguments.js';
import { doesCount } from '../verdict.js';
import { LineCauses } from './causes.js';
import { asSentence } from './words.js';

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

interface LineOptions {
  readonly failOn: FailOn;
  readonly ownerOf: OwnerOf;
  /** Says what a failure means, and the next step. */
  readonly meaningAndStep: (failure: Failure) => string;
}

/**
 * Returns a line for each problem of a deployment and for each thing that is unknown of it, the
 * worst first; none if it is healthy.
 */
export function linesOf(
  deployment: Deployment,
  { failOn, ownerOf, meaningAndStep }: LineOptions,
): readonly Line[] {
  const { rows } = new LineCauses(ownerOf, meaningAndStep).addAll([deployment]);
  const name = shortName(deployment, maxNameChars);
  const lines = rows.map((row): Line => {
    const { problem, state } = row;
    const isCounted = problem !== undefined && doesCount(problem.kind, failOn);
    const isLeftOut = problem !== undefined && !isCounted;
    const text = joinSentences(textOf(row), isLeftOut ? leftOutText : undefined);
    return { state, isCounted, text: `${name}: ${text}` };
  });
  return lines.toSorted((a, b) => severity(a.state) - severity(b.state));
}

const leftOutText = 'Not counted (--fail-on failed).';

/** "Finance Slack failed (token_revoked). Reconnect Finance Slack. Owner: Maria." */
function textOf({ descriptionParts, nextStep, owner }: CauseRow): string {
  const description = asSentence(descriptionParts.join(', '));
  return joinSentences(description, nextStep, owner && asSentence(owner));
}

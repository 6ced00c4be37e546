import type { CauseRow } from '../../host/text/causeTable.js';
import { joinSentences } from '../../host/text/format.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { type State, severity } from '../../model/findings/order.js';
import type { FailOn } from '../arguments.js';
import { doesCount } from '../verdict.js';
import { type CheckCausesOptions, LineCauses } from './causes.js';
import { asSentence } from './words.js';

/** How much of a deployment's label a line or a test case has. */
export const maxNameChars = 200;

/** What is wrong with one deployment, or what is unknown about it. */
export interface Line {
  readonly state: State;
  /** Whether it makes the check fail. */
  readonly isCounted: boolean;
  /**
   * "Billing sync: Finance Slack failed (token_revoked). Reconnect Finance Slack. Owner: Maria."
   */
  readonly text: string;
}

interface LineOptions extends CheckCausesOptions {
  readonly failOn: FailOn;
}

/**
 * Returns a line for each problem of a deployment that is not muted, and for each thing that is
 * unknown of it, the worst first; none if there is neither.
 */
export function linesOf(deployment: Deployment, options: LineOptions): readonly Line[] {
  const { failOn } = options;
  const { rows } = new LineCauses(options).addAll([deployment]);
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

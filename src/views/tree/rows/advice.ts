import { l10n } from 'vscode';
import { icon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { absoluteTime, clockTime, parts } from '../../../host/text/format.js';
import {
  adviceWord,
  mutedText,
  mutedWord,
  problemAdvice,
  problemMessage,
  scopesWord,
} from '../../../host/text/problem.js';
import type { Deployment } from '../../../model/deployment.js';
import type { Problem } from '../../../model/problems/findings.js';
import type { AdviceElement } from '../../../model/tree/elements.js';
import { escaped, lines, markdown } from '../../markdown.js';
import { type Looks, menuFor, type Row, type RowContext } from '../row.js';

/** What helps against the problem above, and since when the problem has been seen. */
export const adviceRows = {
  advice: {
    row: adviceRow,
    hover: ({ problem, deployment }) =>
      markdown(lines(escaped(problemMessage(problem)), adviceInFull(problem, deployment))),
  },
} satisfies Looks<'advice'>;

function adviceRow({ problem, deployment, accountId }: AdviceElement, { now }: RowContext): Row {
  const seen = seenText(problem, deployment, now);
  const label = adviceWord(problem);
  const sentence = problemAdvice(problem);
  // Below a deployment the requirements name the scopes; in a group they are far below.
  const scopes = accountId !== undefined && problem.kind === 'failedAccount' ? problem.scopes : [];
  const withScopes = scopes.length > 0 ? l10n.t('with {scopes}', { scopes: scopesWord(scopes) }) : undefined;
  return {
    label,
    description: parts(mutedWord(problem, now), withScopes, seen),
    icon: icon('lightbulb', 'editorLightBulb.foreground'),
    // Voice control takes the words on the screen, so the name begins with them.
    spoken: [sentence.startsWith(label) ? undefined : label, sentence, mutedWord(problem, now), seen],
    contextValue: menuFor(contextValues.advice, [problem]),
  };
}

/** For a hover that says already what is wrong: what helps, and the day and time at which the problem was first seen. */
export function adviceInFull(problem: Problem, deployment: Deployment): string {
  return lines(escaped(problemAdvice(problem)), escaped(seenText(problem, deployment)), escaped(mutedText(problem)));
}

/**
 * "Seen since 09:14 AM.", as this workspace remembers it; nothing of a problem that the first answer had already. With a clock time in a
 * row, which stays true when the row is not drawn again; without `now` with the date, too.
 */
export function seenText(problem: Problem, deployment: Deployment | undefined, now?: number): string | undefined {
  const { answer } = deployment ?? {};
  if (!answer || problem.seenSince >= answer.receivedAt) return undefined;
  const time = now === undefined ? absoluteTime(problem.seenSince) : clockTime(problem.seenSince, now);
  return l10n.t('Seen since {time}.', { time });
}

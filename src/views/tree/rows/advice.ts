import type * as vscode from 'vscode';
import { icon } from '../../../host/icons.js';
import { sentences } from '../../../host/text/format.js';
import { problemAdvice, problemMessage, seenSinceText } from '../../../host/text/problem.js';
import type { Problem } from '../../../model/findings.js';
import type { AdviceElement } from '../../../model/tree/elements.js';
import { lines, markdown, text } from '../../markdown.js';
import { type Looks, type RowContext, treeItem } from '../row.js';

/** What helps against the problem above, and since when the problem has been seen. */
export const adviceRows = {
  advice: { item: adviceItem, hover: ({ problem }) => markdown(problemInFull(problem)) },
} satisfies Looks<'advice'>;

function adviceItem({ id, problem }: AdviceElement, { now }: RowContext): vscode.TreeItem {
  const label = problemAdvice(problem);
  const seen = seenSinceText(problem, now);
  return treeItem({
    id,
    label,
    description: seen,
    icon: icon('lightbulb', 'editorLightBulb.foreground'),
    spoken: [label, seen],
  });
}

/** For the hover of a row: what is wrong, what helps, and the day and time at which it was first seen. */
export function problemInFull(problem: Problem): string {
  return lines(text(problemMessage(problem)), adviceInFull(problem));
}

/** The same where the hover says already what is wrong. */
export function adviceInFull(problem: Problem): string {
  return lines(text(problemAdvice(problem)), text(seenSinceText(problem)));
}

/** For the hover of an editor, which is low: a problem in two lines, and a line for each text that there is more. */
export function problemLines(problem: Problem, now: number, ...more: readonly (string | undefined)[]): string {
  const advice = sentences(problemAdvice(problem), seenSinceText(problem, now));
  return lines(text(problemMessage(problem)), text(advice), ...more.map(text));
}

import { problemMessage, problemStep, seenSinceText, sentences } from '../../host/text.js';
import type { Problem } from '../../model/findings.js';
import { lines, text } from '../markdown.js';

/** A problem in two lines, with more if there is more to say: an editor's hover is low. */
export function problemLines(problem: Problem, now: number, ...more: readonly (string | undefined)[]): string {
  const step = sentences(problemStep(problem), seenSinceText(problem, now));
  return lines(text(problemMessage(problem)), text(step), ...more.map(text));
}

import { problemMessage, problemStep, seenSinceText } from '../../host/text.js';
import type { Problem } from '../../model/findings.js';
import { lines, text } from '../markdown.js';

/** A problem in full: what, since when (absolute), and the step. */
export function problemLine(problem: Problem): string {
  return lines(text(problemMessage(problem)), problemStepLine(problem));
}

/** The same where the hover says already what is wrong. */
export function problemStepLine(problem: Problem): string {
  return lines(text(problemStep(problem)), text(seenSinceText(problem)));
}

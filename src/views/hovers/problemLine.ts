import { problemMessage, problemStep, seenSinceText, sentences } from '../../host/text.js';
import type { Problem } from '../../model/findings.js';
import { inertMarkdown } from '../../model/inertText.js';

/** A problem in full: what, since when (absolute), and the step. */
export function problemLine(problem: Problem): string {
  return inertMarkdown(sentences(problemMessage(problem), seenSinceText(problem), problemStep(problem)), 1500);
}

/** The same where the hover says already what is wrong. */
export function problemStepLine(problem: Problem | undefined): string | undefined {
  return problem && inertMarkdown(sentences(seenSinceText(problem), problemStep(problem)), 1500);
}

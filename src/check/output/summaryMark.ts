import { inertProse, withoutCommandMarks } from '../../model/inertText.js';

/** What a program can read in the first line of a summary file. */
interface SummaryFacts {
  readonly exitCode: number;
  /**
   * How many deployments are listed, in whatever groups; 0 if nothing was checked. So a run with
   * `--group` that leaves some of them out never closes the issue.
   */
  readonly listed: number;
  /** How many of these were read, with nothing unknown. */
  readonly read: number;
}

/**
 * Returns the first line of a summary file, which Markdown does not show. The GitHub workflow of Add
 * CI Check reads it: `<!-- automation-platform-check exit=1 listed=30 read=28 -->`.
 */
export function summaryMark({ exitCode, listed, read }: SummaryFacts): string {
  return `<!-- automation-platform-check exit=${exitCode} listed=${listed} read=${read} -->`;
}

/** Returns a summary file that says why nothing was checked. */
export function summaryWithoutVerdict(exitCode: number, sentences: readonly string[]): string {
  const mark = summaryMark({ exitCode, listed: 0, read: 0 });
  return `${mark}\n${textWithoutVerdict(sentences)}`;
}

const maxSentences = 10;
const maxSentenceChars = 300;

/** Returns Markdown that says why nothing was checked: a heading, and a paragraph a sentence. */
export function textWithoutVerdict(sentences: readonly string[]): string {
  const paragraphs = sentences
    .slice(0, maxSentences)
    .map((sentence) => withoutCommandMarks(inertProse(sentence, maxSentenceChars)));
  const moreCount = sentences.length - maxSentences;
  if (moreCount > 0) paragraphs.push(`${moreCount} more.`);
  return `${['## Automation Platform: nothing was checked', ...paragraphs].join('\n\n')}\n`;
}

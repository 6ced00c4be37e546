import { withoutCommandMarks } from '../model/inertText.js';

/** What a program can read in the first line of a summary file. */
interface SummaryFacts {
  readonly exitCode: number;
  /** How many deployments are listed; 0 if nothing was checked. */
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

/** Returns a summary file that says why nothing was checked. `text`: inert Markdown. */
export function summaryWithoutVerdict(exitCode: number, text: string): string {
  const mark = summaryMark({ exitCode, listed: 0, read: 0 });
  const reason = withoutCommandMarks(text);
  return `${mark}\n## Automation Platform: nothing was checked\n\n${reason}\n`;
}

import { type CauseRow, causeTable, markdownTable, unchanged } from '../../host/text/causeTable.js';
import { firstWithMore } from '../../host/text/format.js';
import { inertProse, withoutCommandMarks } from '../../model/inertText.js';

export interface SummaryLimit {
  /** Of the table of causes. */
  readonly lines: number;
  /** Of all that it says. */
  readonly chars: number;
}

/** Of the table of what is muted. */
const maxMuted = { lines: 100, chars: 8_000 };
/** Of the errors of the list, and of the notes on mutes. */
const maxSentences = 10;
const maxSentenceChars = 300;
/** What tables have besides their rows. */
const maxFrameChars = 500;

interface Summary {
  /** "payments, ops"; `undefined` if all listed deployments were checked. */
  readonly groups: string | undefined;
  /** "2 failing, 1 unknown, 17 healthy" */
  readonly counts: string;
  /** Sentences that say why entries of the list may be missing. */
  readonly listErrors: readonly string[];
  readonly causes: readonly CauseRow[];
  /** The next step of each is Markdown that says until when it is muted, and why. */
  readonly muted: readonly CauseRow[];
  /** Sentences about mutes that mute nothing. */
  readonly muteNotes: readonly string[];
}

/**
 * Returns Markdown: a heading with the counts, errors of the list, a table of what is wrong, one of
 * what is muted for everyone, and notes on mutes. The first table has as much as the limit leaves.
 */
export function summaryMarkdown(
  { groups, counts, listErrors, causes, muted, muteNotes }: Summary,
  limit: SummaryLimit,
): string {
  const ofGroups = groups === undefined ? '' : `${inertProse(groups)}: `;
  const heading = `## Automation Platform: ${ofGroups}${counts}`;
  const errors = bulletList(listErrors);
  const mutes = [...mutedTable(muted), ...bulletList(muteNotes)];
  const usedChars = [heading, ...errors, ...mutes].join('\n').length + maxFrameChars;
  const table = causeTable(causes, { ...limit, chars: limit.chars - usedChars });
  const lines = [heading, ...errors, ...table, ...mutes, ''];
  return withoutCommandMarks(lines.join('\n'));
}

function mutedTable(rows: readonly CauseRow[]): readonly string[] {
  return markdownTable({
    columns: ['What is muted for everyone', 'Deployments', 'Until when, and why'],
    rows,
    limit: maxMuted,
    nextStepMarkdown: unchanged,
  });
}

/** Returns the lines of a list of the first sentences, an empty one first; none without any. */
function bulletList(sentences: readonly string[]): readonly string[] {
  if (sentences.length === 0) return [];
  const items = firstWithMore(sentences, maxSentences, (sentence) =>
    inertProse(sentence, maxSentenceChars),
  );
  return ['', ...items.map((item) => `- ${item}`)];
}

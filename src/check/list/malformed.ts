import { numberText } from '../../host/text/format.js';
import type { PlacedText } from './position.js';

/** How many sentences there are at most about the values of one setting of one file. */
const maxMalformed = 100;

const nouns = {
  entry: { one: 'entry', other: 'entries' },
  field: { one: 'label or group', other: 'labels or groups' },
  mute: { one: 'mute', other: 'mutes' },
  owner: { one: 'owner', other: 'owners' },
};

interface Described {
  readonly file: string;
  /** What the malformed values should be. */
  readonly kind: keyof typeof nouns;
}

/** Returns the texts about the first malformed values of a file, and one that counts the rest. */
export function malformedTexts(
  texts: readonly PlacedText[],
  { file, kind }: Described,
): readonly PlacedText[] {
  const moreCount = texts.length - maxMalformed;
  if (moreCount <= 0) return texts;
  const count = { position: undefined, text: moreMalformedText(moreCount, kind, file) };
  return [...texts.slice(0, maxMalformed), count];
}

/** "1 more entry of list.json is malformed.", "9,900 more owners of list.json are malformed." */
function moreMalformedText(count: number, kind: Described['kind'], file: string): string {
  const subject = count === 1 ? nouns[kind].one : nouns[kind].other;
  const verb = count === 1 ? 'is' : 'are';
  return `${numberText(count)} more ${subject} of ${file} ${verb} malformed.`;
}

import { ReferenceIndex } from '../../../src/model/references/referenceIndex.js';
import { randomFrom } from '../../support/random.js';
import { compare } from '../compare.js';
import { lots } from '../data.js';
import { type Benchmark, ratioRow } from '../rows.js';

export const references: Benchmark = async (short) => {
  const ids = idsOf(lots);
  const index = new ReferenceIndex();
  for (const id of ids) index.add(id);
  const text = linesOf(1024 * 1024, ids).join('\n');
  const scan = await compare(
    short ? 15 : 61,
    () => index.scan(text),
    () => sumOf(text),
  );
  return [ratioRow('reference scan, 10,000 ids in 1 MB', 'reading every character once', 20, scan)];
};

function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    sum = (sum + text.charCodeAt(at)) | 0;
  }
  return sum;
}

/** Random letters, as services give them: 8 to 12 characters, each a token character. */
function idsOf(count: number): string[] {
  const random = randomFrom(1);
  const letters = () => Math.floor(random() * 36).toString(36);
  return Array.from({ length: count }, (_, at) => `dep_${Array.from({ length: 4 + (at % 5) }, letters).join('')}`);
}

/** A text like source code of about so many characters, in lines of 80; every twentieth line names one of the ids. */
function linesOf(characters: number, ids: readonly string[]): string[] {
  const code = 'const deployment = await client.read({ retries: 3, timeout: 5_000 }); // see the run book, section two';
  const words = code.split(' ');
  const random = randomFrom(2);
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)];
  return Array.from({ length: characters / 85 }, (_, at) => {
    let line = at % 20 === 0 ? `id: "${pick(ids)}"` : '';
    while (line.length < 80) line += ` ${pick(words)}`;
    return line;
  });
}

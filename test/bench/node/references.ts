import { DocumentReferences } from '../../../src/model/references/document.js';
import { ReferenceIndex } from '../../../src/model/references/known.js';
import { randomFrom } from '../../support/random.js';
import { compare } from '../compare.js';
import { lots } from '../data.js';
import { type Benchmark, ratioRow } from '../rows.js';

export const references: Benchmark = async (short) => {
  const ids = idsOf(lots);
  const index = new ReferenceIndex(ids);
  const lines = linesOf(1024 * 1024, ids);
  const text = lines.join('\n');
  const scan = await compare(
    short ? 15 : 61,
    () => index.scan(text),
    () => sumOf(text),
  );
  return [
    ratioRow('reference scan, 10,000 ids in 1 MB', 'reading every character once', 4, scan),
    ratioRow('1,000 keystrokes in that document', 'scanning their lines', 3, await keystrokes(index, lines, short)),
  ];
};

function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    sum = (sum + text.charCodeAt(at)) | 0;
  }
  return sum;
}

/** A character comes and goes in a line here and there, as VS Code tells of it. */
async function keystrokes(index: ReferenceIndex, lines: readonly string[], short: boolean) {
  const text = { lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line]! }) };
  const document = new DocumentReferences(index, text);
  for (const _ of document.update());
  const touched = Array.from({ length: 1000 }, (_, at) => (at * 7919) % lines.length);
  return compare(
    short ? 31 : 101,
    () => {
      for (const line of touched) {
        document.edit({ range: { start: { line }, end: { line } }, text: 'x' });
        for (const _ of document.update());
      }
    },
    () => {
      for (const line of touched) index.scan(lines[line]!);
    },
  );
}

/** Random letters, as services give them: 8 to 12 characters, each a token character. */
function idsOf(count: number): string[] {
  const random = randomFrom(1);
  const letters = () => Math.floor(random() * 36).toString(36);
  return Array.from({ length: count }, (_, at) => `dep_${Array.from({ length: 4 + (at % 5) }, letters).join('')}`);
}

/** A text like people's files of about so many characters, in lines of 80; every twentieth line names one of the ids. */
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

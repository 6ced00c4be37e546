import { DocumentReferences } from '../../../src/model/references/document.js';
import { ReferenceIndex } from '../../../src/model/references/known.js';
import { compare, timedNow } from '../compare.js';
import { slices } from '../data.js';
import { documentOf, idsOf } from '../document.js';
import { type Benchmark, growthRow, ratioRow } from '../rows.js';

export const references: Benchmark = async (short) => {
  const ids = idsOf(10_000);
  const index = new ReferenceIndex(ids);
  const text = documentOf(1024 * 1024, ids);
  const scan = await compare(
    short ? 15 : 61,
    () => timedNow(() => index.scan(text)),
    () => timedNow(() => sumOf(text)),
  );
  return [
    ratioRow('reference scan, 10,000 ids in 1 MB', 'reading every character once', 4, scan),
    ratioRow('1,000 keystrokes in that document', 'scanning their lines', 3, await keystrokes(index, text, short)),
    growthRow('scan', await scanGrowth(ids, short)),
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
async function keystrokes(index: ReferenceIndex, content: string, short: boolean) {
  const lines = content.split('\n');
  const text = { lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line]! }) };
  const document = new DocumentReferences(index, text);
  for (const _ of document.update());
  const touched = Array.from({ length: 1000 }, (_, at) => (at * 7919) % lines.length);
  return compare(
    short ? 31 : 101,
    () =>
      timedNow(() => {
        for (const line of touched) {
          document.edit({ range: { start: { line }, end: { line } }, text: 'x' });
          for (const _ of document.update());
        }
      }),
    () =>
      timedNow(() => {
        for (const line of touched) index.scan(lines[line]!);
      }),
  );
}

const scanned = (ids: readonly string[], text: string) => new ReferenceIndex(ids).scan(text);

/** Per id: its index and a hundred characters of text. */
async function scanGrowth(ids: readonly string[], short: boolean) {
  const groups = slices(ids).map((some) => ({ some, text: documentOf(100 * some.length, some) }));
  const text = documentOf(100 * ids.length, ids);
  return compare(
    short ? 5 : 21,
    () => timedNow(() => scanned(ids, text)),
    () => timedNow(() => groups.map((group) => scanned(group.some, group.text))),
  );
}

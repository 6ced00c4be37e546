import { ReferenceIndex } from '../../../src/model/references/referenceIndex.js';
import { compare } from '../compare.js';
import { lots } from '../data.js';
import { type Benchmark, ratioRow } from '../rows.js';

const code =
  'const deployment = await client.read({ retries: 3, timeout: 5_000 }); // see the book';

export const references: Benchmark = async (short) => {
  // Seven letters that look like random ones, as services give them.
  const ids = Array.from(
    { length: lots },
    (_, at) => `dep_${(Math.imul(at, 0x9e3779b1) >>> 0).toString(36)}`,
  );
  const index = new ReferenceIndex();
  for (const id of ids) index.add(id);
  const lineCount = (1024 * 1024) / code.length;
  const lines = Array.from({ length: lineCount }, (_, at) =>
    at % 20 === 0 ? `id: "${ids[(at * 7) % lots]}"` : code,
  );
  const text = lines.join('\n');
  const scan = await compare(
    short ? 15 : 61,
    () => index.scan(text, 'typescript'),
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

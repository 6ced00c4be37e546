// A text like people's files, with an id here and there.
import { randomFrom } from '../support/random.js';

const words =
  'const deployment = await client.read({ retries: 3, timeout: 5_000 }); // see the run book, section two'.split(' ');

/** Random letters, as services give them: 8 to 12 characters, each a token character. */
export function idsOf(count: number): string[] {
  const random = randomFrom(1);
  const letters = () => Math.floor(random() * 36).toString(36);
  return Array.from({ length: count }, (_, at) => `dep_${Array.from({ length: 4 + (at % 5) }, letters).join('')}`);
}

/** About so many characters, in lines of 80; every twentieth line names one of the ids. */
export function documentOf(characters: number, ids: readonly string[]): string {
  const random = randomFrom(2);
  const lines: string[] = [];
  for (let length = 0; length < characters; ) {
    let line = lines.length % 20 === 0 ? `id: "${ids[Math.floor(random() * ids.length)]}"` : '';
    while (line.length < 80) {
      line += ` ${words[Math.floor(random() * words.length)]}`;
    }
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n');
}

import { KnownSecrets } from '../../../src/api/secrets.js';
import { namedIds } from '../../../src/model/entered/namedIds.js';
import { median, ms, timed } from '../compare.js';
import type { Row } from '../rows.js';

const chars = 1024 * 1024;

/** A file as large as Find Deployments reads, and a text of the platform that Copy Request searches before it cuts it. */
export async function searchedTexts(short: boolean): Promise<readonly Row[]> {
  const secrets = new KnownSecrets();
  secrets.add('tok_1234567890abcdefghij');
  const line = 'deploymentId: dep_1\n';
  const text = line.repeat(chars / line.length);
  const count = Math.floor(chars / line.length);
  const ellipses = '…'.repeat(chars);
  return [
    await row(`Find Deployments: a file of 1 MB with ${count} IDs`, short, () =>
      namedIds(text, 'list.yaml', (one) => secrets.redact(one)),
    ),
    await row('Copy Request: a message of a million ellipses', short, () =>
      secrets.redactCopy(ellipses),
    ),
  ];
}

async function row(what: string, short: boolean, work: () => unknown): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < (short ? 5 : 15); round++) times.push(await timed(work));
  return {
    what: `longest stall, ${what}`,
    against: '–',
    measured: median(times),
    target: 500,
    unit: 'ms',
    detail: `in Node; the first time ${ms(times[0]!)}`,
  };
}

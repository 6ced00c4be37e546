import { KnownSecrets } from '../../../src/api/secrets.js';
import { idsBehindKeys } from '../../../src/model/candidates.js';
import { median, ms, timed } from '../compare.js';
import type { Row } from '../rows.js';

const chars = 1024 * 1024;

/** A file as large as Find Deployments reads. */
export async function searchedTexts(short: boolean): Promise<readonly Row[]> {
  const secrets = new KnownSecrets();
  secrets.add('tok_1234567890abcdefghij');
  const line = 'deploymentId: dep_1\n';
  const text = line.repeat(chars / line.length);
  const times: number[] = [];
  for (let round = 0; round < (short ? 5 : 15); round++) {
    times.push(await timed(() => idsBehindKeys(text, 'list.yaml', (one) => secrets.redact(one))));
  }
  const count = Math.floor(chars / line.length);
  return [
    {
      what: `longest stall, Find Deployments: a file of 1 MB with ${count} IDs`,
      against: '–',
      measured: median(times),
      target: 500,
      unit: 'ms',
      detail: `in Node; the first time ${ms(times[0]!)}`,
    },
  ];
}

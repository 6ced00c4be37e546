import { decodeDeploymentAuthorization } from '../../../src/api/authorization.js';
import { DecodeIssues } from '../../../src/api/decode.js';
import { compare, timedNow } from '../compare.js';
import { deployment } from '../data.js';
import { type Benchmark, ratioRow } from '../rows.js';

export const decoding: Benchmark = async (short) => {
  const text = JSON.stringify(deployment('00001', 1024 * 1024));
  // Several a round: one alone is over before a timer says anything.
  const copies = Array.from({ length: 5 }, () => text);
  const comparison = await compare(
    short ? 15 : 61,
    () => {
      const values = copies.map((one): unknown => JSON.parse(one));
      return timedNow(() => values.map((value) => decodeDeploymentAuthorization(value, new DecodeIssues())));
    },
    () => timedNow(() => copies.map((one): unknown => JSON.parse(one))),
  );
  return [ratioRow('decoding 1 MB', '`JSON.parse`', 0.3, comparison)];
};

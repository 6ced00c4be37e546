import { decodeDeploymentAuthorization } from '../../../src/api/authorization.js';
import { DecodeIssues } from '../../../src/api/decode.js';
import { many } from '../../support/service/data.js';
import type { Benchmark } from '../benchmark.js';
import { compare, sides, timedNow } from '../compare.js';

export const decoding: Benchmark = {
  name: 'decoding',
  async measure(short) {
    const text = JSON.stringify([...many(1, { sizeInBytes: 1024 * 1024 }).values()][0]);
    // Several a round: one alone is over before a timer says anything.
    const copies = 5;
    const comparison = await compare(
      short ? 15 : 61,
      () => {
        const values: unknown[] = Array.from({ length: copies }, () => JSON.parse(text));
        return timedNow(() => values.map((value) => decodeDeploymentAuthorization(value, new DecodeIssues())));
      },
      () => timedNow(() => Array.from({ length: copies }, (): unknown => JSON.parse(text))),
    );
    const detail = sides(comparison);
    return [
      { what: 'decoding 1 MB', against: '`JSON.parse`', measured: comparison.ratio, target: 0.3, unit: '×', detail },
    ];
  },
};

import { decodeDeploymentAuthorization } from '../../../src/api/authorization.js';
import { DecodeIssues } from '../../../src/api/decode.js';
import { comparisonOf, rounds, timed } from '../compare.js';
import { deployment } from '../data.js';
import { type Benchmark, ratioRow } from '../rows.js';

export const decoding: Benchmark = async (short) => {
  // Several a round: one alone is over before a timer says anything.
  const texts = Array.from({ length: 5 }, () => JSON.stringify(deployment('00001', 1024 * 1024)));
  const parse = () => texts.map((text): unknown => JSON.parse(text));
  const ours = async () => {
    const values = parse();
    return timed(() =>
      values.map((value) => decodeDeploymentAuthorization(value, new DecodeIssues())),
    );
  };
  const pairs = await rounds(short ? 15 : 61, ours, () => timed(parse));
  return [ratioRow('decoding 1 MB', '`JSON.parse`', 0.3, comparisonOf(pairs))];
};

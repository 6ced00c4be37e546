import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type TimePart, timeAgo, timeLeft } from '../../../src/model/time.js';

const s = 1000;
const min = 60 * s;
const h = 60 * min;
const d = 24 * h;
const expiresAt = 1_000 * d;

function words(parts: readonly TimePart[]): string {
  return parts.map(({ unit, amount }) => `${amount} ${unit}`).join(' ');
}

describe('timeLeft', () => {
  for (const [left, expected, next] of [
    [1, '1 second', 1],
    [1 * s, '1 second', 1 * s],
    [1 * s + 1, '2 second', 1],
    [59_999, '1 minute', 999],
    [1 * min, '1 minute', 1 * s],
    [46 * min + 30 * s, '46 minute', 31 * s],
    [h, '1 hour', 1 * s],
    [h + 20 * min, '1 hour 20 minute', 1 * s],
    [d + 90 * min, '1 day 1 hour', 30 * min + 1 * s],
    [0, 'lapsed ', min],
    [-59 * s, 'lapsed ', 1 * s],
    [-2 * h - 1, 'lapsed 2 hour', h - 1],
    [-9 * d, 'lapsed 9 day', d],
  ] as const) {
    it(`${left} ms: ${expected}`, () => {
      const now = expiresAt - left;
      const result = timeLeft(expiresAt, now);
      assert.ok(result.kind !== 'unknown');
      const text = words(result.parts);
      assert.equal(result.kind === 'left' ? text : `lapsed ${text}`, expected);
      assert.equal(result.nextChange - now, next);
    });
  }

  it('is unknown without a date', () => assert.deepEqual(timeLeft(undefined, 0), { kind: 'unknown' }));

  it('says the same until nextChange, and something else then', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3 * d, max: 3 * d }), (left) => {
        const now = expiresAt - left;
        const current = timeLeft(expiresAt, now);
        assert.ok(current.kind !== 'unknown');
        const { nextChange, ...said } = current;
        assert.ok(nextChange > now);
        const { nextChange: _same, ...before } = { nextChange: 0, ...timeLeft(expiresAt, nextChange - 1) };
        const { nextChange: _next, ...then } = { nextChange: 0, ...timeLeft(expiresAt, nextChange) };
        assert.deepEqual(before, said);
        assert.notDeepEqual(then, said);
      }),
    );
  });
});

describe('timeAgo', () => {
  for (const [passed, expected] of [
    [-5 * min, ''],
    [0, ''],
    [min - 1, ''],
    [2 * min + 59 * s, '2 minute'],
    [h, '1 hour'],
    [26 * h, '1 day'],
  ] as const) {
    it(`${passed} ms: ${expected || 'just now'}`, () => {
      const { part } = timeAgo(0, passed);
      assert.equal(part === undefined ? '' : words([part]), expected);
    });
  }
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseDateTime, type TimePart, timeAgo, timeLeft } from '../../../src/model/time.js';

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
    [46 * min + 30 * s, '46 minute', 31 * s],
    [h, '1 hour', 1 * s],
    [h + 20 * min, '1 hour 20 minute', 1 * s],
    [d + 90 * min, '1 day 1 hour', 30 * min + 1 * s],
    [0, '', min],
    [-2 * h - 1, '', h - 1],
  ] as const) {
    it(`${left} ms: ${expected || 'over'}`, () => {
      const now = expiresAt - left;
      const { parts, nextChange } = timeLeft(expiresAt, now);
      assert.deepEqual([words(parts), nextChange - now], [expected, next]);
    });
  }

  it('says the same until nextChange, and something else then', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 * d }), (left) => {
        const now = expiresAt - left;
        const { parts, nextChange } = timeLeft(expiresAt, now);
        assert.ok(nextChange > now);
        assert.deepEqual(timeLeft(expiresAt, nextChange - 1).parts, parts);
        assert.notDeepEqual(timeLeft(expiresAt, nextChange).parts, parts);
      }),
    );
  });
});

describe('timeAgo', () => {
  for (const [passed, expected, next] of [
    [-5 * min, '', 6 * min],
    [min - 1, '', 1],
    [min, '1 minute', min],
    [2 * min + 59 * s, '2 minute', 1 * s],
    [h, '1 hour', h],
    [26 * h, '1 day', 22 * h],
  ] as const) {
    it(`${passed} ms: ${expected || 'just now'}`, () => {
      const { part, nextChange } = timeAgo(0, passed);
      assert.deepEqual([part === undefined ? '' : words([part]), nextChange - passed], [expected, next]);
    });
  }
});

describe('parseDateTime', () => {
  for (const [text, expected] of [
    ['2026-11-20t12:00:00.5z', Date.UTC(2026, 10, 20, 12, 0, 0, 500)],
    ['2026-11-20 12:00:00.123456789+02:00', Date.UTC(2026, 10, 20, 10, 0, 0, 123)],
    ['2026-11-20T12:00+0530', Date.UTC(2026, 10, 20, 6, 30)],
    ['2026-11-20T12:00:00,25-08', Date.UTC(2026, 10, 20, 20, 0, 0, 250)],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['2026-02-30T00:00:00Z', undefined],
    ['2026-11-20T25:00:00Z', undefined],
    ['2026-11-20T12:00:00', undefined],
    ['20 November 2026 12:00Z', undefined],
    [undefined, undefined],
  ] as const) {
    it(`${text}`, () => assert.equal(parseDateTime(text), expected));
  }
});

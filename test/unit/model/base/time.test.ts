import assert from 'node:assert/strict';
import {
  machineTime,
  parseDateTime,
  type TimePart,
  timeAgo,
  timeLeft,
  waitLeft,
} from '../../../../src/model/base/time.js';

const s = 1000;
const min = 60 * s;
const h = 60 * min;
const d = 24 * h;
const expiresAt = 1_000 * d;

const words = (parts: readonly TimePart[]) =>
  parts.map(({ unit, amount }) => `${amount} ${unit}`).join(' ');

describe('timeLeft()', () => {
  for (const [left, expected] of [
    [1, '10 second'],
    [10 * s + 1, '20 second'],
    [50 * s + 1, '1 minute'],
    [min, '1 minute'],
    [46 * min + 30 * s, '46 minute'],
    [h + 20 * min, '1 hour 20 minute'],
    [d + 90 * min, '1 day 1 hour'],
    [0, ''],
    [-2 * h - 1, ''],
  ] as const) {
    it(`is ${expected || 'empty'} when ${left} ms are left`, () => {
      assert.equal(words(timeLeft(expiresAt, expiresAt - left)), expected);
    });
  }
});

describe('waitLeft()', () => {
  for (const [left, expected] of [
    [117 * s, '2 minute'],
    [2 * min, '2 minute'],
    [min + 1, '2 minute'],
    [min, '1 minute'],
    [42 * s, '50 second'],
    [h - 1, '1 hour'],
    [0, ''],
  ] as const) {
    it(`is ${expected || 'empty'} when ${left} ms are left`, () => {
      assert.equal(words(waitLeft(expiresAt, expiresAt - left)), expected);
    });
  }
});

describe('timeAgo()', () => {
  for (const [passed, expected] of [
    [-5 * min, ''],
    [min - 1, ''],
    [min, '1 minute'],
    [2 * min + 59 * s, '2 minute'],
    [26 * h, '1 day'],
  ] as const) {
    it(`is ${expected || 'none'} when ${passed} ms have passed`, () => {
      const part = timeAgo(0, passed);
      assert.equal(words(part ? [part] : []), expected);
    });
  }
});

describe('parseDateTime()', () => {
  for (const [text, expected] of [
    ['2026-11-20t12:00:00.5z', '2026-11-20T12:00:00.500Z'],
    ['2026-11-20 12:00:00.123456789+02:00', '2026-11-20T10:00:00.123Z'],
    ['2026-11-20T12:00+0530', '2026-11-20T06:30:00.000Z'],
    ['2026-11-20T12:00:00,25-08', '2026-11-20T20:00:00.250Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2026-02-30T00:00:00Z', undefined],
    ['2026-11-20T25:00:00Z', undefined],
    ['2026-11-20T12:00:00', undefined],
    ['20 November 2026 12:00Z', undefined],
    [undefined, undefined],
  ] as const) {
    it(`reads ${text} as ${expected ?? 'no time'}`, () => {
      assert.equal(parseDateTime(text), expected && Date.parse(expected));
    });
  }
});

describe('machineTime()', () => {
  for (const [clock, offset, expected] of [
    ['an hour behind', h, '2026-11-20T11:00:00Z'],
    ['an hour ahead', -h, '2026-11-20T13:00:00Z'],
  ] as const) {
    it(`is the same moment by the clock of this machine when that is ${clock}`, () => {
      assert.equal(machineTime('2026-11-20T12:00:00Z', offset), Date.parse(expected));
    });
  }

  it('is none when the text is no time', () => assert.equal(machineTime('tomorrow', h), undefined));
});

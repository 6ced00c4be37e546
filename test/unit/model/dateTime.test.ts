import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseDateTime } from '../../../src/model/time.js';

describe('parseDateTime', () => {
  for (const [text, expected] of [
    ['2026-11-20T12:00:00Z', Date.UTC(2026, 10, 20, 12)],
    ['2026-11-20t12:00:00.5z', Date.UTC(2026, 10, 20, 12, 0, 0, 500)],
    ['2026-11-20 12:00:00.123456789+02:00', Date.UTC(2026, 10, 20, 10, 0, 0, 123)],
    ['2026-11-20T12:00+0530', Date.UTC(2026, 10, 20, 6, 30)],
    ['2026-11-20T12:00:00,25-08', Date.UTC(2026, 10, 20, 20, 0, 0, 250)],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['2026-02-30T00:00:00Z', undefined],
    ['2026-13-01T00:00:00Z', undefined],
    ['2026-11-20T25:00:00Z', undefined],
    ['2026-11-20T12:00:00', undefined],
    ['2026-11-20', undefined],
    ['20 November 2026', undefined],
    ['1', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    it(`${text}`, () => assert.equal(parseDateTime(text), expected));
  }

  it('reads what Date writes', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true }), (date) => {
        assert.equal(parseDateTime(date.toISOString()), date.getTime());
      }),
    );
  });

  it('never throws', () => fc.assert(fc.property(fc.string(), (text) => void parseDateTime(text))));
});

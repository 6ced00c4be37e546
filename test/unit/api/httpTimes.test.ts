import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { ageMs, clockSkewOf, retryAfterMs } from '../../../src/api/httpTimes.js';
import { timeLeft } from '../../../src/model/base/time.js';
import { Installs } from '../../../src/model/installs.js';
import { answerOf } from '../../support/answers.js';
import { healthy } from '../../support/platform/data.js';
import { type Fault, faults } from '../../support/platform/faults.js';
import { editorWayTo, Harness, newCall, used } from './harness.js';

const now = Date.parse('2026-11-20T10:00:00Z');
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const httpDate = (at: number): string => new Date(at).toUTCString();

const ahead = (clockOffsetMs: number) => ({ clockOffsetMs, hasUnusableDate: false });
const minutesOf = (left: number) =>
  timeLeft(now + left, now)
    .map(({ amount, unit }) => `${amount} ${unit}`)
    .join();

describe('Retry-After', () => {
  const table: readonly [
    text: string | undefined,
    wait: number | undefined,
    date?: string,
    age?: string,
  ][] = [
    ['0', 0],
    [' 120 ', 120_000],
    ['1.5', 1_500],
    // Seconds count from the receipt, however old the answer is.
    ['120', 120_000, httpDate(now - hour), '3600'],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['2026-11-20T10:01:00Z', 60_000],
    ['fri, 20 nov 2026 10:00:30 gmt', 30_000],
    ['Friday, 20-Nov-26 10:00:30 GMT', 30_000],
    ['Fri Nov 20 10:00:30 2026', 30_000],
    ['Fri, 20 Nov 2026 10:00:30 UTC', 30_000],
    // The platform's clock is an hour ahead of ours.
    ['Fri, 20 Nov 2026 11:00:30 GMT', 30_000, 'Fri, 20 Nov 2026 11:00:00 GMT'],
    ['Friday, 20-Nov-26 11:00:30 GMT', 30_000, 'Friday, 20-Nov-26 11:00:00 GMT'],
    ['Fri, 20 Nov 2026 11:00:30 GMT', 30_000, 'fri, 20 nov 2026 11:00:00 gmt'],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000, 'nonsense'],
    // It has been in a cache for a minute and a half.
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000, 'Fri, 20 Nov 2026 09:58:30 GMT', '90'],
    [undefined, undefined],
    ['-5', undefined],
    ['1, 2', undefined],
    ['in 5 minutes', undefined],
    ['Fri, 20 Foo 2026 10:00:30 GMT', undefined],
    ['Fri Nov 20 10:00:30 2026 nonsense', undefined],
    ['1e3', undefined],
  ];
  for (const [text, wait, date, age] of table) {
    const meaning = wait === undefined ? 'nothing' : `${wait / second} s`;
    const beside = [date && `, Date “${date}”`, age && `, Age ${age}`].filter(Boolean).join('');
    it(`means ${meaning} when it is “${text}”${beside}`, () => {
      assert.equal(retryAfterMs({ 'retry-after': text, date, age }, now), wait);
    });
  }
});

describe('Age', () => {
  const table: readonly [text: string | undefined, seconds: number][] = [
    [undefined, 0],
    ['0', 0],
    ['600', 600],
    [' 0600 ', 600],
    ['600, 5', 600],
    ['600,5', 600],
    // Not in RFC 9111, so they are left out of account.
    ['-7200', 0],
    ['7200.0', 0],
    ['abc', 0],
    ['abc, 600', 0],
    ['10 minutes', 0],
    ['', 0],
    [String(300 * 24 * 3600), 300 * 24 * 3600],
    // Of a cache that took an unreadable Date for 1970, and of one that can't count further.
    ['1664612639', 0],
    ['2147483648', 0],
    ['9'.repeat(400), 0],
  ];
  for (const [text, seconds] of table) {
    it(`means ${seconds} s when it is “${text?.slice(0, 20)}”`, () => {
      assert.equal(ageMs({ age: text }), seconds * second);
    });
  }
});

describe('the skew of the platform’s clock', () => {
  const none = { clockOffsetMs: 0, hasUnusableDate: false };
  const unusable = { clockOffsetMs: 0, hasUnusableDate: true };
  const behind = httpDate(now - hour);
  const table: readonly [
    when: string,
    date: string | undefined,
    age: string | undefined,
    skew: ReturnType<typeof ahead>,
  ][] = [
    ['there is no Date', undefined, undefined, none],
    ['the Date is empty', '', undefined, none],
    ['the Date is not a date', 'yesterday', '600', none],
    ['the Date is an hour behind', behind, undefined, ahead(-hour)],
    ['the Date is an hour ahead', httpDate(now + hour), undefined, ahead(hour)],
    ['the Date is in lower case', httpDate(now + hour).toLowerCase(), undefined, ahead(hour)],
    ['the Date has the form of RFC 850', 'Friday, 20-Nov-26 09:00:00 GMT', undefined, ahead(-hour)],
    ['the Date has the form of asctime', 'Fri Nov 20 09:00:00 2026', undefined, ahead(-hour)],
    ['the Date has an hour of one digit', 'Fri, 20 Nov 2026 9:00:00 GMT', undefined, ahead(-hour)],
    ['the Date is 59 s behind', httpDate(now - 59 * second), undefined, none],
    ['the Date is a minute behind', httpDate(now - minute), undefined, ahead(-minute)],
    ['the Date is a day ahead', httpDate(now + day), undefined, ahead(day)],
    ['the Date is more than a day ahead', httpDate(now + day + second), undefined, unusable],
    ['the Date is of 1970', httpDate(0), undefined, unusable],
    ['the Date is as old as the Age says', httpDate(now - 10 * minute), '600', none],
    [
      'the Date is three days old, as the Age says',
      httpDate(now - 3 * day),
      String(3 * 24 * 3600),
      none,
    ],
    [
      'the Date is an hour older than the Age says',
      httpDate(now - hour - 10 * minute),
      '600',
      ahead(-hour),
    ],
    ['the Date is now, although the Age is ten minutes', httpDate(now), '600', ahead(10 * minute)],
    ['the Date is an hour behind and the Age is invalid', behind, '-600', ahead(-hour)],
    ['there are two Dates of now', `${httpDate(now)}, ${httpDate(now)}`, undefined, unusable],
    [
      'the second of two Dates is an hour behind',
      `${httpDate(now)}, ${behind}`,
      undefined,
      unusable,
    ],
    [
      'the first of two Dates is an hour behind',
      `${behind}, ${httpDate(now)}`,
      undefined,
      unusable,
    ],
    ['there are two Dates an hour behind', `${behind}, ${behind}`, undefined, unusable],
    ['the second of two Dates is not a date', `${behind}, yesterday`, undefined, unusable],
    [
      'there are two Dates in the form of asctime',
      'Fri Nov 20 09:00:00 2026, Fri Nov 20 10:00:00 2026',
      undefined,
      unusable,
    ],
  ];
  for (const [when, date, age, skew] of table) {
    const result = skew.hasUnusableDate ? 'unknown' : `${skew.clockOffsetMs / minute} min`;
    it(`is ${result} when ${when}`, () => assert.deepEqual(clockSkewOf({ date, age }, now), skew));
  }
});

/** Ms that are left by the countdown's own times, of an install that was read with these headers. */
function leftOf(
  trueLeftMs: number,
  skewMs: number,
  headers: { readonly date: string; readonly age?: string },
) {
  const expiresAt = new Date(now + skewMs + trueLeftMs).toISOString();
  const answer = answerOf({ expiresAt }, clockSkewOf(headers, now));
  return new Installs(() => now).add('token', 'org', answer).expiresAt! - now;
}

function assertNear(leftMs: number, expectedMs: number, toleranceMs: number): void {
  const deviationMs = Math.abs(leftMs - expectedMs);
  assert.equal(deviationMs <= toleranceMs, true, `${leftMs} ms instead of ${expectedMs} ms`);
}

describe('the time left of an install', () => {
  const skews = fc.integer({ min: second - day, max: day - second });
  const lefts = fc.integer({ min: 0, max: 3 * day });

  it('is exact to a second when the clock of the platform differs', () => {
    fc.assert(
      fc.property(skews, lefts, (skewMs, trueLeftMs) => {
        fc.pre(Math.abs(skewMs) > minute + second);
        const left = leftOf(trueLeftMs, skewMs, { date: httpDate(now + skewMs) });
        assertNear(left, trueLeftMs, second);
      }),
    );
  });

  it('is exact to a second when an answer of another clock comes from a cache', () => {
    fc.assert(
      fc.property(skews, lefts, fc.integer({ min: 0, max: 86_400 }), (skewMs, trueLeftMs, age) => {
        const madeAt = now + skewMs - age * second;
        fc.pre(Math.abs(skewMs) > minute + second);
        const left = leftOf(trueLeftMs, skewMs, { date: httpDate(madeAt), age: String(age) });
        assertNear(left, trueLeftMs, second);
      }),
    );
  });

  it('is exact to a minute when the clocks differ by less than a minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: -minute, max: minute }), lefts, (skewMs, trueLeftMs) => {
        const left = leftOf(trueLeftMs, skewMs, { date: httpDate(now + skewMs) });
        assertNear(left, trueLeftMs, minute);
      }),
    );
  });

  it('is shown in minutes that are true within a second', () => {
    fc.assert(
      fc.property(skews, lefts, (skewMs, trueLeftMs) => {
        fc.pre(Math.abs(skewMs) > minute + second);
        const left = leftOf(trueLeftMs, skewMs, { date: httpDate(now + skewMs) });
        const shown = minutesOf(left);
        const possible = [trueLeftMs - second, trueLeftMs, trueLeftMs + second].map(minutesOf);
        assert.equal(possible.includes(shown), true, `${shown}, not ${possible.join(' or ')}`);
      }),
    );
  });
});

for (const way of ['its own connection', 'the editor’s fetch'] as const) {
  describe(`an answer over ${way}`, () => {
    const editorFetch = (...given: Parameters<typeof fetch>) =>
      editorWayTo(() => harness.platform)(...given);
    const harness = used(new Harness({ editorFetch }));
    const isEditors = way !== 'its own connection';
    const read = (fault: Fault) => {
      harness.platform.fault('all', fault);
      const target = { ...harness.target, baseUrl: 'https://unknown.example/api/v1' };
      return harness.read(newCall(), isEditors ? target : harness.target);
    };

    it('says to a second how the clock of the platform differs', async () => {
      const { clockOffsetMs, hasUnusableDate } = await read({ dateAheadMs: -hour });
      const deviationMs = Math.abs(clockOffsetMs + hour);
      assert.equal(deviationMs < 5 * second, true, `${clockOffsetMs} ms`);
      assert.equal(hasUnusableDate, false);
    });

    it('counts as received when its headers arrive, not its body', async () => {
      const body = JSON.stringify(healthy());
      const madeAt = Math.floor((Date.now() - hour) / second) * second;
      const drip = { bytes: Math.ceil(body.length / 2), everyMs: 100 };
      const { clockOffsetMs } = await read({ body, drip, headers: { date: httpDate(madeAt) } });
      const sinceHeadersMs = Date.now() - (madeAt - clockOffsetMs);
      // A timer of Node can end a millisecond early.
      assert.equal(sinceHeadersMs >= 50, true, `${sinceHeadersMs} ms`);
    });

    it('says that the clock does not differ when there is no Date', async () => {
      const { clockOffsetMs, hasUnusableDate } = await read({ dateAheadMs: null });
      assert.equal(clockOffsetMs, 0);
      assert.equal(hasUnusableDate, false);
    });

    it('has no usable Date when there are two', async () => {
      const date = [httpDate(Date.now()), httpDate(Date.now() - hour)];
      const { clockOffsetMs, hasUnusableDate } = await read({ headers: { date } });
      assert.equal(hasUnusableDate, true);
      assert.equal(clockOffsetMs, 0);
    });

    it('is as old as its Age says', async () => {
      const { asOf, sentAt } = await read({ headers: { age: '600' } });
      assert.equal(sentAt - asOf, 600 * second);
    });

    it('keeps the time of sending when it has an Age', async () => {
      const before = Date.now();
      const { sentAt } = await read({ headers: { age: '600' } });
      const sinceBeforeMs = sentAt - before;
      assert.equal(sinceBeforeMs >= 0 && sinceBeforeMs < minute, true, `${sinceBeforeMs} ms`);
    });

    it('is as old as the first of two caches says', async () => {
      const { asOf, sentAt } = await read({ headers: { age: ['600', '5'] } });
      assert.equal(sentAt - asOf, 600 * second);
    });

    it('ignores the clock of a gateway whose error came before', async () => {
      const { clockOffsetMs } = await read({ ...faults.html(503), dateAheadMs: hour, times: 1 });
      assert.equal(harness.entries[0]?.attempts, 2);
      assert.equal(clockOffsetMs, 0);
    });
  });
}

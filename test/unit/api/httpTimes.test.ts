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
    it(`is ${wait ?? 'no'} ms of “${text}” with the date ${date} and the age ${age}`, () => {
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
    it(`“${text?.slice(0, 20)}” is ${seconds} s`, () =>
      assert.equal(ageMs({ age: text }), seconds * second));
  }
});

describe('the skew of the platform’s clock', () => {
  const none = { clockOffsetMs: 0, hasUnusableDate: false };
  const unusable = { clockOffsetMs: 0, hasUnusableDate: true };
  const behind = httpDate(now - hour);
  const table: readonly [
    what: string,
    date: string | undefined,
    age: string | undefined,
    skew: object,
  ][] = [
    ['without Date', undefined, undefined, none],
    ['with an empty Date', '', undefined, none],
    ['with a Date that is none', 'yesterday', '600', none],
    ['of an hour behind', behind, undefined, ahead(-hour)],
    ['of an hour ahead', httpDate(now + hour), undefined, ahead(hour)],
    ['in lower case', httpDate(now + hour).toLowerCase(), undefined, ahead(hour)],
    ['in the form of RFC 850', 'Friday, 20-Nov-26 09:00:00 GMT', undefined, ahead(-hour)],
    ['in the form of asctime', 'Fri Nov 20 09:00:00 2026', undefined, ahead(-hour)],
    ['with an hour of one digit', 'Fri, 20 Nov 2026 9:00:00 GMT', undefined, ahead(-hour)],
    ['of 59 seconds', httpDate(now - 59 * second), undefined, none],
    ['of a minute', httpDate(now - minute), undefined, ahead(-minute)],
    ['of a day', httpDate(now + day), undefined, ahead(day)],
    ['of more than a day', httpDate(now + day + second), undefined, unusable],
    ['since 1970', httpDate(0), undefined, unusable],
    ['of an answer that lay in a cache', httpDate(now - 10 * minute), '600', none],
    [
      'of an answer that lay in a cache for longer than a day',
      httpDate(now - 3 * day),
      String(3 * 24 * 3600),
      none,
    ],
    [
      'of an hour, of an answer that lay in a cache',
      httpDate(now - hour - 10 * minute),
      '600',
      ahead(-hour),
    ],
    ['of a Date that is now, with an Age', httpDate(now), '600', ahead(10 * minute)],
    ['of an hour with an Age that is none', behind, '-600', ahead(-hour)],
    ['of two Dates that are now', `${httpDate(now)}, ${httpDate(now)}`, undefined, unusable],
    ['of two Dates of which one is off', `${httpDate(now)}, ${behind}`, undefined, unusable],
    ['of the same two', `${behind}, ${httpDate(now)}`, undefined, unusable],
    ['of two Dates that are off', `${behind}, ${behind}`, undefined, unusable],
    ['of a Date that is off and one that is none', `${behind}, yesterday`, undefined, unusable],
    [
      'of two Dates in the form of asctime',
      'Fri Nov 20 09:00:00 2026, Fri Nov 20 10:00:00 2026',
      undefined,
      unusable,
    ],
  ];
  for (const [what, date, age, skew] of table) {
    it(`is told ${what}`, () => assert.deepEqual(clockSkewOf({ date, age }, now), skew));
  }

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

  const skews = fc.integer({ min: second - day, max: day - second });
  const lefts = fc.integer({ min: 0, max: 3 * day });

  it('leaves the time left as it is by the clock of the platform, to a second', () => {
    fc.assert(
      fc.property(skews, lefts, (skewMs, trueLeftMs) => {
        fc.pre(Math.abs(skewMs) > minute + second);
        const left = leftOf(trueLeftMs, skewMs, { date: httpDate(now + skewMs) });
        assert.ok(Math.abs(left - trueLeftMs) <= second, `${left} ms`);
      }),
    );
  });

  it('leaves the time left to a second, too, of an answer that lay in a cache', () => {
    fc.assert(
      fc.property(skews, lefts, fc.integer({ min: 0, max: 86_400 }), (skewMs, trueLeftMs, age) => {
        const madeAt = now + skewMs - age * second;
        fc.pre(Math.abs(skewMs) > minute + second);
        const left = leftOf(trueLeftMs, skewMs, { date: httpDate(madeAt), age: String(age) });
        assert.ok(Math.abs(left - trueLeftMs) <= second, `${left} ms`);
      }),
    );
  });

  it('makes no more of a difference than a minute where it is not counted', () => {
    fc.assert(
      fc.property(fc.integer({ min: -minute, max: minute }), lefts, (skewMs, trueLeftMs) => {
        const left = leftOf(trueLeftMs, skewMs, { date: httpDate(now + skewMs) });
        assert.ok(Math.abs(left - trueLeftMs) <= minute, `${left} ms`);
      }),
    );
  });

  it('shows the true minutes, or one next to it within a second of the change', () => {
    fc.assert(
      fc.property(skews, lefts, (skewMs, trueLeftMs) => {
        fc.pre(Math.abs(skewMs) > minute + second);
        const left = leftOf(trueLeftMs, skewMs, { date: httpDate(now + skewMs) });
        const possible = [trueLeftMs - second, trueLeftMs, trueLeftMs + second].map(minutesOf);
        assert.ok(
          possible.includes(minutesOf(left)),
          `${minutesOf(left)}, not ${possible.join(' or ')}`,
        );
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

    it('tells how the clock of the platform differs, to a second', async () => {
      const { clockOffsetMs, hasUnusableDate } = await read({ dateAheadMs: -hour });
      assert.ok(Math.abs(clockOffsetMs + hour) < 5 * second, `${clockOffsetMs} ms`);
      assert.equal(hasUnusableDate, false);
    });

    it('is compared with the time when its headers arrived, however long its body takes', async () => {
      const body = JSON.stringify(healthy());
      const madeAt = Math.floor((Date.now() - hour) / second) * second;
      const drip = { bytes: Math.ceil(body.length / 2), everyMs: 100 };
      const { clockOffsetMs } = await read({ body, drip, headers: { date: httpDate(madeAt) } });
      const receivedAt = madeAt - clockOffsetMs;
      // A timer of Node can end a millisecond early.
      assert.ok(Date.now() - receivedAt >= 50);
    });

    it('tells of no difference without Date', async () => {
      const { clockOffsetMs, hasUnusableDate } = await read({ dateAheadMs: null });
      assert.deepEqual(
        { clockOffsetMs, hasUnusableDate },
        { clockOffsetMs: 0, hasUnusableDate: false },
      );
    });

    it('has no usable Date where it has two', async () => {
      const date = [httpDate(Date.now()), httpDate(Date.now() - hour)];
      const { clockOffsetMs, hasUnusableDate } = await read({ headers: { date } });
      assert.deepEqual(
        { clockOffsetMs, hasUnusableDate },
        { clockOffsetMs: 0, hasUnusableDate: true },
      );
    });

    it('is as old as its Age says, and was sent when it was sent', async () => {
      const { asOf, sentAt } = await read({ headers: { age: '600' } });
      assert.equal(sentAt - asOf, 600_000);
      assert.ok(Date.now() - sentAt < minute);
    });

    it('has the age that the first of two caches says', async () => {
      const { asOf, sentAt } = await read({ headers: { age: ['600', '5'] } });
      assert.equal(sentAt - asOf, 600_000);
    });

    it('tells nothing of the clock of a gateway whose error came first', async () => {
      const { clockOffsetMs } = await read({ ...faults.html(503), dateAheadMs: hour, times: 1 });
      assert.deepEqual([clockOffsetMs, harness.entries[0]?.attempts], [0, 2]);
    });
  });
}

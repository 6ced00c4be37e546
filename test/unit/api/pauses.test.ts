import { strict as assert } from 'node:assert';
import { retryAfter } from '../../../src/api/answer.js';
import { Pauses } from '../../../src/api/queue.js';

const now = Date.parse('2026-11-20T10:00:00Z');

it('Retry-After is read as seconds or as a date, or not at all', () => {
  const table: [text: string | undefined, wait: number | undefined, date?: string][] = [
    ['0', 0],
    [' 120 ', 120_000],
    ['1.5', 1_500],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['2026-11-20T10:01:00Z', 60_000],
    // The service's clock is an hour ahead of ours.
    ['Fri, 20 Nov 2026 11:00:30 GMT', 30_000, 'Fri, 20 Nov 2026 11:00:00 GMT'],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000, 'nonsense'],
    [undefined, undefined],
    ['-5', undefined],
    ['1, 2', undefined],
    ['in 5 minutes', undefined],
    ['Fri, 20 Foo 2026 10:00:30 GMT', undefined],
    ['1e3', undefined],
  ];
  for (const [text, wait, date] of table) assert.equal(retryAfter({ 'retry-after': text, date }, now), wait, text);
});

describe('the pause of an organization', () => {
  let clock: number;
  /** How far the wall clock is ahead of where it was. */
  let set: number;
  let some: Pauses;
  beforeEach(() => {
    clock = now;
    set = 0;
    some = new Pauses(
      () => clock + set,
      () => clock,
      () => 0,
    );
  });

  it('ends when the answer says, after a second at least and ten minutes at most, and holds only that organization', () => {
    for (const [asked, wait] of [
      [0, 1_000],
      [3_000, 3_000],
      [599_000, 599_000],
      [Number.POSITIVE_INFINITY, 600_000],
    ] as const) {
      const until = clock + wait;
      assert.equal(some.extend('a', asked), until);
      assert.equal(some.until('a'), until);
      assert.equal(some.until('b'), undefined);
      clock = until;
      assert.equal(some.until('a'), undefined);
    }
  });

  it('grows with each 429 in a row that does not say, up to ten minutes', () => {
    const waits: number[] = [];
    for (let strike = 0; strike < 9; strike++) {
      const until = some.extend('a', undefined);
      waits.push((until - clock) / 1000);
      clock = until;
    }
    assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
    some.clear('a');
    assert.equal(some.extend('a', undefined), clock + 5_000);
  });

  it('counts the 429s of requests under way together as one, and never gets shorter', () => {
    some.extend('a', 4_000);
    assert.equal(some.extend('a', 1_000), now + 4_000);
    some.clear('a');
    assert.equal(some.until('a'), now + 4_000);
    clock += 4_000;
    assert.equal(some.extend('a', undefined), clock + 10_000);
  });

  it('lasts as long when the clock is set back, and a new one takes its place', () => {
    some.extend('a', 60_000);
    set = -5 * 60_000;
    assert.equal(some.left('a'), 60_000);
    assert.equal(some.extend('a', 120_000), now - 180_000);
    clock += 119_999;
    assert.equal(some.left('a'), 1);
  });

  it('is over after the machine slept for longer', () => {
    some.extend('a', 60_000);
    // While it sleeps only the wall clock runs.
    set = 60_000;
    assert.equal(some.until('a'), undefined);
  });
});

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { retryAfter } from '../../../src/api/answer.js';
import { Pauses } from '../../../src/api/pauses.js';
import { type Phase, Queue, type Release } from '../../../src/api/queue.js';
import { settle } from './harness.js';

const now = Date.parse('2026-11-20T10:00:00Z');
const turn = { organizationId: 'a', urgent: false };

/** A call at the desk. `place`: `null` if it gave up. */
interface Entered {
  readonly name: string;
  readonly urgent: boolean;
  readonly phases: Phase[];
  place?: Release | null;
  cancel(): void;
}

/** A queue, and those that hold a place, in the order in which they got it. */
class Desk {
  clock = now;
  /** How far the wall clock is ahead of where it was. */
  set = 0;
  readonly pauses = new Pauses(
    () => this.clock + this.set,
    () => this.clock,
    () => 0,
  );
  readonly queue = new Queue(() => this.max, this.pauses);
  readonly holding: Entered[] = [];

  constructor(public max = 2) {}

  get names(): string[] {
    return this.holding.map(({ name }) => name);
  }

  async enter(name: string, more: Partial<typeof turn> = {}): Promise<Entered> {
    const controller = new AbortController();
    const one: Entered = { name, urgent: more.urgent === true, phases: [], cancel: () => controller.abort() };
    const onPhase = (phase: Phase) => void one.phases.push(phase);
    void this.wait(one, this.queue.enter({ ...turn, ...more, signal: controller.signal, onPhase }));
    await settle(0);
    return one;
  }

  private async wait(one: Entered, entering: Promise<Release | undefined>): Promise<void> {
    one.place = (await entering) ?? null;
    if (one.place) this.holding.push(one);
  }

  async leave(one: Entered): Promise<void> {
    this.holding.splice(this.holding.indexOf(one), 1);
    one.place?.();
    await settle(0);
  }
}

describe('the queue', () => {
  for (const [max, bulk] of [
    [1, 1],
    [2, 1],
    [64, 56],
  ] as const) {
    it(`gives bulk work ${bulk} of ${max} places, and keeps the others for what a person asked for`, async () => {
      const desk = new Desk(max);
      for (let at = 0; at < 70; at++) await desk.enter(`bulk ${at}`);
      assert.equal(desk.holding.length, bulk);
    });
  }

  it('interrupts nobody where fewer are allowed than before: a person is next', async () => {
    const desk = new Desk(4);
    for (const name of ['1', '2', '3', 'later']) await desk.enter(name);
    desk.max = 1;
    await desk.enter('urgent', { urgent: true });
    for (const names of [['1', '2', '3'], ['2', '3'], ['3']]) {
      assert.deepEqual(desk.names, names);
      await desk.leave(desk.holding[0]!);
    }
    assert.deepEqual(desk.names, ['urgent']);
  });

  it('forgets a waiting call that is cancelled, and takes no cancelled one', async () => {
    const desk = new Desk(1);
    const first = await desk.enter('first');
    const second = await desk.enter('second');
    await desk.enter('third');
    second.cancel();
    await settle(0);
    assert.equal(second.place, null);
    await desk.leave(first);
    assert.deepEqual(desk.names, ['third']);
    assert.equal(await desk.queue.enter({ ...turn, signal: AbortSignal.abort(), onPhase: () => {} }), undefined);
  });

  it('holds a paused organization, urgent or not, says until when, lets others pass, and wakes up by itself', async () => {
    const desk = new Desk();
    const until = desk.pauses.extend('a', 0);
    const first = await desk.enter('first', { urgent: true });
    const second = await desk.enter('second', { urgent: true });
    const other = await desk.enter('other', { organizationId: 'b' });
    assert.deepEqual(other.phases, [{ kind: 'connecting' }]);
    const longer = desk.pauses.extend('a', 5_000);
    const paused = [until, longer].map((end) => ({ kind: 'paused', until: end }));
    assert.deepEqual(first.phases, paused);
    desk.clock = longer;
    while (first.phases.length < 3) await settle();
    assert.deepEqual(desk.names, ['other', 'first']);
    assert.deepEqual(second.phases, [...paused, { kind: 'waiting' }]);
  });

  it('never exceeds its bounds, lets nobody wait without need or behind bulk work, and forgets nobody', async () => {
    const step = fc.record({ what: fc.constantFrom('enter', 'urgent', 'leave', 'cancel'), whom: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 7 }), fc.array(step, { maxLength: 40 }), async (max, steps) => {
        const desk = new Desk(max);
        const calls: Entered[] = [];
        const waiting = () => calls.filter(({ place }) => place === undefined);
        for (const { what, whom } of steps) {
          const holder = desk.holding[whom % desk.holding.length];
          if (what === 'leave' && holder) await desk.leave(holder);
          else if (what === 'cancel') waiting()[whom % waiting().length]?.cancel();
          else if (what !== 'leave') calls.push(await desk.enter('one', { urgent: what === 'urgent' }));
          await settle(0);
          assert.ok(desk.holding.length <= max);
          assert.ok(!waiting().some(({ urgent }) => urgent) || desk.holding.length === max);
        }
        while (desk.holding[0]) await desk.leave(desk.holding[0]);
        assert.deepEqual(waiting(), []);
      }),
      { numRuns: 60 },
    );
  });
});

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
  it('ends when the answer says, after a second at least and ten minutes at most, and holds only that organization', () => {
    const desk = new Desk();
    const { pauses } = desk;
    for (const [asked, wait] of [
      [0, 1_000],
      [3_000, 3_000],
      [599_000, 599_000],
      [Number.POSITIVE_INFINITY, 600_000],
    ] as const) {
      const until = desk.clock + wait;
      assert.equal(pauses.extend('a', asked), until);
      assert.equal(pauses.until('a'), until);
      assert.equal(pauses.until('b'), undefined);
      desk.clock = until;
      assert.equal(pauses.until('a'), undefined);
    }
  });

  it('grows with each 429 in a row that does not say, up to ten minutes', () => {
    const desk = new Desk();
    const { pauses } = desk;
    const waits: number[] = [];
    for (let strike = 0; strike < 9; strike++) {
      const until = pauses.extend('a', undefined);
      waits.push((until - desk.clock) / 1000);
      desk.clock = until;
    }
    assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
    pauses.clear('a');
    assert.equal(pauses.extend('a', undefined), desk.clock + 5_000);
  });

  it('counts the 429s of requests under way together as one, and never gets shorter', () => {
    const desk = new Desk();
    const { pauses } = desk;
    pauses.extend('a', 4_000);
    assert.equal(pauses.extend('a', 1_000), now + 4_000);
    pauses.clear('a');
    assert.equal(pauses.until('a'), now + 4_000);
    desk.clock += 4_000;
    assert.equal(pauses.extend('a', undefined), desk.clock + 10_000);
  });

  it('lasts as long when the clock is set back, and is over after the machine slept for longer', () => {
    const desk = new Desk();
    const { pauses } = desk;
    pauses.extend('a', 60_000);
    desk.set = -5 * 60_000;
    assert.equal(pauses.left('a'), 60_000);
    assert.equal(pauses.extend('a', 120_000), now - 180_000);
    desk.clock += 119_999;
    assert.equal(pauses.left('a'), 1);
    // While it sleeps only the wall clock runs.
    desk.set += 1;
    assert.equal(pauses.until('a'), undefined);
  });
});

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import type { Phase } from '../../../src/api/call.js';
import { Queue, type Release } from '../../../src/api/queue.js';
import { turn } from '../../support/manualClock.js';

const now = Date.parse('2026-11-20T10:00:00Z');

/** A request at the queue. `release`: `null` if it gave up. */
interface Entered {
  readonly name: string;
  readonly urgent: boolean;
  release?: Release | null;
  cancel(): void;
}

/** A queue, and the requests that run, in the order in which they got their slot. */
class Desk {
  /** The system's time. */
  clock = now;
  /** How far that clock is ahead of the one for distances. */
  ahead = 0;
  readonly queue = new Queue({
    max: () => this.max,
    extraSlots: 2,
    now: () => this.clock,
    elapsed: () => this.clock - this.ahead,
    setTimer: () => ({ dispose: () => {} }),
    onPause: () => {},
  });
  readonly running: Entered[] = [];

  constructor(public max = 2) {}

  get names(): string[] {
    return this.running.map(({ name }) => name);
  }

  async enter(name: string, urgent = false): Promise<Entered> {
    const controller = new AbortController();
    const one: Entered = { name, urgent, cancel: () => controller.abort() };
    void this.wait(one, this.queue.enter({ urgent, signal: controller.signal }));
    await turn();
    return one;
  }

  private async wait(one: Entered, entering: Promise<Release>): Promise<void> {
    one.release = await entering.catch(() => null);
    if (one.release) this.running.push(one);
  }

  /** The end of the pause afterwards. */
  pause(asked: number | undefined): number | undefined {
    this.queue.pause(asked);
    return this.queue.pausedUntil;
  }

  /** As when the machine sleeps, or the system's time is set; a negative number sets it back. */
  setForward(ms: number): void {
    this.clock += ms;
    this.ahead += ms;
  }

  async leave(one: Entered): Promise<void> {
    this.running.splice(this.running.indexOf(one), 1);
    one.release?.();
    await turn();
  }
}

describe('the queue', () => {
  it('interrupts nothing where fewer are allowed than before: the user is next', async () => {
    const desk = new Desk(4);
    for (const name of ['1', '2', '3', '4', 'later']) await desk.enter(name);
    desk.max = 1;
    await desk.enter('user', true);
    for (const names of ['1234', '234']) {
      assert.equal(desk.names.join(''), names);
      await desk.leave(desk.running[0]!);
    }
    assert.deepEqual(desk.names, ['3', '4', 'user']);
  });

  it('serves what the user asked for last first, so that nothing waits behind thousands of selected rows', async () => {
    const desk = new Desk(1);
    for (const name of ['1', '2', '3', 'row', 'another row', 'look-up'])
      await desk.enter(name, true);
    for (const running of desk.running.slice()) await desk.leave(running);
    assert.deepEqual(desk.names, ['look-up', 'another row', 'row']);
  });

  it('serves the newest of what the user asked for first, so that a look-up does not wait behind thousands of rows', async () => {
    const desk = new Desk(1);
    for (const name of ['1', '2', '3', 'row', 'other row', 'look-up']) await desk.enter(name, true);
    for (const running of desk.running.slice()) await desk.leave(running);
    assert.deepEqual(desk.names, ['look-up', 'other row', 'row']);
  });

  it('lets a request go that is cancelled as it hears that it waits', async () => {
    const desk = new Desk();
    desk.pause(60_000);
    const controller = new AbortController();
    const entering = desk.queue.enter({
      urgent: true,
      signal: controller.signal,
      onPhase: () => controller.abort(new Error('signed out')),
    });
    await assert.rejects(entering, /signed out/);
  });

  it('ends whatever waits when it is closed', async () => {
    const desk = new Desk(1);
    const entered = [
      await desk.enter('runs'),
      await desk.enter('waits'),
      await desk.enter('paused', true),
    ];
    desk.queue.close(new Error('closed'));
    await turn();
    assert.deepEqual(
      entered.map(({ release }) => release === null),
      [false, true, false],
    );
  });

  it('takes no request that was cancelled before', () =>
    assert.rejects(
      new Desk().queue.enter({ urgent: false, signal: AbortSignal.abort(new Error('gone')) }),
      /gone/,
    ));

  it('never exceeds its bounds, lets no request wait without need or behind a refresh, and forgets none', async () => {
    const step = fc.record({
      what: fc.constantFrom('enter', 'urgent', 'leave', 'cancel'),
      whom: fc.nat(9),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { minLength: 20, maxLength: 40 }),
        async (max, steps) => {
          const desk = new Desk(max);
          const calls: Entered[] = [];
          const waiting = () => calls.filter(({ release }) => release === undefined);
          for (const { what, whom } of steps) {
            const runs = desk.running[whom % desk.running.length];
            if (what === 'leave' && runs) await desk.leave(runs);
            else if (what === 'cancel') waiting()[whom % waiting().length]?.cancel();
            else if (what !== 'leave') calls.push(await desk.enter('one', what === 'urgent'));
            await turn();
            const refreshes = desk.running.filter(({ urgent }) => !urgent).length;
            const isFull = desk.running.length === max + 2;
            assert.ok(desk.running.length <= max + 2 && refreshes <= max);
            assert.ok(!waiting().some(({ urgent }) => urgent) || isFull);
            assert.ok(waiting().length === 0 || isFull || refreshes === max);
          }
          while (desk.running[0]) await desk.leave(desk.running[0]);
          assert.deepEqual(waiting(), []);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** What a request that waits hears of pauses, each in ms from now on. */
function heardOf(desk: Desk, ...asked: readonly number[]): readonly number[] {
  const heard: number[] = [];
  const onPhase = (phase: Phase): void => {
    if (phase.kind === 'paused') heard.push(phase.until - now);
  };
  desk.pause(asked[0]);
  void desk.queue.enter({ urgent: false, signal: new AbortController().signal, onPhase });
  heard.length = 0;
  for (const ms of asked.slice(1)) desk.pause(ms);
  return heard;
}

describe('the pause of an organization', () => {
  it('is not told anew to what waits for each 429 of the same moment', () => {
    assert.deepEqual(heardOf(new Desk(), 20_000, 20_000, 20_010, 20_020), []);
  });

  it('is told anew to what waits once it ends a second later', () => {
    assert.deepEqual(heardOf(new Desk(), 20_000, 20_500, 21_000, 22_500), [21_000, 22_500]);
  });

  it('ends when the answer says, after a second at least and ten minutes at most', () => {
    const desk = new Desk();
    const { queue } = desk;
    for (const [asked, wait] of [
      [0, 1_000],
      [3_000, 3_000],
      [599_000, 599_000],
      [Number.POSITIVE_INFINITY, 600_000],
    ] as const) {
      const until = desk.clock + wait;
      assert.equal(desk.pause(asked), until);
      desk.clock = until;
      assert.equal(queue.pausedUntil, undefined);
    }
  });

  it('grows with each 429 in a row that does not say, up to ten minutes', () => {
    const desk = new Desk();
    const { queue } = desk;
    const waits: number[] = [];
    for (let strike = 0; strike < 9; strike++) {
      const until = desk.pause(undefined)!;
      waits.push((until - desk.clock) / 1000);
      desk.clock = until;
    }
    assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
    queue.resetBackoff();
    assert.equal(desk.pause(undefined), desk.clock + 5_000);
  });

  it('counts the 429s of requests under way together as one, and never gets shorter', () => {
    const desk = new Desk();
    const { queue } = desk;
    queue.pause(4_000);
    assert.equal(desk.pause(1_000), now + 4_000);
    queue.resetBackoff();
    assert.equal(queue.pausedUntil, now + 4_000);
    desk.clock += 4_000;
    assert.equal(desk.pause(undefined), desk.clock + 10_000);
  });

  it('is over after the machine slept for longer', () => {
    const desk = new Desk();
    desk.pause(60_000);
    desk.setForward(8 * 3600_000);
    assert.equal(desk.queue.pausedUntil, undefined);
  });

  for (const minutes of [1, 8 * 60]) {
    it(`lasts as long as before when the clock is set back by ${minutes} min`, () => {
      const desk = new Desk();
      desk.pause(60_000);
      desk.clock += 20_000;
      desk.setForward(-minutes * 60_000);
      assert.equal(desk.queue.pauseRemainingMs, 40_000);
      desk.clock += 40_000;
      assert.equal(desk.queue.pauseRemainingMs, 0);
    });
  }

  it('that follows a clock that was set back lasts as long as its answer says', () => {
    const desk = new Desk();
    desk.pause(60_000);
    desk.clock += 60_000;
    desk.setForward(-8 * 3600_000);
    assert.equal(desk.pause(1_000), desk.clock + 1_000);
  });
});

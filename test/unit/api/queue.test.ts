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

  async enter(name: string, { urgent = false } = {}): Promise<Entered> {
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

/** Four requests run where now only one may; a refresh and a request of the user wait. */
async function shrunkDesk(): Promise<Desk> {
  const desk = new Desk(4);
  for (const name of ['1', '2', '3', '4', 'refresh']) await desk.enter(name);
  desk.max = 1;
  await desk.enter('user', { urgent: true });
  return desk;
}

function refreshes({ running }: Desk): number {
  return running.filter(({ urgent }) => !urgent).length;
}

function freeSlots({ running, max }: Desk): number {
  return max + 2 - running.length;
}

describe('the queue', () => {
  it('lets running requests end when fewer are allowed than before', async () => {
    const desk = await shrunkDesk();
    assert.deepEqual(desk.names, ['1', '2', '3', '4']);
  });

  it('serves what the user asked for first when fewer are allowed than before', async () => {
    const desk = await shrunkDesk();
    await desk.leave(desk.running[0]!);
    assert.deepEqual(desk.names, ['2', '3', '4']);
    await desk.leave(desk.running[0]!);
    assert.deepEqual(desk.names, ['3', '4', 'user']);
  });

  // A look-up does not wait behind thousands of selected rows.
  it('serves the newest first of what the user asked for', async () => {
    const desk = new Desk(1);
    for (const name of ['1', '2', '3', 'row', 'other row', 'look-up'])
      await desk.enter(name, { urgent: true });
    for (const running of desk.running.slice()) await desk.leave(running);
    assert.deepEqual(desk.names, ['look-up', 'other row', 'row']);
  });

  it('gives up a request whose listener cancels it during a pause', async () => {
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

  it('gives up each waiting request when it is closed', async () => {
    const desk = new Desk(1);
    const running = await desk.enter('runs');
    const waiting = await desk.enter('waits');
    const inExtraSlot = await desk.enter('runs in an extra slot', { urgent: true });

    desk.queue.close(new Error('closed'));
    await turn();

    assert.equal(waiting.release, null);
    assert.equal(typeof running.release, 'function');
    assert.equal(typeof inExtraSlot.release, 'function');
  });

  it('takes no request that was cancelled before', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await assert.rejects(new Desk().queue.enter({ urgent: false, signal }), /gone/);
  });

  type Step = { readonly what: 'enter' | 'urgent' | 'leave' | 'cancel'; readonly whom: number };

  /** Checks the desk after each of any steps; `check` gets all requests that wait then. */
  function afterAnySteps(
    check: (desk: Desk, waiting: readonly Entered[]) => void,
    atEnd: (waiting: readonly Entered[]) => void = () => undefined,
  ): Promise<void> {
    const step: fc.Arbitrary<Step> = fc.record({
      what: fc.constantFrom('enter', 'urgent', 'leave', 'cancel'),
      whom: fc.nat(9),
    });
    const steps = fc.array(step, { minLength: 20, maxLength: 40 });
    const play = async (max: number, played: readonly Step[]): Promise<void> => {
      const desk = new Desk(max);
      const calls: Entered[] = [];
      const waiting = () => calls.filter(({ release }) => release === undefined);
      for (const { what, whom } of played) {
        const runs = desk.running[whom % desk.running.length];
        if (what === 'leave' && runs) await desk.leave(runs);
        else if (what === 'cancel') waiting()[whom % waiting().length]?.cancel();
        else if (what !== 'leave')
          calls.push(await desk.enter('one', { urgent: what === 'urgent' }));
        await turn();
        check(desk, waiting());
      }
      while (desk.running[0]) await desk.leave(desk.running[0]);
      atEnd(waiting());
    };
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, play);
    return fc.assert(property, { numRuns: 60 });
  }

  it('never runs more requests than it has slots', () =>
    afterAnySteps((desk) => {
      const slotsTooMany = Math.max(0, -freeSlots(desk));
      assert.equal(slotsTooMany, 0);
    }));

  it('never runs more refreshes than are allowed', () =>
    afterAnySteps((desk) => {
      const refreshesTooMany = Math.max(0, refreshes(desk) - desk.max);
      assert.equal(refreshesTooMany, 0);
    }));

  it('lets no request of the user wait while a slot is free', () =>
    afterAnySteps((desk, waiting) => {
      const waitingOfUser = waiting.filter(({ urgent }) => urgent);
      if (freeSlots(desk) > 0) assert.deepEqual(waitingOfUser, []);
    }));

  it('lets no refresh wait without need', () =>
    afterAnySteps((desk, waiting) => {
      const mayRefresh = freeSlots(desk) > 0 && refreshes(desk) < desk.max;
      if (mayRefresh) assert.deepEqual(waiting, []);
    }));

  it('gives a slot to each request that is not cancelled, once the others have left', () =>
    afterAnySteps(
      () => undefined,
      (waiting) => {
        const forgotten = waiting.map(({ urgent }) =>
          urgent ? 'one of the user' : 'one of a refresh',
        );
        assert.deepEqual(forgotten, []);
      },
    ));
});

/** The pauses that a waiting request is notified of after the first, each as ms from `now` to its end. */
function notifiedPauses(desk: Desk, ...requestedMs: readonly number[]): readonly number[] {
  const [first, ...others] = requestedMs;
  const notified: number[] = [];
  const onPhase = (phase: Phase): void => {
    if (phase.kind === 'paused') notified.push(phase.until - now);
  };
  desk.pause(first);
  void desk.queue.enter({ urgent: false, signal: new AbortController().signal, onPhase });
  notified.length = 0;
  for (const ms of others) desk.pause(ms);
  return notified;
}

/** Pauses the queue, and returns how long that lasts from now on. */
function pauseLengthMs(desk: Desk, requestedMs: number): number {
  return desk.pause(requestedMs)! - desk.clock;
}

/** The lengths in seconds of pauses whose 429s have no `Retry-After`, one right after another. */
function unspecifiedPauses(desk: Desk, count: number): readonly number[] {
  return Array.from({ length: count }, () => {
    const until = desk.pause(undefined)!;
    const seconds = (until - desk.clock) / 1000;
    desk.clock = until;
    return seconds;
  });
}

describe('the pause of an organization', () => {
  it('sends no new notification for each 429 of one moment', () => {
    assert.deepEqual(notifiedPauses(new Desk(), 20_000, 20_000, 20_010, 20_020), []);
  });

  it('sends a new notification each time its end moves by a second', () => {
    const notified = notifiedPauses(new Desk(), 20_000, 20_500, 21_000, 22_500);
    assert.deepEqual(notified, [21_000, 22_500]);
  });

  for (const [requested, requestedMs, lengthMs] of [
    ['3 s', 3_000, 3_000],
    ['599 s', 599_000, 599_000],
    ['0 s', 0, 1_000],
    ['more than ten minutes', Number.POSITIVE_INFINITY, 600_000],
  ] as const) {
    it(`lasts ${lengthMs / 1000} s when the answer asks for ${requested}`, () => {
      const desk = new Desk();
      assert.equal(pauseLengthMs(desk, requestedMs), lengthMs);
      desk.clock = now + lengthMs;
      assert.equal(desk.queue.pausedUntil, undefined);
    });
  }

  it('doubles with each 429 in a row without Retry-After, up to ten minutes', () => {
    const seconds = unspecifiedPauses(new Desk(), 9);
    assert.deepEqual(seconds, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
  });

  it('is as short as a first one after a good answer', () => {
    const desk = new Desk();
    unspecifiedPauses(desk, 9);
    desk.queue.resetBackoff();
    assert.deepEqual(unspecifiedPauses(desk, 1), [5]);
  });

  it('never gets shorter by a further 429', () => {
    const desk = new Desk();
    desk.pause(4_000);
    assert.equal(pauseLengthMs(desk, 1_000), 4_000);
  });

  it('goes on after a good answer that was under way', () => {
    const desk = new Desk();
    desk.pause(4_000);
    desk.queue.resetBackoff();
    assert.equal(desk.queue.pauseRemainingMs, 4_000);
  });

  it('counts as one pause when several requests under way get a 429', () => {
    const desk = new Desk();
    desk.pause(4_000);
    desk.pause(1_000);
    desk.queue.resetBackoff();
    desk.clock += 4_000;
    assert.deepEqual(unspecifiedPauses(desk, 1), [10]);
  });

  it('is over when the machine has slept for longer', () => {
    const desk = new Desk();
    desk.pause(60_000);
    desk.setForward(8 * 3600_000);
    assert.equal(desk.queue.pausedUntil, undefined);
  });

  for (const minutes of [1, 8 * 60]) {
    it(`keeps its length when the clock is set back by ${minutes} min`, () => {
      const desk = new Desk();
      desk.pause(60_000);
      desk.clock += 20_000;
      desk.setForward(-minutes * 60_000);
      assert.equal(desk.queue.pauseRemainingMs, 40_000);
      desk.clock += 40_000;
      assert.equal(desk.queue.pauseRemainingMs, 0);
    });
  }

  it('lasts as long as its answer says when the clock was set back before', () => {
    const desk = new Desk();
    desk.pause(60_000);
    desk.clock += 60_000;
    desk.setForward(-8 * 3600_000);
    assert.equal(pauseLengthMs(desk, 1_000), 1_000);
  });
});

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import type { Phase } from '../../../src/api/client.js';
import { GaveUp, Limiter, type Place } from '../../../src/api/limiter.js';
import { Pauses } from '../../../src/api/pauses.js';
import { settle } from './harness.js';

interface Entered {
  readonly name: string;
  readonly phases: Phase[];
  place?: Place;
  preempted: boolean;
  gaveUp: boolean;
  cancel(): void;
}

/** A limiter, and the names of those that hold a place, in the order in which they got it. */
class Desk {
  max = 2;
  clock = 1_000_000;
  readonly pauses = new Pauses(
    () => this.clock,
    () => 0,
  );
  readonly limiter = new Limiter(
    () => this.max,
    this.pauses,
    () => this.clock,
  );
  readonly held: string[] = [];

  async enter(
    name: string,
    { urgent = false, again = false, organizationId = 'a', kept = false } = {},
  ): Promise<Entered> {
    const controller = new AbortController();
    const entered: Entered = {
      name,
      phases: [],
      preempted: false,
      gaveUp: false,
      cancel: () => controller.abort(),
    };
    const turn = {
      organizationId,
      urgent,
      again,
      signal: controller.signal,
      onPhase: (phase: Phase) => void entered.phases.push(phase),
      ...(!kept && {
        onPreempted: () => {
          entered.preempted = true;
        },
      }),
    };
    void this.#wait(entered, this.limiter.enter(turn));
    await settle(0);
    return entered;
  }

  async #wait(entered: Entered, place: Promise<Place>): Promise<void> {
    try {
      entered.place = await place;
      this.held.push(entered.name);
    } catch (error) {
      entered.gaveUp = error instanceof GaveUp;
    }
  }

  async leave(entered: Entered): Promise<void> {
    assert.ok(entered.place, `${entered.name} has no place`);
    this.held.splice(this.held.indexOf(entered.name), 1);
    entered.place.release();
    // A second time changes nothing.
    entered.place.release();
    await settle(0);
  }
}

describe('the limiter', () => {
  let desk: Desk;
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(() => desk.limiter.close());

  it('gives bulk work all places but those kept for what a person asked for', async () => {
    for (const [max, bulk] of [
      [2, 1],
      [8, 7],
      [64, 56],
      [1, 1],
    ] as const) {
      desk = new Desk();
      desk.max = max;
      for (let at = 0; at < 70; at++) {
        await desk.enter(`bulk ${at}`);
      }
      assert.equal(desk.held.length, bulk, `of ${max}`);
    }
  });

  it('lets an urgent call in at once, and ahead of the bulk work that waits', async () => {
    const first = await desk.enter('bulk 1');
    const second = await desk.enter('bulk 2');
    await desk.enter('urgent 1', { urgent: true });
    const urgent = await desk.enter('urgent 2', { urgent: true });
    assert.deepEqual(desk.held, ['bulk 1', 'urgent 1']);
    assert.deepEqual(urgent.phases, [{ kind: 'waiting' }]);
    await desk.leave(first);
    assert.deepEqual(desk.held, ['urgent 1', 'urgent 2']);
    assert.deepEqual(second.phases, [{ kind: 'waiting' }]);
    assert.deepEqual(urgent.phases, [{ kind: 'waiting' }, { kind: 'sending' }]);
  });

  it('takes the only place from bulk work, never from a person', async () => {
    desk.max = 1;
    const bulk = await desk.enter('bulk');
    const urgent = await desk.enter('urgent 1', { urgent: true });
    assert.ok(bulk.preempted);
    assert.deepEqual(desk.held, ['bulk'], 'the bound holds until the place is given back');
    await desk.leave(bulk);
    await desk.enter('bulk again', { again: true });
    await desk.enter('urgent 2', { urgent: true });
    assert.deepEqual(desk.held, ['urgent 1']);
    assert.ok(!urgent.preempted);
    await desk.leave(urgent);
    assert.deepEqual(desk.held, ['urgent 2']);
  });

  it('takes one place, and not that of what may not be interrupted', async () => {
    desk.max = 4;
    const kept = await desk.enter('kept', { kept: true });
    const [first, second] = [await desk.enter('bulk 1'), await desk.enter('bulk 2')];
    desk.max = 1;
    await desk.enter('urgent 1', { urgent: true });
    await desk.enter('urgent 2', { urgent: true });
    assert.deepEqual([kept.preempted, first.preempted, second.preempted], [false, false, true]);
  });

  it('lets those go first that have had a place already', async () => {
    desk.max = 1;
    const first = await desk.enter('first');
    await desk.enter('second');
    await desk.enter('third', { again: true });
    await desk.leave(first);
    assert.deepEqual(desk.held, ['third']);
  });

  it('takes a new bound over at once, up and down', async () => {
    const calls: Entered[] = [];
    for (let at = 0; at < 6; at++) {
      calls.push(await desk.enter(`urgent ${at}`, { urgent: true }));
    }
    assert.equal(desk.held.length, 2);
    desk.max = 4;
    desk.limiter.update();
    await settle(0);
    assert.equal(desk.held.length, 4);
    desk.max = 1;
    await desk.leave(calls[0]!);
    assert.equal(desk.held.length, 3);
  });

  it('forgets a waiting call that is cancelled, and takes no cancelled one', async () => {
    desk.max = 1;
    const first = await desk.enter('first');
    const second = await desk.enter('second');
    await desk.enter('third');
    second.cancel();
    await settle(0);
    assert.ok(second.gaveUp);
    await desk.leave(first);
    assert.deepEqual(desk.held, ['third']);
    first.cancel();
    const late = new AbortController();
    late.abort();
    await assert.rejects(
      desk.limiter.enter({ organizationId: 'a', urgent: false, again: false, signal: late.signal, onPhase: () => {} }),
      GaveUp,
    );
  });

  it('holds a paused organization, urgent or not, says until when, and lets others pass', async () => {
    const until = desk.pauses.extend('a', 2_000);
    const waiting = await desk.enter('urgent', { urgent: true });
    const other = await desk.enter('other', { organizationId: 'b' });
    assert.deepEqual(waiting.phases, [{ kind: 'paused', until }]);
    assert.deepEqual(other.phases, [{ kind: 'sending' }]);
    const longer = desk.pauses.extend('a', 5_000);
    desk.limiter.paused('a');
    assert.deepEqual(waiting.phases, [
      { kind: 'paused', until },
      { kind: 'paused', until: longer },
    ]);
    desk.clock = longer;
    desk.limiter.update();
    await settle(0);
    assert.deepEqual(desk.held, ['other', 'urgent']);
  });

  it('wakes up by itself when a pause ends', async () => {
    const pauses = new Pauses(Date.now, () => 0);
    const limiter = new Limiter(() => 1, pauses, Date.now);
    pauses.extend('a', 1_000);
    const phases: Phase['kind'][] = [];
    const turn = {
      organizationId: 'a',
      urgent: false,
      again: false,
      signal: new AbortController().signal,
      onPhase: (phase: Phase) => void phases.push(phase.kind),
    };
    const second: Phase['kind'][] = [];
    const first = limiter.enter(turn);
    void limiter.enter({ ...turn, onPhase: (phase) => void second.push(phase.kind) });
    await first;
    await settle(0);
    assert.deepEqual(phases, ['paused', 'sending']);
    assert.deepEqual(second, ['paused', 'waiting']);
    limiter.close();
  });

  it('never exceeds its bound, never lets an urgent call wait behind bulk work, and forgets nobody', async () => {
    const step = fc.oneof(
      fc.record({ enter: fc.boolean() }),
      fc.record({ leave: fc.nat(9) }),
      fc.record({ cancel: fc.nat(9) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 40 }), async (max, steps) => {
        const some = new Desk();
        some.max = max;
        const calls: (Entered & { urgent: boolean })[] = [];
        const holding = (): typeof calls => calls.filter((call) => some.held.includes(call.name));
        for (const [at, one] of steps.entries()) {
          const waiting = calls.filter((call) => !call.place && !call.gaveUp);
          if ('enter' in one) {
            const entered = await some.enter(`${at}`, { urgent: one.enter });
            calls.push(Object.assign(entered, { urgent: one.enter }));
          } else if ('leave' in one && holding().length > 0) {
            await some.leave(holding()[one.leave % holding().length]!);
          } else if ('cancel' in one && waiting.length > 0) {
            waiting[one.cancel % waiting.length]!.cancel();
            await settle(0);
          }
          // A preempted call gives its place back.
          for (const call of holding().filter(({ preempted }) => preempted)) {
            await some.leave(call);
          }
          assert.ok(some.held.length <= max);
          const urgentWait = calls.some((call) => call.urgent && !call.place && !call.gaveUp);
          assert.ok(!urgentWait || some.held.length === max);
          assert.ok(!urgentWait || holding().some((call) => call.urgent));
        }
        while (holding().length > 0) {
          await some.leave(holding()[0]!);
        }
        assert.ok(calls.every((call) => call.place || call.gaveUp));
        some.limiter.close();
      }),
      { numRuns: 60 },
    );
  });
});

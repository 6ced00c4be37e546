import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { Pauses, type Phase, Queue, type Release } from '../../../src/api/queue.js';
import { settle } from './harness.js';

interface Entered {
  readonly name: string;
  readonly urgent: boolean;
  readonly phases: Phase[];
  place: Release | undefined;
  gaveUp: boolean;
  cancel(): void;
}

const turn = { organizationId: 'a', urgent: false };

/** A queue, and the names of those that hold a place, in the order in which they got it. */
class Desk {
  clock = 1_000_000;
  readonly pauses = new Pauses(
    () => this.clock,
    () => this.clock,
    () => 0,
  );
  readonly queue = new Queue(() => this.max, this.pauses);
  readonly held: string[] = [];

  constructor(public max = 2) {}

  async enter(name: string, more: Partial<typeof turn> = {}): Promise<Entered> {
    const controller = new AbortController();
    const phases: Phase[] = [];
    const { urgent } = { ...turn, ...more };
    const entered: Entered = {
      name,
      urgent,
      phases,
      place: undefined,
      gaveUp: false,
      cancel: () => controller.abort(),
    };
    const onPhase = (phase: Phase) => void phases.push(phase);
    void this.wait(entered, this.queue.enter({ ...turn, ...more, signal: controller.signal, onPhase }));
    await settle(0);
    return entered;
  }

  private async wait(entered: Entered, place: Promise<Release | undefined>): Promise<void> {
    entered.place = await place;
    if (entered.place) this.held.push(entered.name);
    else entered.gaveUp = true;
  }

  async leave(entered: Entered): Promise<void> {
    assert.ok(entered.place, `${entered.name} has no place`);
    this.held.splice(this.held.indexOf(entered.name), 1);
    entered.place();
    // A second time changes nothing.
    entered.place();
    await settle(0);
  }
}

describe('the queue', () => {
  let desk: Desk;
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(() => desk.queue.close());

  for (const [max, bulk] of [
    [1, 1],
    [2, 1],
    [64, 56],
  ] as const) {
    it(`gives bulk work ${bulk} of ${max} places, and keeps the others for what a person asked for`, async () => {
      desk = new Desk(max);
      for (let at = 0; at < 70; at++) await desk.enter(`bulk ${at}`);
      assert.equal(desk.held.length, bulk);
    });
  }

  it('lets an urgent call in at once, and ahead of the bulk work that waits', async () => {
    const first = await desk.enter('bulk 1');
    const second = await desk.enter('bulk 2');
    await desk.enter('urgent 1', { urgent: true });
    const urgent = await desk.enter('urgent 2', { urgent: true });
    assert.deepEqual(desk.held, ['bulk 1', 'urgent 1']);
    await desk.leave(first);
    assert.deepEqual(desk.held, ['urgent 1', 'urgent 2']);
    assert.deepEqual(second.phases, [{ kind: 'waiting' }]);
    assert.deepEqual(urgent.phases, [{ kind: 'waiting' }, { kind: 'connecting' }]);
  });

  it('interrupts nobody where fewer are allowed than before: a person is next', async () => {
    desk = new Desk(4);
    const running = [await desk.enter('1'), await desk.enter('2'), await desk.enter('3')];
    await desk.enter('later');
    desk.max = 1;
    await desk.enter('urgent', { urgent: true });
    const names = ['1', '2', '3'];
    for (const one of running) {
      assert.deepEqual(desk.held, names);
      await desk.leave(one);
      names.shift();
    }
    assert.deepEqual(desk.held, ['urgent']);
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
    assert.equal(await desk.queue.enter({ ...turn, signal: AbortSignal.abort(), onPhase: () => {} }), undefined);
  });

  it('holds a paused organization, urgent or not, says until when, and lets others pass', async () => {
    const until = desk.pauses.extend('a', 2_000);
    const waiting = await desk.enter('urgent', { urgent: true });
    const other = await desk.enter('other', { organizationId: 'b' });
    assert.deepEqual(other.phases, [{ kind: 'connecting' }]);
    const longer = desk.pauses.extend('a', 5_000);
    desk.queue.pausesChanged();
    assert.deepEqual(waiting.phases, [
      { kind: 'paused', until },
      { kind: 'paused', until: longer },
    ]);
    desk.clock = longer;
    desk.queue.update();
    await settle(0);
    assert.deepEqual(desk.held, ['other', 'urgent']);
  });

  it('wakes up by itself when a pause ends', async () => {
    const pauses = new Pauses(
      Date.now,
      () => performance.now(),
      () => 0,
    );
    const queue = new Queue(() => 1, pauses);
    pauses.extend('a', 1_000);
    const phases: Phase['kind'][][] = [[], []];
    const [first] = phases.map((list) => {
      const { signal } = new AbortController();
      return queue.enter({ ...turn, signal, onPhase: ({ kind }) => void list.push(kind) });
    });
    await first;
    await settle(0);
    assert.deepEqual(phases, [
      ['paused', 'connecting'],
      ['paused', 'waiting'],
    ]);
    queue.close();
  });

  it('leaves nobody behind when a pause ends while it is looked at', async () => {
    const clock = { elapsed: 0 };
    const pauses = new Pauses(
      () => 0,
      () => (clock.elapsed += 1),
      () => 0,
    );
    const queue = new Queue(() => 1, pauses);
    pauses.extend('a', 1_000);
    for (clock.elapsed = 990; clock.elapsed < 1_001; ) {
      const { signal } = new AbortController();
      const place = await queue.enter({ ...turn, signal, onPhase: () => undefined });
      place?.();
    }
    queue.close();
  });

  it('never exceeds its bounds, lets nobody wait without need or behind bulk work, and forgets nobody', async () => {
    const step = fc.oneof(
      fc.record({ enter: fc.boolean() }),
      fc.record({ leave: fc.nat(9) }),
      fc.record({ cancel: fc.nat(9) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 7 }), fc.array(step, { maxLength: 40 }), async (max, steps) => {
        const some = new Desk(max);
        const calls: Entered[] = [];
        const holding = () => calls.filter(({ name }) => some.held.includes(name));
        const waiting = () => calls.filter((call) => !call.place && !call.gaveUp);
        for (const [at, one] of steps.entries()) {
          if ('enter' in one) calls.push(await some.enter(`${at}`, { urgent: one.enter }));
          else if ('leave' in one && holding().length > 0) await some.leave(holding()[one.leave % holding().length]!);
          else if ('cancel' in one && waiting().length > 0) waiting()[one.cancel % waiting().length]!.cancel();
          await settle(0);
          assert.ok(some.held.length <= max);
          assert.ok(!waiting().some(({ urgent }) => urgent) || some.held.length === max);
        }
        while (holding().length > 0) await some.leave(holding()[0]!);
        assert.deepEqual(waiting(), []);
        some.queue.close();
      }),
      { numRuns: 60 },
    );
  });
});

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { Pauses, type Phase, Queue, type Release } from '../../../src/api/queue.js';
import { settle } from './harness.js';

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
  clock = 1_000_000;
  readonly pauses = new Pauses(
    () => this.clock,
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
    // A second time changes nothing.
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

  it('lets an urgent call in at once, and ahead of the bulk work that waits', async () => {
    const desk = new Desk();
    const first = await desk.enter('bulk 1');
    const second = await desk.enter('bulk 2');
    await desk.enter('urgent 1', { urgent: true });
    const urgent = await desk.enter('urgent 2', { urgent: true });
    assert.deepEqual(desk.names, ['bulk 1', 'urgent 1']);
    await desk.leave(first);
    assert.deepEqual(desk.names, ['urgent 1', 'urgent 2']);
    assert.deepEqual(second.phases, [{ kind: 'waiting' }]);
    assert.deepEqual(urgent.phases, [{ kind: 'waiting' }, { kind: 'connecting' }]);
  });

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

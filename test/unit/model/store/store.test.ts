import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ApiError, type Failure } from '../../../../src/api/failure.js';
import type { ListedDeployment } from '../../../../src/model/deployment.js';
import { type SeenRecord, SeenSince } from '../../../../src/model/problems/seenSince.js';
import { type NewProblems, Store, type StoreChange } from '../../../../src/model/store/store.js';
import { ManualClock, turn } from '../manualClock.js';
import { bad, failed, good, ManualService } from './manualService.js';

const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const notFound: Failure = { kind: 'notFound', status: 404 };
const unreachable: Failure = {
  kind: 'unreachable',
  cause: { step: 'dns', code: 'ENOTFOUND', host: 'host.example' },
};

function create(ids: string | readonly ListedDeployment[] = 'abc', window = 128, initial: SeenRecord = {}) {
  const clock = new ManualClock();
  const service = new ManualService(clock);
  const saved: SeenRecord[] = [];
  const seen = new SeenSince({ initial, save: (record) => saved.push(record) });
  const store = new Store({ now: clock.now, setTimer: clock.setTimer, seen, window });
  const events: { at: number; change: StoreChange }[] = [];
  const found: NewProblems[] = [];
  store.onDidChange((change) => events.push({ at: clock.now(), change }));
  store.onDidFindNewProblems((problems) => found.push(problems));
  store.setListed(typeof ids === 'string' ? Array.from(ids, (id) => ({ id })) : ids);
  store.setOrganization({ id: 'org', read: service.read });
  const start = clock.now();
  clock.pass(1000);
  events.length = 0;
  return {
    clock,
    service,
    store,
    events,
    found,
    saved,
    start,
    order: () => store.deployments.map(({ id }) => id).join(''),
    states: () => store.deployments.map(({ id, state, activity }) => `${id} ${state} ${activity}`),
    newNames: () => found.map((problems) => problems.map(({ deployment }) => deployment.id).join('')),
    /** Reads one to its end. */
    refresh: async (id: string, outcome: typeof good | Failure) => {
      const done = store.refresh(id);
      if ('kind' in outcome) service.of(id).fail(outcome);
      else service.of(id).answer(outcome);
      await done;
    },
  };
}

describe('deployment store: reading', () => {
  it('knows nothing without an organization', async () => {
    const { store, service } = create();
    store.setOrganization(undefined);
    assert.deepEqual(store.deployments, []);
    assert.equal(store.counts.total, 0);
    assert.equal(store.get('a'), undefined);
    await store.refreshAll();
    assert.equal(await store.refresh('a'), undefined);
    assert.deepEqual(service.ids, []);
  });

  it('shows each step of a read', async () => {
    const { store, service } = create('a');
    assert.equal(store.get('a')?.state, 'notYetRead');
    const done = store.refresh('a');
    assert.equal(store.get('a')?.activity, 'waiting');
    service.of('a').call.onPhase?.({ kind: 'sending' });
    assert.equal(store.get('a')?.activity, 'reading');
    service.of('a').answer(bad);
    assert.deepEqual(await done, store.get('a'));
    assert.deepEqual([store.get('a')?.state, store.get('a')?.activity], ['notSatisfied', 'idle']);
    assert.equal(service.of('a').call.urgent, true);
  });

  it('keeps the last good data when a read fails, and drops the failure when one succeeds', async () => {
    const { store, refresh } = create('a');
    await refresh('a', notFound);
    assert.equal(store.get('a')?.state, 'unknown');
    await refresh('a', bad);
    assert.equal(store.get('a')?.failure, undefined);
    const { answer } = store.get('a') ?? {};
    await refresh('a', notFound);
    assert.equal(store.get('a')?.answer, answer);
    assert.deepEqual(store.get('a')?.failure?.failure, notFound);
    assert.equal(store.get('a')?.state, 'notSatisfied');
    assert.deepEqual(store.counts, { total: 1, failing: 1, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 });
  });

  it('takes an error that is not of the client for the end of the read all the same', async () => {
    const { store } = create('a');
    store.setOrganization({ id: 'org', read: () => Promise.reject(new TypeError('a mistake of ours')) });
    const after = await store.refresh('a');
    assert.deepEqual(after?.failure?.failure, { kind: 'connectionLost', code: 'TypeError' });
  });

  it('shares one read among all who want it, and ends it when the last of them leaves', async () => {
    const { store, service } = create('a');
    const [one, other] = [new AbortController(), new AbortController()];
    const first = store.refresh('a', one.signal);
    const second = store.refresh('a', other.signal);
    assert.equal(service.asked.length, 1);
    one.abort();
    assert.equal((await first)?.activity, 'waiting');
    assert.equal(service.of('a').call.signal.aborted, false);
    other.abort();
    assert.equal(service.of('a').call.signal.aborted, true);
    assert.equal((await second)?.activity, 'idle');
    assert.equal(store.get('a')?.failure, undefined);
    service.of('a').answer(bad);
    await turn();
    assert.equal(store.get('a')?.state, 'notYetRead');
  });

  it('keeps what was when the client says cancelled', async () => {
    const { store, refresh } = create('a');
    await refresh('a', bad);
    const before = store.get('a');
    await refresh('a', { kind: 'cancelled' });
    assert.deepEqual(store.get('a'), before);
  });
});

describe('deployment store: all of them', () => {
  it('counts in each event what has arrived by then, also while the last one hangs', async () => {
    const { store, service, clock } = create('abc');
    const told: (number | undefined)[] = [];
    store.onDidChange(() => told.push(store.progress?.done));
    void store.refreshAll();
    for (const id of 'ab') {
      clock.pass(1000);
      service.of(id).answer(good);
      await turn();
    }
    clock.pass(1000);
    assert.equal(told.at(-1), 2);
  });

  it('reads a window at a time and counts', async () => {
    const { store, service } = create('abcde', 2);
    const done = store.refreshAll();
    assert.deepEqual(store.progress, { done: 0, total: 5 });
    assert.deepEqual(service.ids, ['a', 'b']);
    assert.equal(service.of('a').call.urgent, false);
    service.of('b').answer(good);
    await turn();
    assert.deepEqual(service.ids, ['a', 'b', 'c']);
    assert.deepEqual(store.progress, { done: 1, total: 5 });
    for (const id of 'acde') {
      service.of(id).fail(notFound);
      await turn();
    }
    await done;
    assert.equal(store.progress, undefined);
    assert.deepEqual(store.counts, { total: 5, failing: 0, unknown: 4, notYetRead: 0, muted: 0, healthy: 1 });
  });

  it('reads only those asked for, adds to one under way, and knows what is not listed', async () => {
    const { store, service } = create('abc');
    await store.refreshAll([]);
    await store.refreshAll(['nobody']);
    const first = store.refreshAll(['a']);
    const second = store.refreshAll(['a', 'b']);
    assert.equal(first, second);
    assert.deepEqual(service.ids, ['a', 'b']);
    for (const id of 'ab') service.of(id).answer(good);
    await second;
  });

  it('cancel leaves the rest as it was and drops what still comes', async () => {
    const { store, service, states } = create('abc', 2);
    const done = store.refreshAll();
    service.of('a').answer(bad);
    await turn();
    store.cancelRefresh();
    await done;
    service.of('b').answer(bad);
    await turn();
    assert.deepEqual(states(), ['a notSatisfied idle', 'b notYetRead idle', 'c notYetRead idle']);
    assert.ok(service.asked.every(({ id, call }) => id === 'a' || call.signal.aborted));
    assert.equal(store.progress, undefined);
  });

  it('lets a person go ahead: the waiting read is replaced, and nothing is asked twice at a time', async () => {
    const { store, service } = create('abc', 2);
    const all = store.refreshAll();
    const waiting = service.of('a');
    const one = store.refresh('a');
    assert.equal(waiting.call.signal.aborted, true);
    assert.equal(service.of('a').call.urgent, true);
    const ahead = store.refresh('c');
    service.of('c').answer(good);
    await ahead;
    waiting.answer(failed('old'));
    await turn();
    service.of('a').answer(bad);
    assert.equal((await one)?.state, 'notSatisfied');
    service.of('b').answer(good);
    await all;
    assert.deepEqual(service.ids, ['a', 'b', 'a', 'c']);
  });

  it('a person who leaves does not take the read from the rest', async () => {
    const { store, service } = create('a');
    const all = store.refreshAll();
    const person = new AbortController();
    const one = store.refresh('a', person.signal);
    person.abort();
    await one;
    store.cancelRefresh();
    await all;
    assert.ok(service.asked.every(({ call }) => call.signal.aborted));
    const again = store.refreshAll();
    const urgent = store.refresh('a');
    store.cancelRefresh();
    await again;
    service.of('a').answer(good);
    assert.equal((await urgent)?.state, 'satisfied');
  });

  it('ends an automatic round with its signal, unless a person asked for the same refresh', async () => {
    for (const asked of [false, true]) {
      const { store, service } = create('abc', 1);
      const round = new AbortController();
      const automatic = store.refreshAll(undefined, round.signal);
      const byPerson = asked ? store.refreshAll() : undefined;
      round.abort();
      await turn();
      assert.equal(service.of('a').call.signal.aborted, !asked);
      assert.equal(store.progress === undefined, !asked);
      if (asked) {
        for (const id of 'abc') {
          service.of(id).answer(good);
          await turn();
        }
      }
      await Promise.all([automatic, byPerson]);
      await store.refreshAll(undefined, round.signal);
      assert.equal(service.ids.length, asked ? 3 : 1);
    }
  });

  it('settles the order when it ends, worst first and then by name', async () => {
    const { store, service, order } = create([
      { id: '1', label: 'zebra' },
      { id: '2', label: 'Ape' },
      { id: '3', label: 'émeu' },
      { id: '4', label: 'fox' },
      { id: '5', label: 'bear' },
      { id: '6', label: ' ' },
      { id: '6', label: 'again' },
    ]);
    assert.equal(order(), '625341');
    const done = store.refreshAll();
    service.of('1').answer(failed('x'));
    service.of('2').answer(good);
    service.of('3').fail(notFound);
    service.of('4').answer(bad);
    service.of('5').answer(bad);
    await turn();
    assert.equal(order(), '625341');
    store.cancelRefresh();
    await done;
    assert.equal(order(), '154362');
  });

  it('takes a new list while it runs', async () => {
    const { store, service, order } = create('abc', 1);
    const done = store.refreshAll();
    store.setListed([{ id: 'd' }, { id: 'b' }, { id: 'c', label: 'Sea' }, { id: 'A' }]);
    assert.equal(order(), 'bcAd');
    assert.equal(service.of('a').call.signal.aborted, true);
    for (const id of 'bc') {
      service.of(id).answer(good);
      await turn();
    }
    await done;
    assert.equal(store.get('c')?.name, 'Sea');
    assert.equal(store.get('a'), undefined);
    assert.deepEqual(service.ids, ['a', 'b', 'c']);
  });

  it('keeps data of ids that stay and of a label that changes', async () => {
    const { store, refresh, events, clock } = create('ab');
    await refresh('a', bad);
    clock.pass(1000);
    const { answer } = store.get('a') ?? {};
    store.setListed([{ id: 'a', label: 'Name' }]);
    assert.deepEqual(store.get('a')?.answer, answer);
    assert.equal(store.get('a')?.name, 'Name');
    const { length } = events;
    store.setListed([{ id: 'a', label: 'Name' }]);
    clock.pass(1000);
    assert.equal(events.length, length);
  });
});

describe('deployment store: organizations', () => {
  it('forgets everything at once, ends every read and drops late answers', async () => {
    const { store, service, events, refresh } = create('ab');
    await refresh('a', bad);
    const all = store.refreshAll();
    const one = store.refresh('b');
    events.length = 0;
    const other = new ManualService(new ManualClock());
    store.setOrganization({ id: 'other', read: other.read });
    assert.deepEqual(events.at(-1)?.change, 'all');
    assert.equal(store.progress, undefined);
    await Promise.all([all, one]);
    for (const asked of service.asked) asked.answer(failed('late'));
    await turn();
    assert.ok(store.deployments.every(({ state, activity }) => state === 'notYetRead' && activity === 'idle'));
    assert.ok(service.asked.slice(1).every(({ call }) => call.signal.aborted));
    assert.deepEqual(other.ids, []);
  });

  it('keeps the data when only the token is another, and asks with that', async () => {
    const { store, service, refresh, clock } = create('a');
    await refresh('a', bad);
    await refresh('a', rejected);
    assert.equal(store.cause?.kind, 'failure');
    const renewed = new ManualService(clock);
    store.setOrganization({ id: 'org', read: renewed.read });
    assert.equal(store.cause, undefined);
    assert.equal(store.get('a')?.state, 'notSatisfied');
    void store.refresh('a');
    assert.deepEqual([service.asked.length, renewed.asked.length], [2, 1]);
  });
});

describe('deployment store: causes', () => {
  it('a rejected token is one, until an answer comes', async () => {
    const { store, refresh } = create('ab');
    await refresh('a', rejected);
    assert.deepEqual(store.cause?.kind === 'failure' && store.cause.failure, rejected);
    await refresh('b', notFound);
    assert.equal(store.cause?.kind, 'failure');
    await refresh('b', good);
    assert.equal(store.cause, undefined);
  });

  it('a rejected token ends a refresh of all after the third in a row', async () => {
    const { store, service, states } = create('abcdefgh', 4);
    const done = store.refreshAll();
    for (const id of 'abc') service.of(id).fail(rejected);
    await done;
    assert.deepEqual(service.ids, ['a', 'b', 'c', 'd', 'e', 'f']);
    assert.equal(store.cause?.kind, 'failure');
    assert.equal(states().filter((state) => state.endsWith('notYetRead idle')).length, 5);
  });

  it('one rejection among answers concerns one deployment', async () => {
    const { store, service } = create('abcde');
    const done = store.refreshAll();
    for (const id of 'acde') service.of(id).answer(good);
    await turn();
    service.of('b').fail(rejected);
    await done;
    assert.equal(store.cause, undefined);
    assert.equal(store.get('b')?.state, 'unknown');
  });

  it('unreachable is one while nothing else comes', async () => {
    const { store, refresh } = create('ab');
    await refresh('a', unreachable);
    assert.equal(store.cause?.kind, 'failure');
    await refresh('b', { kind: 'timedOut', after: 1 });
    assert.equal(store.cause?.kind, 'failure');
    await refresh('b', notFound);
    assert.equal(store.cause, undefined);
  });

  it('a pause is one until it is over, and its end is told', async () => {
    const { store, service, clock, events, refresh } = create('ab');
    store.pause('another', clock.now() + 5000);
    assert.equal(store.cause, undefined);
    void store.refresh('a');
    service.of('a').call.onPhase?.({ kind: 'paused', until: clock.now() + 5000 });
    assert.deepEqual(store.cause, { kind: 'paused', until: clock.now() + 5000 });
    assert.equal(store.get('a')?.activity, 'waiting');
    store.pause('org', clock.now() + 9000);
    await refresh('b', { kind: 'rateLimited', status: 429, until: clock.now() + 9000 });
    assert.deepEqual(store.cause, { kind: 'paused', until: clock.now() + 9000 });
    assert.equal(store.cause, store.cause, 'one object, so that nobody takes it for another pause');
    clock.pass(8000);
    events.length = 0;
    clock.pass(1000);
    await turn();
    assert.equal(store.cause, undefined);
    assert.equal(events.length, 1);
  });
});

describe('deployment store: the row of a pause', () => {
  it('goes when its time is over, also when the clock was set back', () => {
    const { store, clock } = create('a');
    store.pause('org', clock.now() + 60_000);
    clock.setBack(3_600_000);
    store.pause('org', clock.now() + 90_000);
    assert.deepEqual(store.cause, { kind: 'paused', until: clock.now() + 90_000 });
    clock.pass(90_000);
    assert.equal(store.cause, undefined);
  });

  it('goes with the first request that leaves the queue, not with the last ones from before', async () => {
    const { store, service, clock, events } = create('ab');
    const before = store.refresh('a');
    store.pause('org', clock.now() + 60_000);
    service.of('a').answer(good);
    await before;
    assert.equal(store.cause?.kind, 'paused');
    clock.pass(1000);
    events.length = 0;
    void store.refresh('b');
    service.of('b').call.onPhase?.({ kind: 'connecting' });
    assert.equal(store.cause, undefined);
    await turn();
    assert.ok(events.length > 0);
    assert.equal(store.get('b')?.activity, 'reading');
  });
});

describe('deployment store: events', () => {
  it('come at most every 250 ms, the first at once and the last with the last answer', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => ({ id: `dep_${index}` }));
    const { store, service, clock, events } = create(ids, 8);
    const began = clock.now();
    const done = store.refreshAll();
    await turn();
    for (let answered = 0; answered < ids.length; answered++) {
      clock.pass(9);
      service.asked[answered]?.answer(answered === 0 ? good : bad);
      await turn();
    }
    await done;
    assert.deepEqual(
      events.map(({ at }) => at - began),
      [0, 250, 500, 900],
    );
    assert.equal(events.at(-1)?.change, 'all');
    clock.pass(1000);
    assert.equal(events.length, 4);
  });

  it('name exactly what changed', async () => {
    const { store, service, clock, events } = create('abc');
    void store.refresh('b');
    service.of('b').answer(good);
    await turn();
    clock.pass(250);
    assert.deepEqual(events[0]?.change, new Set(['b']));
  });

  it('survive a listener that throws and a clock that is set back', async () => {
    const { store, service, clock, events } = create('ab');
    const thrown: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => thrown.push(error));
    const listening = store.onDidChange(() => {
      throw new Error('a mistake of a view');
    });
    const done = store.refresh('a');
    await turn();
    for (const listener of listeners) process.on('uncaughtException', listener);
    listening.dispose();
    service.of('a').answer(bad);
    assert.equal((await done)?.state, 'notSatisfied');
    assert.equal(thrown.length, 1);
    clock.pass(1000);
    clock.setBack(3_600_000);
    const { length } = events;
    void store.refresh('b');
    await turn();
    assert.ok(events.length > length);
  });

  it('dispose ends everything', async () => {
    const { store, service, clock, events } = create('ab');
    void store.refreshAll();
    const { length } = events;
    store.dispose();
    for (const asked of service.asked) asked.answer(good);
    await turn();
    clock.pass(5000);
    assert.equal(events.length, length);
    assert.equal(clock.waiting, 0);
    assert.ok(service.asked.every(({ call }) => call.signal.aborted));
  });
});

describe('deployment store: new problems', () => {
  it('are those that the previous good answer did not have', async () => {
    const { newNames, refresh } = create('a');
    await refresh('a', good);
    await refresh('a', bad);
    await refresh('a', bad);
    await refresh('a', notFound);
    await refresh('a', bad);
    await refresh('a', good);
    await refresh('a', bad);
    assert.deepEqual(newNames(), ['a', 'a']);
  });

  it('are told once for a refresh of all, at its end', async () => {
    const { store, service, newNames } = create('abc');
    const done = store.refreshAll();
    service.of('a').answer(bad);
    service.of('c').answer(failed('x'));
    await turn();
    assert.deepEqual(newNames(), []);
    service.of('b').fail(notFound);
    await done;
    assert.deepEqual(newNames(), ['ac']);
  });

  it('are not those that this workspace remembers', async () => {
    const before = create('a');
    await before.refresh('a', bad);
    const { saved, start } = before;
    const { newNames, refresh, store } = create('a', 1, saved.at(-1));
    await refresh('a', bad);
    assert.deepEqual(newNames(), []);
    assert.equal(store.get('a')?.answer?.findings.problems[0]?.seenSince, start + 1000);
    await refresh('a', failed('x'));
    assert.deepEqual(newNames(), ['a']);
  });

  it('are not told of an organization that is gone', async () => {
    const { store, service, newNames } = create('ab');
    void store.refreshAll();
    service.of('a').answer(bad);
    await turn();
    store.setOrganization(undefined);
    assert.deepEqual(newNames(), []);
  });
});

describe('deployment store: anything in any order', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd');
  const outcome = fc.constantFrom(good, bad, failed('x'), rejected, unreachable, notFound);
  const action = fc.oneof(
    fc.record({ do: fc.constant('all' as const) }),
    fc.record({ do: fc.constant('one' as const), id }),
    fc.record({ do: fc.constant('cancel' as const) }),
    fc.record({ do: fc.constant('list' as const), ids: fc.uniqueArray(id) }),
    fc.record({ do: fc.constant('organization' as const), id: fc.constantFrom('x', 'y', undefined) }),
    fc.record({ do: fc.constant('reply' as const), which: fc.nat(9), outcome }),
    fc.record({ do: fc.constant('pass' as const), time: fc.nat(300) }),
  );

  it('never asks the same twice at a time, never sticks, and says only what was answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
        const { store, clock, events } = create('abcd', 2);
        store.setOrganization(undefined);
        const open: { org: string; id: string; settle: (value: typeof good | Failure) => void; signal: AbortSignal }[] =
          [];
        const promises: Promise<unknown>[] = [];
        const read =
          (org: string) =>
          (deploymentId: string, { signal }: { signal: AbortSignal }) =>
            new Promise<{ value: typeof good; decodeIssues: []; receivedAt: number }>((resolve, reject) => {
              const settle = (value: typeof good | Failure): void => {
                if ('kind' in value) reject(new ApiError(value));
                else resolve({ value, decodeIssues: [], receivedAt: clock.now() });
              };
              open.push({ org, id: deploymentId, settle, signal });
            });
        const wanted = () => open.filter(({ signal }) => !signal.aborted).map(({ id: deploymentId }) => deploymentId);
        for (const step of actions) {
          if (step.do === 'all') promises.push(store.refreshAll());
          if (step.do === 'one') promises.push(store.refresh(step.id));
          if (step.do === 'cancel') store.cancelRefresh();
          if (step.do === 'list') store.setListed(step.ids.map((listed) => ({ id: listed })));
          if (step.do === 'organization') {
            store.setOrganization(step.id === undefined ? undefined : { id: step.id, read: read(step.id) });
          }
          if (step.do === 'reply') open.splice(step.which, 1)[0]?.settle(step.outcome);
          if (step.do === 'pass') clock.pass(step.time);
          await turn();
          assert.equal(new Set(wanted()).size, wanted().length);
          const busy = store.deployments.filter(({ activity }) => activity !== 'idle');
          assert.ok(busy.every((deployment) => wanted().includes(deployment.id)));
          assert.equal(store.counts.total, store.deployments.length);
        }
        while (open.length > 0) {
          open.pop()?.settle(good);
          await turn();
        }
        await Promise.all(promises);
        assert.equal(store.progress, undefined);
        const paced = events.filter(({ change }) => change !== 'all');
        for (const [index, { at }] of paced.entries()) {
          const next = paced[index + 1];
          assert.ok(next === undefined || next.at - at >= 250);
        }
      }),
      { numRuns: 150 },
    );
  });
});

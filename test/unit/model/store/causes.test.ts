import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Failure } from '../../../../src/api/failure.js';
import { turn } from '../../../support/manualClock.js';
import { bad, createWorld, good, list, type Outcome } from './world.js';

const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const notFound: Failure = { kind: 'notFound', status: 404 };
const slow: Failure = { kind: 'timedOut', after: 30_000 };
const cut: Failure = { kind: 'connectionLost', code: 'ECONNRESET' };
const broken: Failure = { kind: 'serverError', status: 500 };
const notHttp: Failure = { kind: 'invalidHttp', code: 'HPE_INVALID' };
const page: Failure = { kind: 'unusable', reason: 'notJson', status: 200 };
const filtered: Failure = { kind: 'notFromPlatform', status: 403 };
const notFoundPage: Failure = { kind: 'notFound', status: 404, doubt: 'webPage' };
const proxy: Failure = { kind: 'clientError', status: 407 };
const unreachable = (step: 'dns' | 'tls' | 'network', code: string): Failure => {
  return { kind: 'unreachable', cause: { step, code, host: 'host.example' } };
};
const dns = unreachable('dns', 'ENOTFOUND');

const letters = 'abcdefghijklmnopqrstuvwxyzABCD';

function create(ids = letters, maxRequests = 8) {
  const world = createWorld(ids, { maxRequests });
  const { clock, platform, store } = world;
  return {
    ...world,
    /** Ends whatever is open, what was sent first at first, until nothing is. */
    end: async (outcomeOf: (id: string) => Outcome) => {
      for (let [next] = platform.open; next; [next] = platform.open) {
        clock.pass(1);
        next.end(outcomeOf(next.id));
        await turn();
      }
    },
    said: () =>
      store.cause?.kind === 'failure'
        ? store.cause.isOffline
          ? 'offline'
          : store.cause.failure.kind
        : undefined,
    states: () => store.deployments.map(({ id, state }) => `${id} ${state}`).join(', '),
  };
}

/** All are read, the first two are not satisfied. */
async function known(...given: Parameters<typeof create>) {
  const world = create(...given);
  const done = world.store.refresh();
  await world.end((id) => ('ab'.includes(id) ? bad : good));
  await done;
  world.platform.asked.length = 0;
  return world;
}

describe('the cause that all deployments share', () => {
  const cases: readonly [
    what: string,
    ids: string,
    outcome: (id: string) => Outcome,
    said: string | undefined,
  ][] = [
    ['all of one are unreachable', 'a', () => dns, 'unreachable'],
    ['all time out', letters, () => slow, 'timedOut'],
    ['all are cut off', letters, () => cut, 'connectionLost'],
    [
      'all fail without an answer, in different ways',
      letters,
      (id) => (id < 'b' ? slow : dns),
      'offline',
    ],
    ['there is no resolver', letters, () => unreachable('dns', 'EAI_AGAIN'), 'offline'],
    ['there is no way', letters, () => unreachable('network', 'ENETUNREACH'), 'offline'],
    ['all have a server error', letters, () => broken, 'serverError'],
    ['all get a page for JSON', letters, () => page, 'unusable'],
    ['all get what is not HTTP', letters, () => notHttp, 'invalidHttp'],
    ['all get the page of a web filter', letters, () => filtered, 'notFromPlatform'],
    [
      'all get a page with 404, though the platform has answered before',
      letters,
      () => notFoundPage,
      'notFromPlatform',
    ],
    [
      'all but one get a page with 404',
      letters,
      (id) => (id === 'D' ? good : notFoundPage),
      undefined,
    ],
    ['all are refused by a proxy', letters, () => proxy, 'clientError'],
    [
      'one has its token rejected',
      letters,
      (id) => (id === 'k' ? rejected : good),
      'tokenRejected',
    ],
    ['three of thirty are slow', letters, (id) => ('jkl'.includes(id) ? slow : good), undefined],
    ['one of two is slow', 'ab', (id) => (id === 'a' ? slow : good), undefined],
    ['all but one have a server error', letters, (id) => (id === 'D' ? good : broken), undefined],
    ['all are not found', letters, () => notFound, undefined],
    [
      'all are refused for a reason of their own',
      letters,
      () => ({ kind: 'clientError', status: 400 }),
      undefined,
    ],
    [
      'one of two has a server error, the other is slow',
      'ab',
      (id) => (id === 'a' ? broken : slow),
      undefined,
    ],
  ];
  for (const [what, ids, outcome, said] of cases) {
    for (const first of [false, true]) {
      it(`is ${said ?? 'nothing'} where ${what}${first ? ', in the first reading' : ''}`, async () => {
        const world = first ? create(ids) : await known(ids);
        const before = world.states();
        const done = world.store.refresh();
        await world.end(outcome);
        await done;
        assert.equal(world.said(), said);
        // Those that were answered before a token was rejected have new data.
        if (said !== undefined && said !== 'tokenRejected') {
          const { cause } = world.store;
          assert.equal(world.states(), before);
          assert.equal(
            cause?.kind === 'failure' && cause.asOf === undefined,
            first,
            'no time where nothing was read',
          );
        } else if (said === undefined)
          assert.equal(
            world.store.counts.unknown,
            world.store.deployments.filter(({ failedRead: failure }) => failure).length,
          );
      });
    }
  }

  it('is no outage of three slow ones before the deployment that answered last was asked once more', async () => {
    const { store, platform, end, said, clock } = await known(letters, 1);
    const done = store.refresh(['a', 'b', 'c']);
    clock.pass(1);
    for (const id of 'abc') {
      platform.of(id).end(slow);
      await turn();
    }
    assert.deepEqual(
      [platform.ids, platform.of('z').call.urgent, said()],
      ['abcz', true, undefined],
    );
    await done;
    assert.equal(store.counts.unknown, 0, 'not before that is known');
    await end(() => good);
    assert.deepEqual([said(), store.counts.unknown, store.progress], [undefined, 3, undefined]);
  });

  it('ends the refresh, shows what was known, and counts and sorts nothing anew, also what was on its way as the connection went', async () => {
    const world = await known();
    const { store, platform, end, states, said, clock } = world;
    const before = states();
    const done = store.refresh();
    clock.pass(1);
    platform.of('a').end(bad);
    await turn();
    clock.pass(1);
    await end(() => slow);
    await done;
    assert.deepEqual([said(), states(), store.progress], ['timedOut', before, undefined]);
    // Seven on their way, three that counted with what was sent beside them, and the one that had answered.
    assert.ok(platform.asked.length < 30, platform.ids);
    const asOf = store.get('a')?.answer?.asOf;
    assert.equal(store.cause?.kind === 'failure' && store.cause.asOf, asOf);
  });

  it('leaves muted what was muted after it had failed and before the others did', async () => {
    const { store, platform, memory, end, clock } = await known('abc');
    void store.refresh();
    platform.of('a').end(slow);
    await turn();
    const deployment = store.get('a')!;
    const problems = deployment.answer!.findings.problems.map((problem) => ({
      deployment,
      problem,
    }));
    memory.mute(problems, clock.now() + 60_000);
    await end(() => slow);
    assert.equal(store.get('a')?.state, 'muted');
  });

  for (const [what, outcome, isOver, unknown] of [
    ['a usable answer', good, true, 0],
    ['a server error', broken, true, 1],
    ['that it is not found', notFound, true, 1],
    ['another failure without an answer', slow, false, 0],
  ] as const) {
    it(`is ${isOver ? '' : 'not '}over with ${what}, and the others show what they did until they are read`, async () => {
      const { store, end, states } = await known('abcd');
      void store.refresh();
      await end(() => dns);
      const { cause } = store;
      const probe = store.probe(['a', 'b'], new AbortController().signal);
      await end(() => outcome);
      await probe;
      assert.equal(
        store.cause,
        isOver ? undefined : cause,
        'one object, by which rows are told of it',
      );
      assert.equal(store.counts.unknown, unknown);
      assert.match(states(), /b notSatisfied/);
    });
  }

  for (const [how, shared] of [
    ['an outage', dns],
    ['a rejected token', rejected],
  ] as const) {
    for (const outcome of [
      broken,
      page,
      proxy,
      { kind: 'redirected', status: 302, target: 'sameHost' },
    ] as const) {
      it(`leaves ${outcome.kind} of the deployment that ended ${how} as its own failure`, async () => {
        const { store, end, read } = await known('abcd');
        void store.refresh();
        await end(() => shared);
        await read('d', outcome);
        assert.deepEqual(store.get('d')?.failedRead?.failure, outcome);
      });
    }
  }

  it('leaves a server error of the deployment that ended an outage for all to share', async () => {
    const { store, end, read, said, states } = await known('abcd');
    const before = states();
    void store.refresh();
    await end(() => dns);
    await read('d', broken);
    void store.refresh();
    await end(() => broken);
    assert.deepEqual([said(), states()], ['serverError', before]);
  });

  it("is no deployment's own failure where its request was sent before it was over: it is sent again", async () => {
    const { store, platform, clock, end, states } = await known('abcd');
    const before = states();
    void store.refresh();
    await end(() => slow);
    void store.refresh(['a'], { urgent: true });
    const [hanging] = platform.open;
    clock.pass(1);
    void store.probe(['b'], new AbortController().signal);
    platform.of('b').end(bad);
    await turn();
    clock.pass(1);
    platform.asked.length = 0;
    hanging!.end(slow);
    await turn();
    assert.deepEqual([platform.ids, store.cause, states()], ['a', undefined, before]);
    clock.pass(1);
    platform.of('a').end(slow);
    await turn();
    assert.deepEqual([platform.ids, store.get('a')?.state], ['a', 'unknown']);
  });

  it('goes on as a server error when a probe finds another, and ends with anything else', async () => {
    const { store, end, said } = await known('abcd');
    void store.refresh();
    await end(() => broken);
    for (const [outcome, expected] of [
      [broken, 'serverError'],
      [slow, 'serverError'],
      [good, undefined],
    ] as const) {
      void store.probe(['a'], new AbortController().signal);
      await end(() => outcome);
      assert.equal(said(), expected);
    }
  });

  it('is probed with the deployment that answered last, and with each other one in between', async () => {
    const { store, platform, end, read } = await known('abcd');
    await read('c', good);
    platform.asked.length = 0;
    void store.refresh();
    await end(() => dns);
    platform.asked.length = 0;
    for (let probe = 0; probe < 6; probe++) {
      void store.probe(['a', 'b', 'c'], new AbortController().signal);
      await end(() => slow);
    }
    assert.equal(platform.ids, 'cacbcc');
    assert.equal(store.progress, undefined);
  });

  it('is a rejected token once one is rejected, and then nothing more is sent, of probes neither', async () => {
    const { store, platform, said, clock } = await known(letters, 4);
    const probe = store.refresh(['k'], { outsideProgress: true });
    const done = store.refresh();
    clock.pass(1);
    platform.of('a').end(rejected);
    await Promise.all([done, probe]);
    assert.deepEqual(
      [platform.asked.length, said(), store.counts.unknown],
      [4, 'tokenRejected', 0],
    );
    assert.ok(platform.open.every(({ call }) => call.signal.aborted));
    platform.asked.length = 0;
    void store.refresh(['a'], { urgent: true });
    platform.of('a').end(slow);
    await turn();
    assert.equal(said(), 'tokenRejected', 'a probe would send a rejected token');
    void store.refresh(['a'], { urgent: true });
    platform.of('a').end(good);
    await turn();
    assert.equal(said(), undefined);
  });

  it('is a rejected token also while a 429 pauses the organization', async () => {
    const { store, read, pauses, said } = await known('abc');
    pauses['org'] = 1;
    assert.equal(store.cause?.kind, 'paused');
    await read('a', rejected);
    assert.equal(said(), 'tokenRejected');
  });

  it('is no 429: its pause has the first row, and each deployment shows what it did, and is not read yet where it was not', async () => {
    const limited: Failure = { kind: 'rateLimited', status: 429, until: 5_000 };
    const { store, end, states } = await known('abc');
    store.setListed(list('abcd'));
    const done = store.refresh();
    await end((id) => (id === 'c' ? good : limited));
    await done;
    assert.equal(states(), 'a notSatisfied, b notSatisfied, d notYetRead, c satisfied');
  });

  it('is only paused by a 429, which changes no deployment, and is an answer', async () => {
    const { store, end, read, pauses, states } = await known('abc');
    const before = states();
    void store.refresh();
    await end(() => dns);
    pauses['org'] = 2;
    await read('a', { kind: 'rateLimited', status: 429, until: 2 });
    assert.deepEqual([store.cause, states()], [{ kind: 'paused', until: 2 }, before]);
  });

  it('is told by no request that was sent before an answer arrived', async () => {
    const { store, platform, clock, said } = await known('abcd');
    const done = store.refresh();
    clock.pass(1);
    platform.of('d').end(good);
    await turn();
    for (const id of 'abc') platform.of(id).end(slow);
    await done;
    assert.deepEqual([said(), store.counts.unknown], [undefined, 3]);
  });

  it('is an outage also after the clock was set back by an hour', async () => {
    const { store, clock, end, said } = await known('abcd');
    clock.setBack(3_600_000);
    void store.refresh();
    await end(() => dns);
    assert.equal(said(), 'unreachable');
  });

  it('counts the listed deployments, and asks none that left the list', async () => {
    const { store, platform, clock, said } = await known('abcd');
    store.setListed(list('abc'));
    const done = store.refresh();
    clock.pass(1);
    for (const id of 'abc') platform.of(id).end(dns);
    await done;
    assert.deepEqual([platform.ids, said()], ['abc', 'unreachable']);
  });

  it('is never an outage where one in four requests is answered, whatever the others do and in whichever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(7), { minLength: 30, maxLength: 30 }), async (picks) => {
        const { store, platform, clock, said } = await known(letters, 8);
        const done = store.refresh();
        const answering = (id: string) => letters.indexOf(id) % 2 === 1;
        for (let nth = 0; platform.open.length > 0; nth++) {
          clock.pass(1);
          const { open } = platform;
          const next = open[(picks[nth % picks.length] ?? 0) % open.length]!;
          next.end(answering(next.id) ? good : slow);
          await turn();
          assert.equal(said(), undefined);
        }
        await done;
        assert.equal(store.counts.unknown, 15);
      }),
      { numRuns: 50 },
    );
  });
});

function shown({ store }: Pick<ReturnType<typeof create>, 'store'>, id: string) {
  return store.get(id)?.failedRead?.failure.kind;
}

describe('a web page in place of one answer', () => {
  const ownPage: Failure = { kind: 'notFromPlatform', status: 404, foreign: { title: 'Error' } };

  it('is that of the platform when another deployment is answered after it, in the same round', async () => {
    const world = create('abc');
    const done = world.store.refresh();
    await world.end((id) => {
      if (id === 'a') return ownPage;
      world.history.add('org');
      return good;
    });
    await done;
    assert.equal(shown(world, 'a'), 'notFound');
  });

  it('is that of the platform as soon as another deployment is answered in a later round', async () => {
    const world = create('ab');
    const done = world.store.refresh();
    await world.end((id) => (id === 'a' ? ownPage : notFound));
    await done;
    assert.equal(shown(world, 'a'), 'notFromPlatform');
    world.history.add('org');
    await world.read('b', good);
    assert.equal(shown(world, 'a'), 'notFound');
  });

  it('says of another request that its page is not the platform’s while all deployments get one', async () => {
    const world = await known('ab');
    void world.store.refresh();
    await world.end(() => notFoundPage);
    const { kind } = world.store.asSharedFailure('org', notFoundPage);
    assert.equal(kind, 'notFromPlatform');
  });

  it('says nothing of another request that has another status', async () => {
    const world = await known('ab');
    void world.store.refresh();
    await world.end(() => notFoundPage);
    const forbidden: Failure = { kind: 'notPermitted', status: 403, doubt: 'webPage' };
    assert.equal(world.store.asSharedFailure('org', forbidden), forbidden);
  });
});

describe('a request beside the refresh', () => {
  it('that gets a 401 ends all reads, and is the cause that all share', async () => {
    const { platform, said, states, store } = await known('ab');
    const done = store.refresh();
    store.tokenRejected('org', rejected);
    await done;
    assert.deepEqual(
      platform.asked.map(({ call }) => call.signal.aborted),
      [true, true],
    );
    assert.deepEqual([said(), store.rejectionOf('org')], ['tokenRejected', rejected]);
    assert.equal(states(), 'a notSatisfied, b notSatisfied');
  });

  it('that is answered ends a 401 of before', async () => {
    const { said, store } = await known('ab');
    store.tokenRejected('org', rejected);
    store.tokenAccepted('org');
    assert.deepEqual([said(), store.rejectionOf('org')], [undefined, undefined]);
  });

  it('that is answered ends no other cause', async () => {
    const world = await known('a');
    const done = world.store.refresh();
    await world.end(() => dns);
    await done;
    world.store.tokenAccepted('org');
    assert.equal(world.said(), 'unreachable');
    assert.equal(world.store.rejectionOf('org'), undefined);
  });

  it('of another organization says nothing of this one', async () => {
    const { said, store } = await known('ab');
    store.tokenRejected('other', rejected);
    assert.equal(said(), undefined);
    store.tokenRejected('org', rejected);
    store.tokenAccepted('other');
    assert.deepEqual([said(), store.rejectionOf('other')], ['tokenRejected', undefined]);
  });
});

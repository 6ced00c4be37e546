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

interface CreateOptions {
  /** One letter for each deployment. */
  readonly ids?: string;
  readonly maxRequests?: number;
}

/** Makes a world of up to thirty deployments with a limit of eight requests. */
function create({ ids = letters, maxRequests = 8 }: CreateOptions = {}) {
  const world = createWorld(ids, { maxRequests });
  const { clock, platform, store } = world;
  return {
    ...world,
    /** Answers all requests in the order of sending, also those that are sent meanwhile. */
    end: async (outcomeOf: (id: string) => Outcome) => {
      for (let [next] = platform.open; next; [next] = platform.open) {
        clock.pass(1);
        next.end(outcomeOf(next.id));
        await turn();
      }
    },
    /** The kind of the failure that all deployments share, or "offline"; `undefined` if they share none. */
    sharedKind: () => {
      const { cause } = store;
      if (cause?.kind !== 'failure') return undefined;
      return cause.isOffline ? 'offline' : cause.failure.kind;
    },
    /** "a notSatisfied, b satisfied" in the order of the rows. */
    states: () => store.deployments.map(({ id, state }) => `${id} ${state}`).join(', '),
  };
}

type World = ReturnType<typeof create>;

/** Makes a world in which all deployments were read; the first two are not satisfied. Requests are counted from then on. */
async function createRead(options?: CreateOptions) {
  const world = create(options);
  const done = world.store.refresh();
  await world.end((id) => ('ab'.includes(id) ? bad : good));
  await done;
  world.platform.asked.length = 0;
  return world;
}

/** Has a, b, c, and d fail in the same way; then the shared cause is known. */
async function failAll(failure: Failure) {
  const world = await createRead({ ids: 'abcd' });
  void world.store.refresh();
  await world.end(() => failure);
  return world;
}

/** Every other deployment answers in the test of half an outage. */
const isAnswered = (id: string) => letters.indexOf(id) % 2 === 1;

const ownFailureKind = ({ store }: World, id: string) => store.get(id)?.failedRead?.failure.kind;

const cases: readonly {
  readonly what: string;
  readonly ids?: string;
  readonly outcome: (id: string) => Outcome;
  /** The kind of the shared failure; `undefined`: none. */
  readonly kind: string | undefined;
}[] = [
  { what: 'the only one is unreachable', ids: 'a', outcome: () => dns, kind: 'unreachable' },
  { what: 'all time out', outcome: () => slow, kind: 'timedOut' },
  { what: 'all are cut off', outcome: () => cut, kind: 'connectionLost' },
  {
    what: 'one is slow and the rest unreachable',
    outcome: (id) => (id < 'b' ? slow : dns),
    kind: 'offline',
  },
  {
    what: 'no DNS server is reachable',
    outcome: () => unreachable('dns', 'EAI_AGAIN'),
    kind: 'offline',
  },
  {
    what: 'no network is reachable',
    outcome: () => unreachable('network', 'ENETUNREACH'),
    kind: 'offline',
  },
  { what: 'all have a server error', outcome: () => broken, kind: 'serverError' },
  { what: 'all get a web page for JSON', outcome: () => page, kind: 'unusable' },
  { what: 'all get no valid HTTP', outcome: () => notHttp, kind: 'invalidHttp' },
  {
    what: 'all get the page of a web filter',
    outcome: () => filtered,
    kind: 'notFromPlatform',
  },
  {
    what: 'all get a web page with 404',
    outcome: () => notFoundPage,
    kind: 'notFromPlatform',
  },
  {
    what: 'all but one get a web page with 404',
    outcome: (id) => (id === 'D' ? good : notFoundPage),
    kind: undefined,
  },
  { what: 'a proxy refuses all', outcome: () => proxy, kind: 'clientError' },
  {
    what: 'the token of one is rejected',
    outcome: (id) => (id === 'k' ? rejected : good),
    kind: 'tokenRejected',
  },
  {
    what: 'three of thirty are slow',
    outcome: (id) => ('jkl'.includes(id) ? slow : good),
    kind: undefined,
  },
  {
    what: 'one of two is slow',
    ids: 'ab',
    outcome: (id) => (id === 'a' ? slow : good),
    kind: undefined,
  },
  {
    what: 'all but one have a server error',
    outcome: (id) => (id === 'D' ? good : broken),
    kind: undefined,
  },
  { what: 'all are not found', outcome: () => notFound, kind: undefined },
  {
    what: 'all have another client error',
    outcome: () => ({ kind: 'clientError', status: 400 }),
    kind: undefined,
  },
  {
    what: 'one has a server error and one is slow',
    ids: 'ab',
    outcome: (id) => (id === 'a' ? broken : slow),
    kind: undefined,
  },
];

for (const isFirst of [true, false]) {
  describe(isFirst ? 'the first refresh' : 'a later refresh', () => {
    for (const { what, ids = letters, outcome, kind } of cases) {
      const refreshOnce = async () => {
        const world = isFirst ? create({ ids }) : await createRead({ ids });
        const statesBefore = world.states();
        const done = world.store.refresh();
        await world.end(outcome);
        await done;
        return { ...world, statesBefore };
      };

      it(`has ${kind ?? 'nothing'} as the shared cause when ${what}`, async () => {
        const { sharedKind } = await refreshOnce();
        assert.equal(sharedKind(), kind);
      });

      // Deployments that were answered before a token was rejected have new data.
      if (kind === 'tokenRejected') continue;

      if (kind === undefined) {
        it(`counts only failed reads as unknown when ${what}`, async () => {
          const { store } = await refreshOnce();
          const withFailedRead = store.deployments.filter(({ failedRead }) => failedRead);
          assert.equal(store.counts.unknown, withFailedRead.length);
        });
        continue;
      }

      it(`leaves the states of deployments when ${what}`, async () => {
        const { states, statesBefore } = await refreshOnce();
        assert.equal(states(), statesBefore);
      });

      const dates = isFirst
        ? 'gives the shared cause no time'
        : 'dates the shared cause by the last answer';
      it(`${dates} when ${what}`, async () => {
        const { store } = await refreshOnce();
        assert.equal(store.cause?.kind, 'failure');
        const { asOf } = store.cause;
        const answerTimes = store.deployments.flatMap(({ answer }) => answer?.asOf ?? []);
        assert.equal(asOf, isFirst ? undefined : Math.max(...answerTimes));
      });
    }
  });
}

/** Has three of thirty deployments time out, one after the other. The store asks z, which answered last. */
async function timeOutThree() {
  const world = await createRead({ maxRequests: 1 });
  const { store, platform, clock } = world;
  const done = store.refresh(['a', 'b', 'c']);
  clock.pass(1);
  for (const id of 'abc') {
    platform.of(id).end(slow);
    await turn();
  }
  return { ...world, done };
}

/** Refreshes thirty deployments: the first is answered as before, all others time out. */
async function loseConnection() {
  const world = await createRead();
  const { store, platform, end, states, clock } = world;
  const statesBefore = states();
  const done = store.refresh();
  clock.pass(1);
  platform.of('a').end(bad);
  await turn();
  clock.pass(1);
  await end(() => slow);
  await done;
  return { ...world, statesBefore };
}

describe('an outage', () => {
  it('is not assumed before the deployment that answered last is asked once more', async () => {
    const { store, platform, sharedKind, done } = await timeOutThree();
    assert.equal(platform.ids, 'abcz');
    assert.equal(platform.of('z').call.urgent, true);
    assert.equal(sharedKind(), undefined);
    await done;
    assert.equal(store.counts.unknown, 0);
  });

  it('is not assumed when the deployment that answered last answers again', async () => {
    const { store, sharedKind, done, end } = await timeOutThree();
    await done;
    await end(() => good);
    assert.equal(sharedKind(), undefined);
    assert.equal(store.counts.unknown, 3);
    assert.equal(store.progress, undefined);
  });

  it('ends the refresh that found it', async () => {
    const { sharedKind, store } = await loseConnection();
    assert.equal(sharedKind(), 'timedOut');
    assert.equal(store.progress, undefined);
  });

  it('leaves states and order of deployments as they were', async () => {
    const { states, statesBefore } = await loseConnection();
    assert.equal(states(), statesBefore);
  });

  it('keeps the rest of the refresh from being sent', async () => {
    const { platform } = await loseConnection();
    const requestCount = platform.asked.length;
    assert.ok(requestCount < 30, `${requestCount} requests: ${platform.ids}`);
  });

  it('has the time of the last answer', async () => {
    const { store } = await loseConnection();
    assert.equal(store.cause?.kind, 'failure');
    assert.equal(store.cause.asOf, store.get('a')?.answer?.asOf);
  });

  it('leaves a deployment muted that was muted between its failure and the others', async () => {
    const { store, platform, memory, end, clock } = await createRead({ ids: 'abc' });
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

  for (const { what, outcome, isOver, unknownCount } of [
    { what: 'a usable answer', outcome: good, isOver: true, unknownCount: 0 },
    { what: 'a server error', outcome: broken, isOver: true, unknownCount: 1 },
    { what: 'a 404', outcome: notFound, isOver: true, unknownCount: 1 },
    { what: 'another time-out', outcome: slow, isOver: false, unknownCount: 0 },
  ] as const) {
    const probeOnce = async () => {
      const world = await failAll(dns);
      const causeBefore = world.store.cause;
      const probe = world.store.probe(['a', 'b'], new AbortController().signal);
      await world.end(() => outcome);
      await probe;
      return { ...world, causeBefore };
    };

    it(`${isOver ? 'ends' : 'goes on'} when a probe gets ${what}`, async () => {
      const { store, causeBefore } = await probeOnce();
      assert.equal(store.cause, isOver ? undefined : causeBefore, 'rows compare the cause object');
    });

    it(`makes ${unknownCount} of four deployments unknown when a probe gets ${what}`, async () => {
      const { store } = await probeOnce();
      assert.equal(store.counts.unknown, unknownCount);
    });

    it(`leaves the states of other deployments when a probe gets ${what}`, async () => {
      const { states } = await probeOnce();
      assert.match(states(), /b notSatisfied/);
    });
  }

  it('stays a server error until a probe is answered', async () => {
    const { store, end, sharedKind } = await failAll(broken);
    const kinds: unknown[] = [];
    for (const outcome of [broken, slow, good]) {
      void store.probe(['a'], new AbortController().signal);
      await end(() => outcome);
      kinds.push(sharedKind());
    }
    assert.deepEqual(kinds, ['serverError', 'serverError', undefined]);
  });

  it('is probed with the deployment that answered last and the others in turn', async () => {
    const { store, platform, end, read } = await createRead({ ids: 'abcd' });
    await read('c', good);
    void store.refresh();
    await end(() => dns);
    platform.asked.length = 0;
    for (let probe = 0; probe < 6; probe++) {
      void store.probe(['a', 'b', 'c'], new AbortController().signal);
      await end(() => slow);
    }
    assert.equal(platform.ids, 'cacbcc');
  });

  it('is probed outside the progress', async () => {
    const { store } = await failAll(dns);
    void store.probe(['a'], new AbortController().signal);
    assert.equal(store.progress, undefined);
  });

  it('is not assumed for requests that were sent before the last answer', async () => {
    const { store, platform, clock, sharedKind } = await createRead({ ids: 'abcd' });
    const done = store.refresh();
    clock.pass(1);
    platform.of('d').end(good);
    await turn();
    for (const id of 'abc') platform.of(id).end(slow);
    await done;
    assert.equal(sharedKind(), undefined);
    assert.equal(store.counts.unknown, 3);
  });

  it('is found when the clock was set back by an hour', async () => {
    const { store, clock, end, sharedKind } = await createRead({ ids: 'abcd' });
    clock.setBack(3_600_000);
    void store.refresh();
    await end(() => dns);
    assert.equal(sharedKind(), 'unreachable');
  });

  it('is found without a request for a deployment that has left the list', async () => {
    const { store, platform, clock, sharedKind } = await createRead({ ids: 'abcd' });
    store.setListed(list('abc'));
    const done = store.refresh();
    clock.pass(1);
    for (const id of 'abc') platform.of(id).end(dns);
    await done;
    assert.equal(platform.ids, 'abc');
    assert.equal(sharedKind(), 'unreachable');
  });

  it('is never assumed while every other request is answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(7), { minLength: 30, maxLength: 30 }), async (picks) => {
        const { store, platform, clock, sharedKind } = await createRead();
        const done = store.refresh();
        for (let nth = 0; platform.open.length > 0; nth++) {
          clock.pass(1);
          const { open } = platform;
          const pick = picks[nth % picks.length] ?? 0;
          const next = open[pick % open.length]!;
          next.end(isAnswered(next.id) ? good : slow);
          await turn();
          assert.equal(sharedKind(), undefined);
        }
        await done;
        assert.equal(store.counts.unknown, 15);
      }),
      { numRuns: 50 },
    );
  });
});

for (const [how, shared] of [
  ['an outage', dns],
  ['a rejected token', rejected],
] as const) {
  describe(`a failure that ends ${how}`, () => {
    for (const outcome of [
      broken,
      page,
      proxy,
      { kind: 'redirected', status: 302, target: 'sameHost' },
    ] as const) {
      it(`stays with its deployment when it is ${outcome.kind}`, async () => {
        const { store, read } = await failAll(shared);
        await read('d', outcome);
        assert.deepEqual(store.get('d')?.failedRead?.failure, outcome);
      });
    }
  });
}

/** Ends an outage with a server error of d, which then all deployments get. */
async function endOutageWithServerError() {
  const world = await createRead({ ids: 'abcd' });
  const { end, read, states, store } = world;
  const statesBefore = states();
  void store.refresh();
  await end(() => dns);
  await read('d', broken);
  void store.refresh();
  await end(() => broken);
  return { ...world, statesBefore };
}

describe('a server error that ends an outage', () => {
  it('is the shared cause when all deployments get it then', async () => {
    const { sharedKind } = await endOutageWithServerError();
    assert.equal(sharedKind(), 'serverError');
  });

  it('leaves the states of deployments when all get it then', async () => {
    const { states, statesBefore } = await endOutageWithServerError();
    assert.equal(states(), statesBefore);
  });
});

/** A request for a that was sent in an outage fails after a probe of b has ended the outage. */
async function failAfterOutage() {
  const world = await createRead({ ids: 'abcd' });
  const { store, platform, clock, end, states } = world;
  const statesBefore = states();
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
  return { ...world, statesBefore };
}

describe('a request from an outage that fails after it', () => {
  it('is sent again', async () => {
    const { platform } = await failAfterOutage();
    assert.equal(platform.ids, 'a');
  });

  it('is no outage', async () => {
    const { store } = await failAfterOutage();
    assert.equal(store.cause, undefined);
  });

  it('leaves its deployment as it was', async () => {
    const { states, statesBefore } = await failAfterOutage();
    assert.equal(states(), statesBefore);
  });

  it('makes its deployment unknown when it fails again', async () => {
    const { clock, platform, store } = await failAfterOutage();
    clock.pass(1);
    platform.of('a').end(slow);
    await turn();
    assert.equal(platform.ids, 'a');
    assert.equal(store.get('a')?.state, 'unknown');
  });
});

/** Refreshes thirty deployments, four at a time, beside a probe. The first request gets a 401. */
async function rejectToken() {
  const world = await createRead({ maxRequests: 4 });
  const { store, platform, clock } = world;
  const probe = store.refresh(['k'], { outsideProgress: true });
  const done = store.refresh();
  clock.pass(1);
  platform.of('a').end(rejected);
  await Promise.all([done, probe]);
  return world;
}

describe('a 401', () => {
  it('is the shared cause as soon as one deployment gets it', async () => {
    const { sharedKind } = await rejectToken();
    assert.equal(sharedKind(), 'tokenRejected');
  });

  it('keeps the rest of the refresh from being sent', async () => {
    const { platform } = await rejectToken();
    assert.equal(platform.asked.length, 4);
  });

  it('stops all open requests', async () => {
    const { platform } = await rejectToken();
    const stillWanted = platform.open.filter(({ call }) => !call.signal.aborted);
    assert.deepEqual(stillWanted, []);
  });

  it('makes no deployment unknown', async () => {
    const { store } = await rejectToken();
    assert.equal(store.counts.unknown, 0);
  });

  it('stays the shared cause when a later request of the user times out', async () => {
    const { platform, store, sharedKind } = await rejectToken();
    void store.refresh(['a'], { urgent: true });
    platform.of('a').end(slow);
    await turn();
    assert.equal(sharedKind(), 'tokenRejected', 'a probe would send a rejected token');
  });

  it('is no longer the shared cause when a later request of the user is answered', async () => {
    const { platform, store, sharedKind } = await rejectToken();
    void store.refresh(['a'], { urgent: true });
    platform.of('a').end(good);
    await turn();
    assert.equal(sharedKind(), undefined);
  });

  it('is the shared cause while a 429 pauses the organization', async () => {
    const { store, read, pauses, sharedKind } = await createRead({ ids: 'abc' });
    pauses['org'] = 1;
    assert.equal(store.cause?.kind, 'paused');
    await read('a', rejected);
    assert.equal(sharedKind(), 'tokenRejected');
  });
});

describe('a 429', () => {
  it('leaves the states of deployments', async () => {
    const limited: Failure = { kind: 'rateLimited', status: 429, until: 5_000 };
    const { store, end, states } = await createRead({ ids: 'abc' });
    store.setListed(list('abcd'));
    const done = store.refresh();
    await end((id) => (id === 'c' ? good : limited));
    await done;
    assert.equal(states(), 'a notSatisfied, b notSatisfied, d notYetRead, c satisfied');
  });

  it('ends an outage and begins a pause', async () => {
    const { store, pauses, read } = await failAll(dns);
    pauses['org'] = 2;
    await read('a', { kind: 'rateLimited', status: 429, until: 2 });
    assert.deepEqual(store.cause, { kind: 'paused', until: 2 });
  });

  it('leaves the states of deployments when it ends an outage', async () => {
    const { pauses, read, states } = await failAll(dns);
    const statesBefore = states();
    pauses['org'] = 2;
    await read('a', { kind: 'rateLimited', status: 429, until: 2 });
    assert.equal(states(), statesBefore);
  });
});

describe('a web page in place of an answer', () => {
  const ownPage: Failure = { kind: 'notFromPlatform', status: 404, foreign: { title: 'Error' } };

  it('counts as notFound when another is answered later in the refresh', async () => {
    const world = create({ ids: 'abc' });
    const done = world.store.refresh();
    await world.end((id) => {
      if (id === 'a') return ownPage;
      world.history.add('org');
      return good;
    });
    await done;
    assert.equal(ownFailureKind(world, 'a'), 'notFound');
  });

  it('counts as notFound when another is answered in a later refresh', async () => {
    const world = create({ ids: 'ab' });
    const done = world.store.refresh();
    await world.end((id) => (id === 'a' ? ownPage : notFound));
    await done;
    assert.equal(ownFailureKind(world, 'a'), 'notFromPlatform');
    world.history.add('org');
    await world.read('b', good);
    assert.equal(ownFailureKind(world, 'a'), 'notFound');
  });
});

/** A request beside the refresh of a and b gets a 401. */
async function rejectBesideRefresh() {
  const world = await createRead({ ids: 'ab' });
  const done = world.store.refresh();
  world.store.tokenRejected('org', rejected);
  await done;
  return world;
}

describe('a request beside the refresh', () => {
  it('has notFromPlatform for a 404 page when all deployments get such a page', async () => {
    const { end, store } = await createRead({ ids: 'ab' });
    void store.refresh();
    await end(() => notFoundPage);
    const { kind } = store.asSharedFailure('org', notFoundPage);
    assert.equal(kind, 'notFromPlatform');
  });

  it('keeps its failure when all deployments get a page of another status', async () => {
    const { end, store } = await createRead({ ids: 'ab' });
    void store.refresh();
    await end(() => notFoundPage);
    const forbidden: Failure = { kind: 'notPermitted', status: 403, doubt: 'webPage' };
    assert.equal(store.asSharedFailure('org', forbidden), forbidden);
  });

  it('stops all reads when it gets a 401', async () => {
    const { platform } = await rejectBesideRefresh();
    const areAborted = platform.asked.map(({ call }) => call.signal.aborted);
    assert.deepEqual(areAborted, [true, true]);
  });

  it('has a 401 that all deployments share', async () => {
    const { sharedKind } = await rejectBesideRefresh();
    assert.equal(sharedKind(), 'tokenRejected');
  });

  it('has a 401 that is known for its organization', async () => {
    const { store } = await rejectBesideRefresh();
    assert.equal(store.rejectionOf('org'), rejected);
  });

  it('leaves the states of deployments when it gets a 401', async () => {
    const { states } = await rejectBesideRefresh();
    assert.equal(states(), 'a notSatisfied, b notSatisfied');
  });

  it('ends an earlier 401 when it is answered', async () => {
    const { sharedKind, store } = await createRead({ ids: 'ab' });
    store.tokenRejected('org', rejected);
    store.tokenAccepted('org');
    assert.equal(sharedKind(), undefined);
    assert.equal(store.rejectionOf('org'), undefined);
  });

  it('does not end an outage when it is answered', async () => {
    const { sharedKind, store } = await failAll(dns);
    store.tokenAccepted('org');
    assert.equal(sharedKind(), 'unreachable');
    assert.equal(store.rejectionOf('org'), undefined);
  });

  it('leaves another organization without a cause when it gets a 401', async () => {
    const { sharedKind, store } = await createRead({ ids: 'ab' });
    store.tokenRejected('other', rejected);
    assert.equal(sharedKind(), undefined);
  });

  it('does not end the 401 of another organization when it is answered', async () => {
    const { sharedKind, store } = await createRead({ ids: 'ab' });
    store.tokenRejected('org', rejected);
    store.tokenAccepted('other');
    assert.equal(sharedKind(), 'tokenRejected');
    assert.equal(store.rejectionOf('other'), undefined);
  });
});

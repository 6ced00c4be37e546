import assert from 'node:assert/strict';
import type { Failure } from '../../../src/api/failure.js';
import { CircuitBreaker, type Verdict } from '../../../src/model/circuitBreaker.js';
import { ManualClock } from '../../support/manualClock.js';

const slow: Failure = { kind: 'timedOut', after: 30_000 };
const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const notFound: Failure = { kind: 'notFound', status: 404 };
const limited: Failure = { kind: 'rateLimited', status: 429, until: 9e9 };
const broken: Failure = { kind: 'serverError', status: 503 };
const proxy: Failure = { kind: 'clientError', status: 407 };
/** What a web page is called where the organization has answered before, and where it has not. */
const page404: Failure = { kind: 'notFound', status: 404, doubt: 'webPage' };
const page403: Failure = { kind: 'notFromPlatform', status: 403 };
const cancelled: Failure = { kind: 'cancelled' };

/** The breaker of four listed deployments (a to d), whose reads end one after another, a millisecond apart. */
class World {
  readonly clock = new ManualClock();
  readonly listed = new Set('abcd');
  readonly breaker = new CircuitBreaker({
    now: this.clock.now,
    elapsed: this.clock.elapsed,
    listed: this.listed,
  });

  /** Returns the verdict on this answer. */
  answer(id: string): Verdict {
    this.clock.pass(1);
    return this.breaker.answered(id);
  }

  /** Returns the verdict on the last of these failures. */
  fail(ids: string, failure: Failure, { sentMsAgo = 0 } = {}): Verdict {
    let verdict: Verdict = {};
    for (const id of ids) {
      this.clock.pass(1);
      verdict = this.breaker.failed(id, { failure, sentElapsed: this.clock.elapsed() - sentMsAgo });
    }
    return verdict;
  }

  /** This world after it opened, because the first three had no answer. */
  get opened(): this {
    this.fail('abc', slow);
    return this;
  }
}

const undecided = { scope: 'undecided' } as const;
const outage = { ...undecided, decided: 'shared', cancels: 'refreshes' } as const;

type Case = readonly [
  title: string,
  play: (world: World) => Verdict,
  expectedState: string,
  expectedVerdict: Verdict,
];

const whenClosed: readonly Case[] = [
  [
    'stays closed when two of four deployments do not answer',
    (world) => world.fail('ab', slow),
    'closed',
    undecided,
  ],
  [
    'opens when three of four deployments do not answer',
    (world) => world.fail('abc', slow),
    'open',
    outage,
  ],
  [
    'stays closed when one deployment does not answer three times',
    (world) => world.fail('aaa', slow),
    'closed',
    undecided,
  ],
  [
    'opens when neither of two deployments answers',
    (world) => {
      world.listed.delete('c');
      world.listed.delete('d');
      return world.fail('ab', slow);
    },
    'open',
    outage,
  ],
  [
    'reads the last answered deployment again before opening',
    (world) => {
      world.answer('d');
      return world.fail('abc', slow);
    },
    'closed',
    { ...undecided, readAgain: 'd' },
  ],
  [
    'reads the last answered deployment again only once',
    (world) => {
      world.listed.add('e');
      world.answer('d');
      return world.fail('abce', slow);
    },
    'closed',
    undecided,
  ],
  [
    'opens when the last answered deployment does not answer again',
    (world) => {
      world.answer('d');
      return world.fail('abcd', slow);
    },
    'open',
    outage,
  ],
  [
    'stays closed when the last answered deployment answers again',
    (world) => {
      world.answer('d');
      world.fail('abc', slow);
      return world.answer('d');
    },
    'closed',
    { decided: 'separate' },
  ],
  [
    'opens without another read when the last answered deployment left the list',
    (world) => {
      world.answer('d');
      world.listed.delete('d');
      return world.fail('abc', slow);
    },
    'open',
    outage,
  ],
  [
    'stays closed when the unanswered requests were sent before the last answer',
    (world) => {
      world.answer('d');
      return world.fail('abc', slow, { sentMsAgo: 10 });
    },
    'closed',
    undecided,
  ],
  [
    'counts unanswered requests from zero after an answer',
    (world) => {
      world.fail('ab', slow);
      world.fail('d', notFound);
      return world.fail('c', slow);
    },
    'closed',
    undecided,
  ],
  [
    'opens when one deployment gets a 401',
    (world) => world.fail('a', rejected),
    'open',
    { ...undecided, decided: 'shared', cancels: 'all' },
  ],
  [
    'stays closed when three of four deployments get a 503',
    (world) => world.fail('abc', broken),
    'closed',
    undecided,
  ],
  [
    'opens when all deployments get a 503',
    (world) => world.fail('abcd', broken),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'opens when all deployments get a 407',
    (world) => world.fail('abcd', proxy),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'stays closed when all deployments get a 404',
    (world) => world.fail('abcd', notFound),
    'closed',
    { scope: 'deployment', decided: 'separate' },
  ],
  [
    'stays closed when some deployments get a 503 and the others a 407',
    (world) => {
      world.fail('ab', broken);
      return world.fail('cd', proxy);
    },
    'closed',
    undecided,
  ],
  [
    'opens when all deployments get a web page with 403',
    (world) => world.fail('abcd', page403),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'opens when all deployments get a web page with 404',
    (world) => world.fail('abcd', page404),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'stays closed when three of four deployments get a web page',
    (world) => world.fail('abc', page404),
    'closed',
    undecided,
  ],
  [
    'stays closed when deployments get web pages with 403 and with 404',
    (world) => {
      world.fail('ab', page403);
      return world.fail('cd', page404);
    },
    'closed',
    undecided,
  ],
  [
    'blames one deployment for its web page when another deployment is answered',
    (world) => {
      world.fail('a', page404);
      return world.answer('b');
    },
    'closed',
    { decided: 'separate' },
  ],
  [
    'stays closed when an only deployment gets a page that the platform may have sent',
    (world) => {
      for (const id of 'bcd') world.listed.delete(id);
      return world.fail('a', page404);
    },
    'closed',
    undecided,
  ],
  [
    'opens when an only deployment gets a page that the platform did not send',
    (world) => {
      for (const id of 'bcd') world.listed.delete(id);
      return world.fail('a', page403);
    },
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'stays closed when a deployment gets a 429',
    (world) => world.fail('a', limited),
    'closed',
    { decided: 'separate' },
  ],
  [
    'stays closed when all reads are cancelled',
    (world) => world.fail('abcd', cancelled),
    'closed',
    {},
  ],
];

const whenOpen: readonly Case[] = [
  [
    'stays open when another deployment does not answer',
    ({ opened }) => opened.fail('d', slow),
    'open',
    { ...undecided, cancels: 'refreshes' },
  ],
  [
    'closes when a deployment is answered',
    ({ opened }) => opened.answer('d'),
    'closed',
    { decided: 'over' },
  ],
  [
    'closes when a deployment gets a 404',
    ({ opened }) => opened.fail('d', notFound),
    'closed',
    { scope: 'deployment', decided: 'over' },
  ],
  [
    'closes when a deployment gets a 503',
    ({ opened }) => opened.fail('d', broken),
    'closed',
    { ...undecided, decided: 'over' },
  ],
  [
    'closes when a deployment gets a 429',
    ({ opened }) => opened.fail('d', limited),
    'closed',
    { decided: 'over' },
  ],
  [
    'opens again when all deployments get a 503',
    ({ opened }) => opened.fail('abcd', broken),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'reads a deployment again when its unanswered request is from before the closing',
    ({ opened }) => {
      opened.answer('d');
      return opened.fail('a', slow, { sentMsAgo: 10 });
    },
    'closed',
    { readAgain: 'a' },
  ],
  [
    'stays open when a deployment gets another 503',
    (world) => {
      world.fail('abcd', broken);
      return world.fail('a', broken);
    },
    'open',
    undecided,
  ],
  [
    'stays open when no deployment answers after a 401',
    (world) => {
      world.fail('a', rejected);
      return world.fail('abcd', slow);
    },
    'open',
    undecided,
  ],
];

const secondsUntilProbe = (breaker: CircuitBreaker) => breaker.msUntilProbe / 1000;
const unanswered = async () => undefined;

/** The IDs that so many probes read, one after another. */
async function probedIds(breaker: CircuitBreaker, listed: string, probes: number): Promise<string> {
  let ids = '';
  const read = async (id: string): Promise<void> => {
    ids += id;
  };
  for (let probe = 0; probe < probes; probe++) await breaker.probe(Array.from(listed), read);
  return ids;
}

describe('the circuit breaker', () => {
  for (const [title, play, expectedState, expectedVerdict] of [...whenClosed, ...whenOpen]) {
    it(title, () => {
      const world = new World();

      const verdict = play(world);

      assert.deepEqual(verdict, expectedVerdict);
      assert.equal(world.breaker.state, expectedState);
    });
  }

  it('names “not from the platform” as the cause when all deployments get a web page', () => {
    const world = new World();
    world.fail('abcd', page404);
    assert.deepEqual(world.breaker.cause?.failure, { kind: 'notFromPlatform', status: 404 });
  });

  it('keeps its cause when more requests stay unanswered', () => {
    const { opened } = new World();
    const { cause: causeBefore } = opened.breaker;
    opened.fail('abcd', slow);
    assert.equal(opened.breaker.cause, causeBefore);
  });

  it('is half open during a probe', async () => {
    const { breaker } = new World().opened;
    const statesDuringProbe: string[] = [];
    await breaker.probe(['a'], async () => {
      statesDuringProbe.push(breaker.state);
    });
    assert.deepEqual(statesDuringProbe, ['halfOpen']);
  });

  it('is open again after a probe without an answer', async () => {
    const { breaker } = new World().opened;
    await breaker.probe(['a'], unanswered);
    assert.equal(breaker.state, 'open');
  });

  it('is closed after a probe with an answer', async () => {
    const { breaker } = new World().opened;
    await breaker.probe(['a'], async (id) => {
      breaker.answered(id);
    });
    assert.equal(breaker.state, 'closed');
  });
});

describe('the wait for a probe', () => {
  it('is 15 seconds at first and doubles with each probe up to 5 minutes', async () => {
    const { breaker, clock } = new World().opened;
    const waits = [secondsUntilProbe(breaker)];
    for (let probe = 0; probe < 6; probe++) {
      clock.pass(breaker.msUntilProbe);
      await breaker.probe(['a'], unanswered);
      waits.push(secondsUntilProbe(breaker));
    }
    assert.deepEqual(waits, [15, 30, 60, 120, 240, 300, 300]);
  });

  it('is 15 seconds again when the breaker closed and opens anew', async () => {
    const world = new World().opened;
    await world.breaker.probe(['a'], unanswered);
    world.answer('a');
    world.fail('bcda', slow);
    assert.equal(secondsUntilProbe(world.breaker), 15);
  });

  it('is 15 seconds again when a probe opened the breaker for another cause', async () => {
    const world = new World();
    for (const id of 'bcd') world.listed.delete(id);
    world.fail('a', slow);
    await world.breaker.probe(['a'], async (id) => {
      world.fail(id, broken);
    });
    assert.equal(secondsUntilProbe(world.breaker), 15);
  });

  it('is over at once when a probe is asked for', () => {
    const { breaker } = new World().opened;
    breaker.probeNow();
    assert.equal(Math.max(breaker.msUntilProbe, 0), 0);
  });

  it('never ends while the token is rejected', () => {
    const world = new World();
    world.fail('a', rejected);
    world.breaker.probeNow();
    assert.equal(world.breaker.msUntilProbe, Infinity);
  });

  it('stays the same when the clock is set back', () => {
    const { breaker, clock } = new World().opened;
    clock.setBack(3_600_000);
    assert.equal(secondsUntilProbe(breaker), 15);
  });
});

describe('a probe', () => {
  it('reads the last answered deployment every other time', async () => {
    const world = new World();
    world.answer('c');
    world.fail('abdc', slow);
    assert.equal(await probedIds(world.breaker, 'abc', 6), 'cacbcc');
  });

  it('reads each deployment in turn when the last answered one is not listed', async () => {
    const { breaker } = new World().opened;
    assert.equal(await probedIds(breaker, 'ab', 3), 'aba');
  });
});

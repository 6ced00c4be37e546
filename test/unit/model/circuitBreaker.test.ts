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

/** Reads that end one after another, each in the next millisecond, of which four deployments are listed. */
class World {
  readonly clock = new ManualClock();
  readonly listed = new Set('abcd');
  readonly breaker = new CircuitBreaker({
    now: this.clock.now,
    elapsed: this.clock.elapsed,
    listed: this.listed,
  });

  answer(id: string): Verdict {
    this.clock.pass(1);
    return this.breaker.answered(id);
  }

  /** `ago`: ms since it was sent. */
  fail(ids: string, failure: Failure, ago = 0): Verdict {
    let verdict: Verdict = {};
    for (const id of ids) {
      this.clock.pass(1);
      verdict = this.breaker.failed(id, { failure, sentElapsed: this.clock.elapsed() - ago });
    }
    return verdict;
  }

  /** Open, because the first three had no answer. */
  get opened(): this {
    this.fail('abc', slow);
    return this;
  }
}

const undecided = { scope: 'undecided' } as const;
const outage = { ...undecided, decided: 'shared', cancels: 'refreshes' } as const;

type Case = readonly [
  title: string,
  ends: (world: World) => Verdict,
  state: string,
  verdict: Verdict,
];

const whenClosed: readonly Case[] = [
  ['stays closed when two have no answer', (world) => world.fail('ab', slow), 'closed', undecided],
  ['opens when three have no answer', (world) => world.fail('abc', slow), 'open', outage],
  [
    'stays closed when one has no answer three times',
    (world) => world.fail('aaa', slow),
    'closed',
    undecided,
  ],
  [
    'opens when all of two have no answer',
    (world) => {
      world.listed.delete('c');
      world.listed.delete('d');
      return world.fail('ab', slow);
    },
    'open',
    outage,
  ],
  [
    'asks the one that was answered last before it opens',
    (world) => {
      world.answer('d');
      return world.fail('abc', slow);
    },
    'closed',
    { ...undecided, readAgain: 'd' },
  ],
  [
    'asks that one only once',
    (world) => {
      world.listed.add('e');
      world.answer('d');
      return world.fail('abce', slow);
    },
    'closed',
    undecided,
  ],
  [
    'opens when that one has no answer, either',
    (world) => {
      world.answer('d');
      return world.fail('abcd', slow);
    },
    'open',
    outage,
  ],
  [
    'stays closed when that one is answered',
    (world) => {
      world.answer('d');
      world.fail('abc', slow);
      return world.answer('d');
    },
    'closed',
    { decided: 'separate' },
  ],
  [
    'asks none that left the list',
    (world) => {
      world.answer('d');
      world.listed.delete('d');
      return world.fail('abc', slow);
    },
    'open',
    outage,
  ],
  [
    'stays closed when what has no answer was sent before the last answer',
    (world) => {
      world.answer('d');
      return world.fail('abc', slow, 10);
    },
    'closed',
    undecided,
  ],
  [
    'counts anew after an answer',
    (world) => {
      world.fail('ab', slow);
      world.fail('d', notFound);
      return world.fail('c', slow);
    },
    'closed',
    undecided,
  ],
  [
    'opens with one 401',
    (world) => world.fail('a', rejected),
    'open',
    { ...undecided, decided: 'shared', cancels: 'all' },
  ],
  [
    'stays closed when three of four have a 503',
    (world) => world.fail('abc', broken),
    'closed',
    undecided,
  ],
  [
    'opens when all have a 503',
    (world) => world.fail('abcd', broken),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'opens when all have a 407',
    (world) => world.fail('abcd', proxy),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'stays closed when all have a 404',
    (world) => world.fail('abcd', notFound),
    'closed',
    { scope: 'deployment', decided: 'separate' },
  ],
  [
    'stays closed when some have a 503, and the others a 407',
    (world) => {
      world.fail('ab', broken);
      return world.fail('cd', proxy);
    },
    'closed',
    undecided,
  ],
  [
    'opens when all get a web page with 403',
    (world) => world.fail('abcd', page403),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'opens when all get a web page with 404',
    (world) => world.fail('abcd', page404),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'stays closed when three of four get a web page',
    (world) => world.fail('abc', page404),
    'closed',
    undecided,
  ],
  [
    'stays closed when some get a web page with 403, and the others one with 404',
    (world) => {
      world.fail('ab', page403);
      return world.fail('cd', page404);
    },
    'closed',
    undecided,
  ],
  [
    'leaves a web page to the one that got it when another is answered',
    (world) => {
      world.fail('a', page404);
      return world.answer('b');
    },
    'closed',
    { decided: 'separate' },
  ],
  [
    'stays closed when an only deployment gets a web page that may be the platform’s',
    (world) => {
      for (const id of 'bcd') world.listed.delete(id);
      return world.fail('a', page404);
    },
    'closed',
    undecided,
  ],
  [
    'opens when an only deployment gets a web page that is not the platform’s',
    (world) => {
      for (const id of 'bcd') world.listed.delete(id);
      return world.fail('a', page403);
    },
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'takes a 429 for an answer',
    (world) => world.fail('a', limited),
    'closed',
    { decided: 'separate' },
  ],
  ['says nothing of what was cancelled', (world) => world.fail('abcd', cancelled), 'closed', {}],
];

const whenOpen: readonly Case[] = [
  [
    'stays open when another has no answer',
    ({ opened }) => opened.fail('d', slow),
    'open',
    { ...undecided, cancels: 'refreshes' },
  ],
  ['closes with an answer', ({ opened }) => opened.answer('d'), 'closed', { decided: 'over' }],
  [
    'closes with a 404',
    ({ opened }) => opened.fail('d', notFound),
    'closed',
    { scope: 'deployment', decided: 'over' },
  ],
  [
    'closes with a 503, which may be for all',
    ({ opened }) => opened.fail('d', broken),
    'closed',
    { ...undecided, decided: 'over' },
  ],
  ['closes with a 429', ({ opened }) => opened.fail('d', limited), 'closed', { decided: 'over' }],
  [
    'opens anew when all have a 503',
    ({ opened }) => opened.fail('abcd', broken),
    'open',
    { ...undecided, decided: 'shared' },
  ],
  [
    'asks once more what was sent before it closed',
    ({ opened }) => {
      opened.answer('d');
      return opened.fail('a', slow, 10);
    },
    'closed',
    { readAgain: 'a' },
  ],
  [
    'stays open with another 503',
    (world) => {
      world.fail('abcd', broken);
      return world.fail('a', broken);
    },
    'open',
    undecided,
  ],
  [
    'stays open with no answer after a 401',
    (world) => {
      world.fail('a', rejected);
      return world.fail('abcd', slow);
    },
    'open',
    undecided,
  ],
];

const seconds = (breaker: CircuitBreaker) => breaker.msUntilProbe / 1000;
const unanswered = async () => undefined;

describe('CircuitBreaker', () => {
  for (const [title, ends, state, verdict] of [...whenClosed, ...whenOpen]) {
    it(title, () => {
      const world = new World();
      assert.deepEqual(ends(world), verdict);
      assert.equal(world.breaker.state, state);
    });
  }

  it('says of a web page that all get that it is not from the platform', () => {
    const world = new World();
    world.fail('abcd', page404);
    assert.deepEqual(world.breaker.cause?.failure, { kind: 'notFromPlatform', status: 404 });
  });

  it('keeps one cause for as long as it is open for that', () => {
    const { opened } = new World();
    const { cause } = opened.breaker;
    opened.fail('abcd', slow);
    assert.equal(opened.breaker.cause, cause);
  });

  it('is half open while one is read as a probe, and then open again', async () => {
    const { breaker } = new World().opened;
    const during: string[] = [];
    await breaker.probe(['a'], async () => void during.push(breaker.state));
    assert.deepEqual([...during, breaker.state], ['halfOpen', 'open']);
  });

  it('is closed after a probe with an answer', async () => {
    const { breaker } = new World().opened;
    await breaker.probe(['a'], async (id) => void breaker.answered(id));
    assert.equal(breaker.state, 'closed');
  });

  it('wants the first probe after 15 seconds, each other after twice as long, at most 5 minutes', async () => {
    const { breaker, clock } = new World().opened;
    const waits = [seconds(breaker)];
    for (let probe = 0; probe < 6; probe++) {
      clock.pass(breaker.msUntilProbe);
      await breaker.probe(['a'], unanswered);
      waits.push(seconds(breaker));
    }
    assert.deepEqual(waits, [15, 30, 60, 120, 240, 300, 300]);
  });

  it('wants a probe after 15 seconds when it opens anew', async () => {
    const world = new World().opened;
    await world.breaker.probe(['a'], unanswered);
    world.answer('a');
    world.fail('bcda', slow);
    assert.equal(seconds(world.breaker), 15);
  });

  it('wants a probe after 15 seconds when the one before opened it for something else', async () => {
    const world = new World();
    for (const id of 'bcd') world.listed.delete(id);
    world.fail('a', slow);
    await world.breaker.probe(['a'], async (id) => void world.fail(id, broken));
    assert.equal(seconds(world.breaker), 15);
  });

  it('wants a probe at once where it is told so', () => {
    const { breaker } = new World().opened;
    breaker.probeNow();
    assert.ok(breaker.msUntilProbe <= 0);
  });

  it('never wants a probe with a rejected token', () => {
    const world = new World();
    world.fail('a', rejected);
    world.breaker.probeNow();
    assert.equal(world.breaker.msUntilProbe, Infinity);
  });

  it('waits as long for a probe when the clock is set back', () => {
    const { breaker, clock } = new World().opened;
    clock.setBack(3_600_000);
    assert.equal(seconds(breaker), 15);
  });

  it('probes the one that was answered last, and each other one in between', async () => {
    const world = new World();
    world.answer('c');
    world.fail('abdc', slow);
    let probed = '';
    for (let probe = 0; probe < 6; probe++)
      await world.breaker.probe(['a', 'b', 'c'], async (id) => void (probed += id));
    assert.equal(probed, 'cacbcc');
  });

  it('probes each in turn where the one that was answered last is not among them', async () => {
    const { breaker } = new World().opened;
    let probed = '';
    for (let probe = 0; probe < 3; probe++)
      await breaker.probe(['a', 'b'], async (id) => void (probed += id));
    assert.equal(probed, 'aba');
  });
});

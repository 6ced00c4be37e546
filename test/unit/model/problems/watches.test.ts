import assert from 'node:assert/strict';
import { Findings } from '../../../../src/model/problems/findings.js';
import { changesBetween, Watches } from '../../../../src/model/problems/watches.js';
import { turn } from '../../../support/manualClock.js';
import { bad, createWorld, failed, good, list } from '../store/world.js';

const minute = 60_000;
const rejected = { kind: 'tokenRejected', status: 401 } as const;
const notFound = { kind: 'notFound', status: 404 } as const;

function create() {
  const world = createWorld('abcdef');
  const { clock, store } = world;
  const watches = new Watches(store, clock);
  const ends: string[] = [];
  watches.onDidEnd(({ deployments, end }) => ends.push(`${deployments.map(({ id }) => id).join('')} ${end.kind}`));
  return { ...world, watches, ends, settle: () => turn().then(() => clock.pass(250)) };
}

describe('a watch', () => {
  it('reads every 15 s, slower up to 60 s, in the background, and ends after 15 minutes', async () => {
    const { watches, service, ends, reply, clock } = create();
    const reads: number[] = [];
    watches.start('a');
    for (let passed = 0; passed < 16 * 60; passed++) {
      if (service.open.length > 0) reads.push(passed);
      if (service.open.length > 0) await reply('a', bad);
      clock.pass(1000);
    }
    const waits = reads.slice(1).map((at, index) => at - reads[index]!);
    assert.deepEqual(waits.slice(0, 9), Array(9).fill(15));
    assert.deepEqual([waits, waits.at(-1)], [waits.toSorted((a, b) => a - b), 60]);
    assert.ok(service.asked.every(({ call }) => !call.urgent));
    assert.deepEqual([ends, clock.waiting], [['a unchanged'], 0]);
  });

  it('ends after 15 minutes also while a read waits, the clock was set back, or the machine slept', async () => {
    const hung = create();
    hung.watches.start('a');
    hung.clock.setBack(60 * minute);
    hung.clock.pass(15 * minute);
    assert.deepEqual([hung.ends, hung.service.of('a').call.signal.aborted], [['a unchanged'], true]);
    const slept = create();
    slept.watches.start('a');
    await slept.reply('a', bad);
    slept.clock.sleep(60 * minute);
    slept.clock.pass(15_000);
    await slept.reply('a', bad);
    assert.deepEqual(slept.ends, ['a unchanged']);
  });

  it('takes failed reads and answers that may hide a problem for no change, and ends with the first one', async () => {
    const { watches, read, reply, ends, settle } = create();
    await read('a', rejected);
    await settle();
    watches.start('a');
    await reply('a', notFound);
    for (const outcome of [failed('revoked'), failed('revoked'), good, failed('expired')]) {
      await settle();
      assert.deepEqual(ends, []);
      const unreadable = { path: 'accounts', expected: 'array', found: 'null' } as const;
      await read('a', outcome, outcome === good ? [unreadable] : []);
    }
    await settle();
    assert.deepEqual([ends, watches.ids], [['a changed'], []]);
  });

  it('begins with what the user sees, and is not told a second time as a new problem', async () => {
    const { watches, store, read, ends, clock } = create();
    const told: boolean[] = [];
    store.onDidFindNewProblems((problems) => told.push(...problems.map((one) => watches.tells(one.problem))));
    await read('a', good);
    await read('b', good);
    watches.start('a');
    await read('a', bad);
    await read('b', bad);
    assert.deepEqual([ends, told], [['a changed'], [true, false]]);
    const [problem] = store.get('a')!.answer!.findings.problems;
    store.mute([problem!], clock.now() + minute);
    assert.equal(watches.tells(problem!), true);
    for (const outcome of [good, { ...bad }]) await read('a', outcome);
    assert.equal(watches.tells(problem!), false);
  });

  it('is one of five at most', async () => {
    const { watches, clock, settle } = create();
    const started = Array.from('aabcdef', (id) => watches.start(id));
    watches.stop(['a']);
    assert.deepEqual([...started, watches.start('f')], [true, true, true, true, true, true, false, true]);
    watches.dispose();
    await settle();
    assert.equal(clock.waiting, 0);
  });

  const { read } = create().service;
  const acts: Record<string, (world: ReturnType<typeof create>) => unknown> = {
    'a removed': ({ store }) => store.setListed(list('b')),
    'ab tokenRejected': ({ reply }) => reply('b', rejected),
    'ab signedOut': ({ store }) => store.setOrganization(undefined),
    'ab switched': ({ store }) => store.setOrganization({ id: 'other', read }),
    'ab tokenReplaced': ({ store, watches }) => {
      store.setOrganization({ id: 'org', read });
      watches.restart();
    },
  };
  for (const [end, act] of Object.entries(acts)) {
    it(`ends, saying why: ${end}`, async () => {
      const world = create();
      for (const id of 'ab') world.watches.start(id);
      await act(world);
      await world.settle();
      assert.deepEqual(world.ends, [end]);
    });
  }
});

describe('a change is', () => {
  const slack = { id: 'acc', label: 'Slack', connectionMethodId: 'm', scopes: ['a'] };
  const is = { serviceId: 'slack', binding: 'notifier', satisfied: true, accountId: 'acc' };
  const not = { ...is, satisfied: false };
  const revoked = { ...slack, error: { code: 'revoked' } };
  const renamed = { ...slack, label: 'New', checkedAt: 'now', error: { code: 'revoked', message: 'New' } };
  const otherNot = { ...not, accountId: 'b' };

  for (const [what, before, after, changes] of [
    ['an account that works again, and not what it held up', [revoked, not], [slack, is], 'Slack'],
    ['an account that works, and what is still not satisfied', [revoked, not], [slack, not], 'Slack, notifier wrong'],
    ['an account that failed, and not what was not satisfied before', [slack, not], [revoked, not], 'Slack wrong'],
    ['a new problem', [slack, is], [slack, not], 'notifier wrong'],
    ['another error code', [revoked], [{ ...slack, error: { code: 'x' } }], 'Slack wrong'],
    ['a problem whose requirement is gone', [slack, not], [], 'notifier gone'],
    ['a problem whose account is gone', [revoked], [], 'Slack gone'],
    ['no label, message, time or order', [revoked, not, otherNot], [renamed, otherNot, not], ''],
  ] as const) {
    it(what, () => {
      const [earlier, later] = [before, after].map(([account, ...requirements]) => {
        const value = { accounts: account ? [account] : [], requirements };
        return new Findings({ value, decodeIssues: [] }, 'dep', () => ({ seenSince: 0 }));
      });
      const said = changesBetween(earlier!, later!).map(({ finding, isGone }) =>
        [finding.name, isGone ? 'gone' : finding.problem ? 'wrong' : ''].join(' ').trim(),
      );
      assert.equal(said.join(', '), changes);
    });
  }
});

import assert from 'node:assert/strict';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Failure } from '../../../../src/api/failure.js';
import { Findings } from '../../../../src/model/problems/findings.js';
import { SeenSince } from '../../../../src/model/problems/seenSince.js';
import { changesBetween, Watches } from '../../../../src/model/problems/watches.js';
import { Store } from '../../../../src/model/store/store.js';
import { ManualClock, turn } from '../manualClock.js';
import { bad, failed, good, ManualService } from '../store/manualService.js';

const minute = 60_000;
type Outcome = DeploymentAuthorization | Failure;

function create() {
  const clock = new ManualClock();
  const service = new ManualService(clock);
  const seen = new SeenSince({ initial: {}, save: () => undefined });
  const store = new Store({ now: clock.now, setTimer: clock.setTimer, seen });
  store.setListed(Array.from('abcdef', (id) => ({ id })));
  store.setOrganization({ id: 'org', read: service.read });
  const watches = new Watches(store, clock);
  const ends: string[] = [];
  watches.onDidEnd(({ deployments, end }) => ends.push(`${deployments.map(({ id }) => id).join('')} ${end.kind}`));
  const answer = async (id: string, outcome: Outcome) => {
    if ('kind' in outcome) service.of(id).fail(outcome);
    else service.of(id).answer(outcome);
    await turn();
    clock.pass(250);
  };
  return { clock, service, store, watches, ends, answer };
}

describe('a watch', () => {
  it('reads every 15 s, slower up to 60 s, in the background, and ends after 15 minutes', async () => {
    const { watches, service, ends, answer, clock } = create();
    const reads: number[] = [];
    watches.start('a');
    for (let passed = 0; passed < 16 * 60; passed++) {
      if (service.asked.length > reads.length) {
        reads.push(passed);
        await answer('a', bad);
      }
      clock.pass(1000);
    }
    const waits = reads.slice(1).map((at, index) => at - reads[index]!);
    assert.deepEqual(waits.slice(0, 9), Array(9).fill(15));
    assert.equal(waits.join(), waits.toSorted((a, b) => a - b).join());
    assert.equal(waits.at(-1), 60);
    assert.ok(service.asked.every(({ call }) => !call.urgent));
    assert.deepEqual([ends, clock.waiting], [['a unchanged'], 0]);
  });

  it('ends after 15 minutes also while a read waits, the clock was set back, or the machine slept', async () => {
    const hung = create();
    hung.watches.start('a');
    hung.clock.setBack(60 * minute);
    hung.clock.pass(15 * minute);
    assert.deepEqual([hung.ends, hung.service.of('a').call.signal?.aborted], [['a unchanged'], true]);
    const slept = create();
    slept.watches.start('a');
    await slept.answer('a', bad);
    slept.clock.sleep(60 * minute);
    slept.clock.pass(15_000);
    await slept.answer('a', bad);
    assert.deepEqual(slept.ends, ['a unchanged']);
  });

  it('takes failed reads for no change, and ends with the first change, whoever read it', async () => {
    const { watches, store, ends, answer } = create();
    void store.refresh('a');
    await answer('a', { kind: 'tokenRejected', status: 401 });
    watches.start('a');
    await answer('a', { kind: 'notFound', status: 404 });
    for (const code of ['revoked', 'revoked', 'expired']) {
      assert.deepEqual(ends, []);
      void store.refresh('a');
      await answer('a', failed(code));
    }
    assert.deepEqual([ends, watches.ids], [['a changed'], []]);
  });

  it('takes an answer that may hide a problem for no change', async () => {
    const { clock, watches, store, ends, answer } = create();
    watches.start('a');
    await answer('a', bad);
    const decodeIssues = [{ path: 'requirements', expected: 'array', found: 'null' }] as const;
    store.setOrganization({ id: 'org', read: async () => ({ value: good, decodeIssues, receivedAt: clock.now() }) });
    await store.refresh('a');
    clock.pass(250);
    assert.deepEqual([ends, watches.ids], [[], ['a']]);
  });

  it('begins with what people see, and what it tells is not told again', async () => {
    const { watches, store, ends, answer } = create();
    const told: boolean[] = [];
    store.onDidFindNewProblems((problems) => told.push(...problems.map((one) => watches.tells(one.deployment))));
    const read = async (id: string, outcome: Outcome) => {
      void store.refresh(id);
      await answer(id, outcome);
    };
    await read('a', good);
    watches.start('a');
    await answer('a', bad);
    await read('b', bad);
    assert.deepEqual([ends, told], [['a changed'], [true, false]]);
  });

  it('is one of five at most', () => {
    const { watches, clock } = create();
    const started = Array.from('aabcdef', (id) => watches.start(id));
    watches.stop(['a']);
    assert.deepEqual([...started, watches.start('f')], [true, true, true, true, true, true, false, true]);
    watches.dispose();
    assert.equal(clock.waiting, 0);
  });

  it('ends, saying why, with its deployment, its organization and its token', async () => {
    const { read } = create().service;
    const acts: Record<string, (world: ReturnType<typeof create>) => unknown> = {
      'a removed': ({ store }) => store.setListed([{ id: 'b' }]),
      'ab tokenRejected': ({ answer }) => answer('b', { kind: 'tokenRejected', status: 401 }),
      'ab signedOut': ({ store }) => store.setOrganization(undefined),
      'ab switched': ({ store }) => store.setOrganization({ id: 'other', read }),
      'ab tokenReplaced': ({ store, watches }) => {
        store.setOrganization({ id: 'org', read });
        watches.restart();
      },
    };
    for (const [end, act] of Object.entries(acts)) {
      const world = create();
      for (const id of 'ab') world.watches.start(id);
      await act(world);
      await turn();
      world.clock.pass(250);
      assert.deepEqual(world.ends, [end]);
    }
  });
});

describe('a change is', () => {
  const slack = { id: 'acc', label: 'Slack', connectionMethodId: 'm', scopes: ['a'] };
  const is = { serviceId: 'slack', binding: 'notifier', satisfied: true, accountId: 'acc' };
  const not = { ...is, satisfied: false };
  const other = { ...is, accountId: 'b' };
  const lacking = { ...is, connections: [{ connectionMethodId: 'm', requiredScopes: ['b'] }] };
  const revoked = { ...slack, error: { code: 'revoked' } };
  const renamed = { ...slack, label: 'New', checkedAt: 'now', error: { code: 'revoked', message: 'New' } };
  const otherNot = { ...other, satisfied: false };

  for (const [what, before, after, changes] of [
    ['an account that works again, and what it held up', [revoked, not], [slack, is], 'Slack, notifier'],
    ['a new problem', [slack, is], [slack, not], 'notifier wrong'],
    ['another error code', [revoked], [{ ...slack, error: { code: 'x' } }], 'Slack wrong'],
    ['a problem whose account or requirement is gone', [revoked, not], [], 'Slack gone, notifier gone'],
    ['another bound account', [slack, is], [slack, other], 'notifier'],
    ['a missing scope', [slack, is], [slack, lacking], 'notifier'],
    ['no label, message, time or order', [revoked, not, otherNot], [renamed, otherNot, not], ''],
  ] as const) {
    it(what, () => {
      const [earlier, later] = [before, after].map(([account, ...requirements]) => {
        return new Findings({ accounts: account ? [account] : [], requirements }, 'dep', () => 0);
      });
      const said = changesBetween(earlier!, later!).map(({ finding, isGone }) =>
        [finding.name, isGone ? 'gone' : finding.problem ? 'wrong' : ''].join(' ').trim(),
      );
      assert.equal(said.join(', '), changes);
    });
  }
});

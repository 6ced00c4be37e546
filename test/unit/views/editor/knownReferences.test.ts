import { strict as assert } from 'node:assert';
import type { Deployment } from '../../../../src/model/deployment.js';
import { SeenSince } from '../../../../src/model/problems/seenSince.js';
import { KnownReferences } from '../../../../src/model/references/known.js';
import { Store } from '../../../../src/model/store/store.js';
import { ManualClock, turn } from '../../model/manualClock.js';
import { failed, ManualService } from '../../model/store/manualService.js';

function listed(...ids: string[]): Deployment[] {
  return ids.map((id) => ({ id, name: id, state: 'notYetRead', activity: 'idle' }));
}

function at(known: KnownReferences, text: string, character: number): string[] {
  const found = known.at({ lineAt: () => ({ text }) }, { line: 0, character });
  return found.map(({ id, start }) => `${id}@${start}`);
}

describe('known references', () => {
  it('are found at a position, borders included', () => {
    const known = new KnownReferences({
      organizationId: 'acme',
      deployments: listed('dep_1', 'x', 'a.dep_1'),
      progress: undefined,
    });
    const text = 'see dep_1, my-dep_1 dep_10 a.dep_1 x';
    assert.deepEqual(at(known, text, 3), []);
    for (const character of [4, 6, 9]) assert.deepEqual(at(known, text, character), ['dep_1@4']);
    assert.deepEqual(at(known, text, 10), []);
    assert.deepEqual(at(known, text, 16), []);
    assert.deepEqual(at(known, text, 22), []);
    assert.deepEqual(at(known, text, 30), ['a.dep_1@27', 'dep_1@29']);
    assert.deepEqual(at(known, text, 36), ['x@35']);
  });

  it('are told from longer tokens by characters of two halves too', () => {
    const known = new KnownReferences({ organizationId: 'acme', deployments: listed('dep_1'), progress: undefined });
    // A letter beyond the first plane.
    assert.deepEqual(at(known, 'dep_1\u{1D49C}', 0), []);
    assert.deepEqual(at(known, '\u{1D49C}dep_1', 7), []);
    assert.deepEqual(at(known, '\u{1F600}dep_1\u{1F600}', 2), ['dep_1@2']);
  });

  it('keep their index while the ids are the same', () => {
    const store = { organizationId: 'acme', deployments: listed('dep_1'), progress: undefined };
    const known = new KnownReferences(store);
    const { index } = known;
    const [before] = store.deployments;
    store.deployments = listed('dep_1');
    const [after] = store.deployments;
    assert.equal(known.targets.of('dep_1').deployment, before);
    known.invalidate();
    assert.equal(known.targets.of('dep_1').deployment, after);
    assert.equal(known.index, index);
    store.deployments = listed('dep_1', 'dep_2');
    known.invalidate();
    assert.notEqual(known.index, index);
  });

  it('rest between two looks at all of them while many are read, and catch up in the end', () => {
    const store: {
      organizationId: string;
      deployments: Deployment[];
      progress: { done: number; total: number } | undefined;
    } = {
      organizationId: 'acme',
      deployments: listed('dep_1'),
      progress: { done: 0, total: 9 },
    };
    let time = 0;
    // Each look at the clock takes 10 ms.
    const known = new KnownReferences(store, () => (time += 10));
    const { index } = known;
    const change = (...ids: string[]) => {
      store.deployments = listed(...ids);
      known.invalidate();
    };
    change('dep_1', 'dep_2');
    assert.equal(known.index, index);
    time += 1000;
    const second = known.index;
    assert.notEqual(second, index);
    change('dep_1', 'dep_2', 'dep_3');
    assert.equal(known.index, second);
    store.progress = undefined;
    assert.notEqual(known.index, second);
  });

  it('never mean what another organization said, also while its deployments are being read', async () => {
    const clock = new ManualClock();
    const service = new ManualService(clock);
    const seen = new SeenSince({ initial: {}, save: () => undefined });
    const store = new Store({ now: clock.now, setTimer: clock.setTimer, seen });
    store.setListed([{ id: 'dep_1' }]);
    store.setOrganization({ id: 'acme', read: (id, call) => service.read(id, call) });
    let time = 0;
    const known = new KnownReferences(store, () => (time += 10));
    store.onDidChange(() => known.invalidate());
    const said = () => [known.targets.of('dep_1').deployment?.state, known.targets.problemsOf('acc_1').length];
    void store.refreshAll();
    service.of('dep_1').answer(failed('token_revoked'));
    await turn();
    assert.deepEqual(said(), ['failed', 1]);
    store.setOrganization({ id: 'beta', read: (id, call) => service.read(id, call) });
    void store.refreshAll();
    assert.equal(store.progress?.total, 1);
    assert.deepEqual(said(), ['notYetRead', 0]);
    store.dispose();
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type Counts,
  countDeployments,
  type Deployment,
} from '../../../src/model/findings/deployment.js';
import type { GroupName } from '../../../src/model/groups.js';
import { hashOfGroup, MyGroups } from '../../../src/model/myGroups.js';
import { MemoryState } from '../../support/memoryState.js';
import { createWorld } from './store/world.js';
import { inGroup } from './tree/trees.js';

const first = [
  inGroup('a', 'payments', 'failed'),
  inGroup('b', 'orders', 'unknown'),
  inGroup('c', undefined, 'failed'),
  inGroup('d', 'payments'),
  inGroup('e', 'team 2', 'muted'),
  inGroup('f', 'team 10', 'notYetRead'),
];

/** What the workspace saves of these names; `null` is *No group*. */
function hashed(saved: unknown): unknown {
  if (!Array.isArray(saved)) return saved;
  return (saved as readonly unknown[]).map((name) => {
    if (name === null) return hashOfGroup(undefined);
    return typeof name === 'string' ? hashOfGroup(name) : name;
  });
}

/**
 * Opens a window that lists these deployments. `saved`: what the workspace has saved as `myGroups`, but
 * with names in place of their hashes.
 */
function openWindow({
  listed = first,
  saved,
  more = {},
}: {
  readonly listed?: readonly Deployment[];
  readonly saved?: unknown;
  readonly more?: Partial<Counts>;
} = {}) {
  const store = {
    deployments: listed,
    get counts(): Counts {
      return { ...countDeployments(store.deployments), ...more };
    },
  };
  const state = new MemoryState(saved === undefined ? {} : { myGroups: hashed(saved) });
  const myGroups = new MyGroups(store, state);
  let events = 0;
  myGroups.onDidChange(() => {
    events += 1;
  });
  return {
    store,
    state,
    myGroups,
    /** How many times the event has fired. */
    eventCount: () => events,
    /** Which deployments are covered: "ad". */
    ids: () => myGroups.deployments.map(({ id }) => id).join(''),
  };
}

describe('My Groups', () => {
  describe('without a choice', () => {
    it('covers the very deployments of the store', () => {
      const { myGroups, store } = openWindow();
      assert.equal(myGroups.deployments, store.deployments);
    });

    it('names no group', () => assert.deepEqual(openWindow().myGroups.chosen, []));

    it('has the counts of the store, without groups', () => {
      const { myGroups, store } = openWindow();
      assert.deepEqual(myGroups.counts, store.counts);
    });

    it('counts no others', () => assert.equal(openWindow().myGroups.otherCounts, undefined));

    it('covers a deployment of any group', () => {
      assert.equal(openWindow().myGroups.covers({ group: 'gone' }), true);
    });
  });

  for (const [what, saved, ids, chosen] of [
    ['one group', ['payments'], 'ad', ['payments']],
    ['two groups', ['payments', 'orders'], 'abd', ['orders', 'payments']],
    ['No group', [null], 'c', [undefined]],
    ['a group and No group', [null, 'orders'], 'bc', ['orders', undefined]],
    ['groups with numbers', ['team 10', 'team 2'], 'ef', ['team 2', 'team 10']],
  ] as const) {
    describe(`with ${what} chosen`, () => {
      it('covers their deployments in the order of the list', () => {
        assert.equal(openWindow({ saved }).ids(), ids);
      });

      it('names the groups in the order of their names', () => {
        assert.deepEqual(openWindow({ saved }).myGroups.chosen, chosen);
      });

      it('counts with the names of the groups', () => {
        assert.deepEqual(openWindow({ saved }).myGroups.counts.groups, chosen);
      });

      it('covers just their deployments', () => {
        const { myGroups } = openWindow({ saved });
        const covered = first.filter((deployment) => myGroups.covers(deployment));
        assert.equal(covered.map(({ id }) => id).join(''), ids);
      });
    });
  }

  it('takes names exactly', () => {
    const listed = [inGroup('a', 'payments'), inGroup('b', 'Payments'), inGroup('c', 'payments ')];
    assert.equal(openWindow({ listed, saved: ['payments'] }).ids(), 'a');
  });

  it('counts the deployments that it covers', () => {
    const { counts } = openWindow({ saved: ['payments'] }).myGroups;
    assert.equal(counts.failing, 1);
    assert.equal(counts.total, 2);
  });

  it('counts the others apart', () => {
    const { otherCounts } = openWindow({ saved: ['payments'] }).myGroups;
    assert.deepEqual(otherCounts, countDeployments([...first.slice(1, 3), ...first.slice(4)]));
  });

  it('says that deployments of the workspace are ignored, as the store does', () => {
    const { myGroups } = openWindow({ saved: ['payments'], more: { isListIgnored: true } });
    assert.equal(myGroups.counts.isListIgnored, true);
  });
});

describe('a chosen group that is gone', () => {
  it('drops out', () => {
    const { ids, myGroups, store } = openWindow({ saved: ['payments', 'orders'] });
    store.deployments = first.filter(({ group }) => group !== 'orders');
    assert.deepEqual(myGroups.chosen, ['payments']);
    assert.equal(ids(), 'ad');
  });

  it('counts again when it is back', () => {
    const { ids, myGroups, store } = openWindow({ saved: ['payments', 'orders'] });
    store.deployments = first.filter(({ group }) => group !== 'orders');
    assert.equal(ids(), 'ad');
    store.deployments = [...first];
    assert.equal(ids(), 'abd');
    assert.deepEqual(myGroups.chosen, ['orders', 'payments']);
  });

  it('stays saved', () => {
    const { state, ids } = openWindow({ saved: ['gone', 'payments'] });
    assert.equal(ids(), 'ad');
    assert.deepEqual(state.get('myGroups'), hashed(['gone', 'payments']));
  });

  describe('when none is left', () => {
    it('leaves all deployments', () => {
      const { myGroups, store } = openWindow({ saved: ['gone'] });
      assert.equal(myGroups.deployments, store.deployments);
    });

    it('is not named', () => {
      assert.deepEqual(openWindow({ saved: ['gone'] }).myGroups.chosen, []);
    });

    it('leaves counts without groups', () => {
      assert.equal('groups' in openWindow({ saved: ['gone'] }).myGroups.counts, false);
    });

    it('leaves no others', () => {
      assert.equal(openWindow({ saved: ['gone'] }).myGroups.otherCounts, undefined);
    });
  });
});

describe('a choice that leaves nothing out', () => {
  const everyGroup = ['payments', 'orders', null, 'team 2', 'team 10'];

  it('is not limited', () => {
    assert.equal(openWindow({ saved: everyGroup }).myGroups.isLimited, false);
  });

  it('names all groups', () => {
    const { chosen } = openWindow({ saved: everyGroup }).myGroups;
    assert.deepEqual(chosen, ['orders', 'payments', 'team 2', 'team 10', undefined]);
  });

  it('has the counts of the store, without groups', () => {
    const { myGroups, store } = openWindow({ saved: everyGroup });
    assert.deepEqual(myGroups.counts, store.counts);
  });

  it('counts no others', () => {
    assert.equal(openWindow({ saved: everyGroup }).myGroups.otherCounts, undefined);
  });

  it('is limited when a deployment of another group is listed', () => {
    const { myGroups, store, ids } = openWindow({ saved: everyGroup });
    assert.equal(myGroups.isLimited, false);
    store.deployments = [...first, inGroup('g', 'new')];
    assert.equal(myGroups.isLimited, true);
    assert.equal(ids(), 'abcdef');
  });
});

describe('My Groups', () => {
  it('chooses among the deployments once for each list', () => {
    const { myGroups, store } = openWindow({ saved: ['payments'] });
    const { deployments } = myGroups;
    assert.equal(myGroups.deployments, deployments);
    store.deployments = [...first];
    assert.notEqual(myGroups.deployments, deployments);
  });

  describe('with an empty list', () => {
    for (const saved of [undefined, ['payments'], [null]]) {
      it(`is not limited when ${JSON.stringify(saved) ?? 'nothing'} is chosen`, () => {
        assert.equal(openWindow({ listed: [], saved }).myGroups.isLimited, false);
      });
    }
  });

  describe('with no deployment in a group', () => {
    const listed = [inGroup('a'), inGroup('b')];
    for (const saved of [['payments'], [null], [null, 'payments']]) {
      it(`is not limited when ${JSON.stringify(saved)} is chosen`, () => {
        assert.equal(openWindow({ listed, saved }).myGroups.isLimited, false);
      });
    }
  });

  it('is not limited without an organization', () => {
    const { store } = createWorld([{ id: 'a', group: 'payments' }, { id: 'b' }]);
    const myGroups = new MyGroups(store, new MemoryState({ myGroups: hashed(['payments']) }));
    assert.equal(myGroups.isLimited, true);
    store.setOrganization(undefined);
    assert.equal(myGroups.isLimited, false);
    assert.deepEqual(myGroups.chosen, []);
  });

  describe('when the user chooses', () => {
    it('covers those groups', async () => {
      const { ids, myGroups } = openWindow({ saved: ['orders'] });
      assert.equal(ids(), 'b');
      await myGroups.choose(['payments', undefined]);
      assert.equal(ids(), 'acd');
    });

    it('saves their hashes, and an empty text for No group', async () => {
      const { state, myGroups } = openWindow();
      await myGroups.choose(['payments', undefined]);
      assert.deepEqual(state.saved, [['3zhK6Xx3', '']]);
    });

    it('covers all when none is chosen', async () => {
      const { ids, myGroups } = openWindow({ saved: ['orders'] });
      await myGroups.choose([]);
      assert.equal(ids(), 'abcdef');
    });

    it('saves nothing when none is chosen', async () => {
      const { state, myGroups } = openWindow({ saved: ['orders'] });
      await myGroups.choose([]);
      assert.deepEqual(state.keys(), []);
    });

    it('fires once, when the choice counts already', async () => {
      const { myGroups, ids, eventCount } = openWindow();
      const seen: string[] = [];
      myGroups.onDidChange(() => seen.push(ids()));
      await myGroups.choose(['payments']);
      assert.deepEqual(seen, ['ad']);
      assert.equal(eventCount(), 1);
    });

    it('counts the choice even when it cannot be saved', async () => {
      const { store } = openWindow();
      const full = { get: () => undefined, update: () => Promise.reject(new Error('disk full')) };
      const myGroups = new MyGroups(store, full);
      await assert.rejects(myGroups.choose(['payments']), /disk full/);
      assert.equal(myGroups.isLimited, true);
    });

    it('has the choice in the next window', async () => {
      const { state, store, myGroups } = openWindow();
      await myGroups.choose([undefined, 'orders']);
      assert.deepEqual(new MyGroups(store, state).chosen, ['orders', undefined]);
    });

    it('shows those groups alone, also when all were shown', async () => {
      const { ids, myGroups } = openWindow({ saved: ['orders'] });
      myGroups.showAll();
      await myGroups.choose(['payments']);
      assert.equal(ids(), 'ad');
    });
  });

  describe('while all groups are shown', () => {
    /** A window in which payments is chosen, and all groups are shown. */
    function showAll() {
      const window = openWindow({ saved: ['payments'] });
      window.myGroups.showAll();
      return window;
    }

    it('covers all deployments', () => assert.equal(showAll().ids(), 'abcdef'));

    it('covers a deployment of another group', () => {
      assert.equal(showAll().myGroups.covers({ group: 'orders' }), true);
    });

    it('has counts without groups', () => {
      assert.equal(showAll().myGroups.counts.groups, undefined);
    });

    it('counts no others', () => assert.equal(showAll().myGroups.otherCounts, undefined));

    it('keeps the choice', () => assert.deepEqual(showAll().myGroups.chosen, ['payments']));

    it('saves nothing', () => assert.deepEqual(showAll().state.saved, []));

    it('has fired once', () => assert.equal(showAll().eventCount(), 1));

    it('fires no more when they are to be shown again', () => {
      const { myGroups, eventCount } = showAll();
      myGroups.showAll();
      assert.equal(eventCount(), 1);
    });

    it('covers the chosen groups alone on request', () => {
      const { myGroups, ids } = showAll();
      myGroups.showAgain();
      assert.equal(ids(), 'ad');
    });

    it('fires when the chosen groups are shown again, once', () => {
      const { myGroups, eventCount } = showAll();
      myGroups.showAgain();
      myGroups.showAgain();
      assert.equal(eventCount(), 2);
    });

    it('covers the chosen groups alone after a reload', () => {
      const { store, state } = showAll();
      assert.equal(new MyGroups(store, state).isLimited, true);
    });
  });

  it('does not fire when all are to be shown, but none is left out', () => {
    const { myGroups, eventCount } = openWindow();
    myGroups.showAll();
    assert.equal(eventCount(), 0);
  });

  it('leaves out others as soon as there are some, when all were shown without any', () => {
    const { myGroups, store } = openWindow({ saved: ['gone'] });
    myGroups.showAll();
    store.deployments = [...first, inGroup('g', 'gone')];
    assert.equal(myGroups.isLimited, true);
  });

  for (const [what, saved, chosen] of [
    ['a text', 'payments', []],
    ['a number', 5, []],
    ['null', null, []],
    ['an object', { payments: true }, []],
    ['an empty list', [], []],
    ['a list with other values', [5, 'payments', {}, ['orders'], true], ['payments']],
    ['a list with doubles', ['payments', 'payments', null, null], ['payments', undefined]],
  ] as const) {
    it(`takes what it can from a saved state that is ${what}`, () => {
      assert.deepEqual(openWindow({ saved }).myGroups.chosen, chosen);
    });
  }
});

const states = ['failed', 'notSatisfied', 'unknown', 'notYetRead', 'muted', 'satisfied'] as const;
const groups = ['payments', 'Payments', 'orders', undefined] as const;
const anyGroup = fc.constantFrom<GroupName>(...groups);
const anyListed = fc
  .array(fc.tuple(anyGroup, fc.constantFrom(...states)), { maxLength: 12 })
  .map((all) => all.map(([group, state], at) => inGroup(`dep_${at}`, group, state)));
const anyChoice = fc.array(anyGroup, { maxLength: 4 });

/** Makes a choice among these deployments. */
async function choose(listed: readonly Deployment[], choice: readonly GroupName[]) {
  const window = openWindow({ listed });
  await window.myGroups.choose(choice);
  return window;
}

function numbersOf(counts: Counts) {
  const { groups: _, ...numbers } = counts;
  return numbers;
}

describe('the counts of My Groups', () => {
  it('are those of the deployments that it covers', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, anyChoice, async (listed, choice) => {
        const { myGroups } = await choose(listed, choice);
        assert.deepEqual(numbersOf(myGroups.counts), countDeployments(myGroups.deployments));
      }),
    );
  });

  it('are all counts of the store together with those of the others', async () => {
    const none = countDeployments([]);
    const sum = (a: Counts, b: Counts) => ({
      total: a.total + b.total,
      failing: a.failing + b.failing,
      unknown: a.unknown + b.unknown,
      notYetRead: a.notYetRead + b.notYetRead,
      muted: a.muted + b.muted,
      healthy: a.healthy + b.healthy,
    });
    await fc.assert(
      fc.asyncProperty(anyListed, anyChoice, async (listed, choice) => {
        const { myGroups, store } = await choose(listed, choice);
        assert.deepEqual(sum(myGroups.counts, myGroups.otherCounts ?? none), store.counts);
      }),
    );
  });

  it('name groups exactly when there are others', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, anyChoice, async (listed, choice) => {
        const { counts, otherCounts } = (await choose(listed, choice)).myGroups;
        assert.equal(counts.groups !== undefined, otherCounts !== undefined);
      }),
    );
  });

  it('name the chosen groups in which a deployment is', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, anyChoice, async (listed, choice) => {
        const { myGroups } = await choose(listed, choice);
        const listedGroups = new Set(listed.map(({ group }) => group));
        const expected = new Set(choice.filter((group) => listedGroups.has(group)));
        assert.deepEqual(new Set(myGroups.chosen), expected);
      }),
    );
  });

  it('count just the deployments that covers() names', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, anyChoice, async (listed, choice) => {
        const { myGroups } = await choose(listed, choice);
        const covered = listed.filter((deployment) => myGroups.covers(deployment));
        assert.deepEqual(myGroups.deployments, covered);
      }),
    );
  });
});

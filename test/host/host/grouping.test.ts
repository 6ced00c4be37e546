import { strict as assert } from 'node:assert';
import { Grouping } from '../../../src/host/grouping.js';
import type { ListedDeployment } from '../../../src/model/findings/deployment.js';
import { MemoryState } from '../../support/memoryState.js';

const withGroup: readonly ListedDeployment[] = [{ id: 'a', group: 'payments' }, { id: 'b' }];
const withoutGroups: readonly ListedDeployment[] = [{ id: 'a' }, { id: 'b' }];

/** Opens a window of a workspace that has saved this, and lists these deployments. */
function openWindow(saved: Readonly<Record<string, unknown>> = {}, listed = withGroup) {
  const deploymentList = { listed };
  const state = new MemoryState(saved);
  const grouping = new Grouping(state, deploymentList);
  let events = 0;
  grouping.onDidChange(() => {
    events += 1;
  });
  return {
    deploymentList,
    state,
    grouping,
    /** How many times the event has fired. */
    eventCount: () => events,
    /** The grouping in a later window of the workspace. */
    next: () => new Grouping(state, deploymentList).by,
  };
}

describe('the grouping of the view', () => {
  for (const [what, saved, by] of [
    ['nothing is saved', {}, 'deployment'],
    ['by deployment is saved', { grouping: 'deployment' }, 'deployment'],
    ['by account is saved', { grouping: 'account' }, 'account'],
    ['by group is saved', { grouping: 'group' }, 'group'],
    ['an earlier version has saved by account', { byAccount: true }, 'account'],
    ['an earlier version has saved another value', { byAccount: 'yes' }, 'deployment'],
    ['another one is saved since', { byAccount: true, grouping: 'deployment' }, 'deployment'],
    ['an unknown one is saved', { grouping: 'owner' }, 'deployment'],
    ['an unknown one and that of an earlier version', { grouping: 5, byAccount: true }, 'account'],
  ] as const) {
    it(`is by ${by} when ${what}`, () => assert.equal(openWindow(saved).grouping.by, by));
  }

  for (const by of ['account', 'group', 'deployment'] as const) {
    it(`is by ${by} in the next window when that was chosen`, async () => {
      const { grouping, next } = openWindow({ grouping: by === 'group' ? 'account' : 'group' });
      await grouping.set(by);
      assert.equal(next(), by);
    });
  }

  it('fires once, when the choice counts already', async () => {
    const { grouping, eventCount } = openWindow();
    const seen: string[] = [];
    grouping.onDidChange(() => seen.push(grouping.by));
    await grouping.set('group');
    assert.deepEqual(seen, ['group']);
    assert.equal(eventCount(), 1);
  });

  it('fires nothing when it is chosen again', async () => {
    const { grouping, state, eventCount } = openWindow({ grouping: 'account' });
    await grouping.set('account');
    assert.equal(eventCount(), 0);
    assert.deepEqual(state.saved, []);
  });

  describe('that an earlier version has saved', () => {
    it('is kept as it was saved until the next choice', () => {
      const { state } = openWindow({ byAccount: true });
      assert.deepEqual(state.keys(), ['byAccount']);
    });

    it('is gone after the next choice', async () => {
      const { grouping, state } = openWindow({ byAccount: true });
      await grouping.set('deployment');
      assert.deepEqual(state.keys(), ['grouping']);
    });

    it('does not come back after the next choice', async () => {
      const { grouping, next } = openWindow({ byAccount: true });
      await grouping.set('deployment');
      assert.equal(next(), 'deployment');
    });
  });

  describe('by group', () => {
    it('shows deployments while no entry has a group', () => {
      assert.equal(openWindow({ grouping: 'group' }, withoutGroups).grouping.by, 'deployment');
    });

    it('comes back with the first group in the list', () => {
      const { deploymentList, grouping } = openWindow({ grouping: 'group' }, withoutGroups);
      assert.equal(grouping.by, 'deployment');
      deploymentList.listed = withGroup;
      assert.equal(grouping.by, 'group');
    });

    it('does not come back after a choice of another one', async () => {
      const { deploymentList, grouping } = openWindow({ grouping: 'group' }, withoutGroups);
      await grouping.set('deployment');
      deploymentList.listed = withGroup;
      assert.equal(grouping.by, 'deployment');
    });
  });

  for (const [listed, has] of [
    [withGroup, true],
    [withoutGroups, false],
    [[], false],
  ] as const) {
    it(`${has ? 'offers' : 'does not offer'} groups for ${JSON.stringify(listed)}`, () => {
      assert.equal(openWindow({}, listed).grouping.hasGroups, has);
    });
  }

  it('by account does not depend on groups', () => {
    assert.equal(openWindow({ grouping: 'account' }, withoutGroups).grouping.by, 'account');
  });
});

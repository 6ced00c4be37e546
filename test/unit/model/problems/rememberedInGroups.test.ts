import assert from 'node:assert/strict';
import { day, minute } from '../../../../src/model/base/time.js';
import type { ListedDeployment } from '../../../../src/model/findings/deployment.js';
import { MyGroups } from '../../../../src/model/myGroups.js';
import { bad, createWorld, good, type Outcome } from '../store/world.js';

const listed: readonly ListedDeployment[] = [
  { id: 'a', group: 'payments' },
  { id: 'b', group: 'orders' },
  { id: 'c' },
];

/**
 * Opens a window with deployments of two groups and one without; a and b have a problem. Of that of
 * b, which is in the group orders, the user has muted it for three days or wants a notification.
 */
async function openWindow(asked: 'mute' | 'notify') {
  const world = createWorld(listed);
  const { clock, memory, store, read, reply, state } = world;
  const myGroups = new MyGroups(store, state);
  await read('a', bad);
  await read('b', bad);
  await read('c', good);
  const deployment = store.get('b')!;
  const problem = deployment.answer!.findings.problems[0]!;
  const since = memory.seenSince(problem);
  if (asked === 'mute') memory.mute([{ deployment, problem }], clock.now() + 3 * day);
  else memory.notifyWhenFixed([{ deployment, problem }]);
  const outcomes: string[] = [];
  memory.onDidFindOutcomes((all) => outcomes.push(...all.map(({ kind }) => kind)));
  return {
    ...world,
    myGroups,
    problem,
    since,
    outcomes,
    /** Reads all listed deployments an hour later; b has this answer. */
    refresh: async (outcomeOfB: Outcome = bad) => {
      clock.pass(60 * minute);
      const done = store.refresh();
      for (const { id } of store.deployments) {
        await reply(id, id === 'b' ? outcomeOfB : good);
      }
      await done;
    },
  };
}

type Window = Awaited<ReturnType<typeof openWindow>>;

const changes: readonly [what: string, change: (window: Window) => unknown][] = [
  ['the user chooses another group', ({ myGroups }) => myGroups.choose(['payments'])],
  ['the user chooses No group', ({ myGroups }) => myGroups.choose([undefined])],
  [
    'its deployment gets another group',
    ({ store }) => store.setListed(listed.map((one) => ({ ...one, group: 'payments' }))),
  ],
  [
    'its deployment loses its group',
    ({ store }) => store.setListed(listed.map(({ id }) => ({ id }))),
  ],
  [
    'all groups are shown again',
    async ({ myGroups }) => {
      await myGroups.choose(['payments']);
      myGroups.showAll();
    },
  ],
  [
    'its group is not chosen any more',
    async ({ myGroups, store }) => {
      await myGroups.choose(['orders']);
      store.setListed(listed.map((one) => ({ ...one, group: one.id === 'c' ? 'orders' : 'x' })));
    },
  ],
];

describe('the memory of a problem', () => {
  for (const [what, change] of changes) {
    describe(`when ${what}`, () => {
      it('keeps the mute', async () => {
        const window = await openWindow('mute');
        await change(window);
        await window.refresh();
        assert.equal(window.memory.muteOf(window.problem)?.isUntilChange, false);
        assert.equal(window.store.get('b')?.state, 'muted');
      });

      it('keeps the time of the first sight', async () => {
        const window = await openWindow('mute');
        await change(window);
        await window.refresh();
        assert.equal(window.memory.seenSince(window.problem), window.since);
      });

      it('keeps a wanted notification', async () => {
        const window = await openWindow('notify');
        await change(window);
        await window.refresh();
        assert.equal(window.memory.notifies(window.problem), true);
        assert.deepEqual(window.outcomes, []);
      });

      it('notifies when it is fixed', async () => {
        const window = await openWindow('notify');
        await change(window);
        await window.refresh(good);
        assert.deepEqual(window.outcomes, ['fixed']);
      });

      it('finds no new problem', async () => {
        const window = await openWindow('mute');
        window.found.length = 0;
        await change(window);
        await window.refresh();
        assert.deepEqual(window.found, []);
      });
    });
  }

  it('is saved for deployments of groups that are not chosen', async () => {
    const window = await openWindow('mute');
    await window.myGroups.choose(['payments']);
    await window.refresh();
    const { clock, state } = window;
    const saved = { problemMemory: state.get('problemMemory'), myGroups: state.get('myGroups') };
    const next = createWorld(listed, { state: saved, clock });
    await next.read('b', bad);
    assert.equal(next.store.get('b')?.state, 'muted');
  });
});

describe('a refresh while a group is chosen', () => {
  it('reads the deployments of all groups', async () => {
    const window = await openWindow('mute');
    await window.myGroups.choose(['payments']);
    const before = window.platform.ids.length;
    await window.refresh();
    assert.deepEqual(Array.from(window.platform.ids.slice(before)).toSorted(), ['a', 'b', 'c']);
  });

  it('finds new problems of all groups', async () => {
    const window = await openWindow('mute');
    await window.myGroups.choose(['orders']);
    const done = window.store.refresh();
    await window.reply('abc', bad);
    await done;
    assert.deepEqual(window.found, ['c']);
  });
});

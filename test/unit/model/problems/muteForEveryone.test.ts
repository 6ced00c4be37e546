import assert from 'node:assert/strict';
import {
  type DeploymentAuthorization,
  decodeDeploymentAuthorization,
} from '../../../../src/api/authorization.js';
import { DecodeIssues } from '../../../../src/api/decode.js';
import { day, minute } from '../../../../src/model/base/time.js';
import { type MuteEntry, readMuteEntries } from '../../../../src/model/entered/muteEntries.js';
import { mutedProblems, stateOfFinding } from '../../../../src/model/findings/state.js';
import { ChangesWhileAway } from '../../../../src/model/problems/changesWhileAway.js';
import { MutesForEveryone } from '../../../../src/model/problems/mutes.js';
import type { StoreChange } from '../../../../src/model/store/store.js';
import { ManualClock, turn } from '../../../support/manualClock.js';
import { createWorld, good, list, type Outcome } from '../store/world.js';

const start = Date.UTC(2026, 10, 25, 12);
/** When `entryOf` ends by default: in a day and a half. */
const end = Date.UTC(2026, 10, 27);

/** The mute of the account `acc` to the end of this day. */
function entryOf(until = '2026-11-26', error = 'revoked'): MuteEntry {
  const value = [{ account: 'acc', error, since: '2026-11-25', until, reason: 'App review' }];
  const { entries } = readMuteEntries(value, { now: start, hasToken: () => false });
  return entries[0]!.entry;
}

const scopeOf = (...entries: readonly MuteEntry[]) => ({ entries, deploymentIds: undefined });

/** A failed account, with a requirement that it keeps from being satisfied. */
const revoked = (code = 'revoked'): DeploymentAuthorization => ({
  accounts: [{ id: 'acc', error: { code } }],
  requirements: [{ binding: 'notifier', accountId: 'acc', satisfied: false }],
});
const works: DeploymentAuthorization = { accounts: [{ id: 'acc' }], requirements: [] };

/** Opens a window on 25 November 2026 at noon in UTC, in which these deployments are listed and read. */
async function openWindow(
  answers: Readonly<Record<string, Outcome>>,
  { entries = [] as readonly MuteEntry[], clock = new ManualClock(start) } = {},
) {
  const ids = Object.keys(answers).join('');
  const mutes = new MutesForEveryone([scopeOf(...entries)]);
  const world = createWorld(ids, { clock, mutes });
  const { memory, muteEntries, store, read } = world;
  for (const id of ids) await read(id, answers[id]!);
  const events = { mutes: 0, store: [] as StoreChange[] };
  memory.onDidChangeMutes(() => {
    events.mutes += 1;
  });
  store.onDidChange((change) => events.store.push(change));
  const problemOf = (id: string) => {
    const deployment = store.get(id)!;
    const problem = deployment.answer!.findings.problems[0]!;
    return { deployment, problem };
  };
  return {
    ...world,
    /** How often mutes were said to have changed, and which deployments were. */
    events,
    problemOf,
    muteOf: (id: string) => memory.muteOf(problemOf(id).problem),
    /** The state of each deployment: "muted satisfied". */
    states: () => Array.from(ids, (id) => store.get(id)?.state).join(' '),
    /** Edits the setting of the workspace. */
    edit: (...some: readonly MuteEntry[]) => muteEntries.set(scopeOf(...some)),
    /** Mutes the problem of a deployment for the user alone. `until`: epoch ms. */
    muteAlone: (id: string, until: number) => memory.mute([problemOf(id)], until),
    /** Lets the time pass to this epoch ms. */
    passTo: (at: number) => clock.pass(at - clock.now()),
  };
}

describe('a mute for everyone', () => {
  it('mutes the account in every deployment', async () => {
    const { states } = await openWindow(
      { a: revoked(), b: revoked(), c: good },
      { entries: [entryOf()] },
    );
    assert.equal(states(), 'muted muted satisfied');
  });

  it('mutes a requirement that needs the account', async () => {
    const { memory, store } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    const requirement = store.get('a')!.answer!.findings.requirements[0]!;
    assert.equal(stateOfFinding(requirement, memory), 'muted');
  });

  it('is told from one of the user alone', async () => {
    const { muteOf } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    assert.equal(muteOf('a')?.forEveryone?.reason, 'App review');
  });

  it('ends with its last day in UTC', async () => {
    const { passTo, states } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    passTo(end - 1);
    assert.equal(states(), 'muted');
    passTo(end);
    assert.equal(states(), 'failed');
  });

  it('is not said to have changed by a refresh', async () => {
    const { events, read } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    await read('a', revoked());
    assert.equal(events.mutes, 0);
  });

  it('is said once to have ended', async () => {
    const { events, passTo } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    passTo(end + day);
    assert.equal(events.mutes, 1);
  });

  it('is said once to have ended when another ends at the same time', async () => {
    const entries = [entryOf(), entryOf('2026-11-26', 'expired')];
    const { events, passTo } = await openWindow({ a: revoked() }, { entries });
    passTo(end);
    assert.equal(events.mutes, 1);
  });

  it('is said to have ended when another goes on', async () => {
    const entries = [entryOf('2026-11-30', 'expired'), entryOf()];
    const { passTo, states } = await openWindow({ a: revoked() }, { entries });
    passTo(end);
    assert.equal(states(), 'failed');
  });

  it('ends by its timer when it was written while the window was open', async () => {
    const { edit, passTo, states } = await openWindow({ a: revoked() });
    edit(entryOf());
    passTo(end);
    assert.equal(states(), 'failed');
  });

  it('leaves no timer when it has ended', async () => {
    const { clock, passTo } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    passTo(end);
    assert.equal(clock.waiting, 0);
  });

  it('leaves no timer when it is taken out', async () => {
    const { clock, edit } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    edit();
    assert.equal(clock.waiting, 0);
  });

  it('leaves no timer when it is written after the window has closed', async () => {
    const { clock, edit, store } = await openWindow({ a: revoked() });
    store.dispose();
    edit(entryOf());
    assert.equal(clock.waiting, 0);
  });

  it('ends at the next answer when the machine slept past its end', async () => {
    const { clock, read, states } = await openWindow(
      { a: revoked(), b: good },
      { entries: [entryOf()] },
    );
    clock.sleep(2 * day);
    await read('b', good);
    assert.equal(states(), 'failed satisfied');
  });

  it('makes no problem new when it ends', async () => {
    const { found, passTo, read } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    passTo(end);
    await read('a', revoked());
    assert.deepEqual(found, []);
  });

  it('makes no change while the user was away when it ends', async () => {
    const { clock, memory, passTo, read, states, store } = await openWindow(
      { a: revoked() },
      { entries: [entryOf()] },
    );
    const settings = { refreshInterval: 5 };
    const changes = new ChangesWhileAway(store, {
      now: clock.now,
      settings,
      mutes: memory,
      covers: () => true,
    });
    const found: unknown[] = [];
    changes.onDidFind((one) => found.push(one));
    changes.focusLost();
    passTo(end);
    changes.focusReturned();
    await read('a', revoked());
    assert.equal(states(), 'failed');
    assert.deepEqual(found, []);
  });

  it('mutes a problem that is gone and comes back as it was', async () => {
    const { read, states } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    await read('a', works);
    await read('a', revoked());
    assert.equal(states(), 'muted');
  });

  it('does not mute a problem that comes back with another error', async () => {
    const { read, states } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    await read('a', works);
    await read('a', revoked('expired'));
    assert.equal(states(), 'failed');
  });

  it('mutes only the deployment whose answer has the error', async () => {
    const { states } = await openWindow(
      { a: revoked(), b: revoked('expired') },
      { entries: [entryOf()] },
    );
    assert.equal(states(), 'muted failed');
  });

  it('mutes only the deployments for which its folder holds', async () => {
    const { muteEntries, states } = await openWindow({ a: revoked(), b: revoked() });
    muteEntries.set({ entries: [entryOf()], deploymentIds: new Set('b') });
    assert.equal(states(), 'failed muted');
  });

  it('holds after another organization was shown', async () => {
    const { platform, read, states, store } = await openWindow(
      { a: revoked() },
      { entries: [entryOf()] },
    );
    store.setOrganization({ id: 'other', read: platform.read });
    store.setOrganization({ id: 'org', read: platform.read });
    await read('a', revoked());
    assert.equal(states(), 'muted');
  });

  it('holds after an organization was signed out', async () => {
    const { memory, states } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    memory.keepOrganizations([]);
    assert.equal(states(), 'muted');
  });

  it('holds after the user has ended a mute of the own', async () => {
    const { memory, muteAlone, problemOf, states } = await openWindow(
      { a: revoked() },
      { entries: [entryOf()] },
    );
    muteAlone('a', start + 10 * day);
    memory.unmute([problemOf('a').problem]);
    assert.equal(states(), 'muted');
  });

  it('is not saved with what the workspace remembers', async () => {
    const { edit, read, state } = await openWindow({ a: revoked() });
    edit(entryOf());
    await read('a', revoked());
    assert.doesNotMatch(JSON.stringify(state.saved), /App review|2026-11|acc/);
  });
});

describe('an edit of the mutes for everyone', () => {
  it('mutes at once', async () => {
    const { edit, states } = await openWindow({ a: revoked(), b: good });
    edit(entryOf());
    assert.equal(states(), 'muted satisfied');
  });

  it('ends a mute at once', async () => {
    const { edit, states } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    edit();
    assert.equal(states(), 'failed');
  });

  it('sends no request', async () => {
    const { edit, platform } = await openWindow({ a: revoked() });
    const sent = platform.ids;
    edit(entryOf());
    await turn();
    assert.equal(platform.ids, sent);
  });

  it('saves nothing', async () => {
    const { edit, state } = await openWindow({ a: revoked() });
    const savedBefore = state.saved.length;
    edit(entryOf());
    assert.equal(state.saved.length, savedBefore);
  });

  it('is told by the store', async () => {
    const { clock, edit, events } = await openWindow({ a: revoked() });
    clock.pass(minute);
    edit(entryOf());
    await turn();
    assert.deepEqual(events.store, ['all']);
  });

  it('is said once', async () => {
    const { edit, events } = await openWindow({ a: revoked() });
    edit(entryOf());
    assert.equal(events.mutes, 1);
  });

  it('keeps the answer of the deployment', async () => {
    const { edit, store } = await openWindow({ a: revoked() });
    const { answer } = store.get('a')!;
    edit(entryOf());
    assert.equal(store.get('a')?.answer, answer);
  });
});

describe('a problem that is not as it was muted', () => {
  const changed = () => openWindow({ a: revoked('expired') }, { entries: [entryOf()] });

  it('is known as such', async () => {
    const { memory, problemOf } = await changed();
    assert.equal(memory.hasChangedSinceMuted(problemOf('a').problem), true);
  });

  it('is not known as such any more when the entry has ended', async () => {
    const { memory, passTo, problemOf } = await changed();
    passTo(end);
    assert.equal(memory.hasChangedSinceMuted(problemOf('a').problem), false);
  });

  it('is not known as such while the user mutes it alone', async () => {
    const { memory, muteAlone, problemOf } = await changed();
    muteAlone('a', start + day);
    assert.equal(memory.hasChangedSinceMuted(problemOf('a').problem), false);
  });
});

describe("a user's mute beside one for everyone", () => {
  const open = () => openWindow({ a: revoked() }, { entries: [entryOf()] });

  for (const [what, until, expected] of [
    ['its own when that is later', end + 1, end + 1],
    ['that for everyone when its own is earlier', end - 1, end],
  ] as const) {
    it(`has the end of ${what}`, async () => {
      const { muteAlone, muteOf } = await open();
      muteAlone('a', until);
      assert.equal(muteOf('a')?.until, expected);
    });
  }

  for (const [what, until, isForEveryone] of [
    ['of the user alone when its own end is later', end + 1, false],
    ['for everyone when its own end is earlier', end - 1, true],
    ['for everyone when both end at the same time', end, true],
  ] as const) {
    it(`is ${what}`, async () => {
      const { muteAlone, muteOf } = await open();
      muteAlone('a', until);
      assert.equal(muteOf('a')?.forEveryone !== undefined, isForEveryone);
    });
  }

  it('is one until the problem changes when that lasts longer', async () => {
    const { memory, muteOf, problemOf } = await open();
    memory.mute([problemOf('a')], end + day, true);
    assert.equal(muteOf('a')?.isUntilChange, true);
  });

  it('is not one until the problem changes when that ends before', async () => {
    const { memory, muteOf, problemOf } = await open();
    memory.mute([problemOf('a')], end - 1, true);
    assert.equal(muteOf('a')?.isUntilChange, false);
  });

  for (const [what, until] of [
    ['later', end + day],
    ['earlier', end - 1],
  ] as const) {
    it(`has both ends told when its own is the ${what} one`, async () => {
      const { events, muteAlone, passTo } = await open();
      muteAlone('a', until);
      events.mutes = 0;
      passTo(end + 2 * day);
      assert.equal(events.mutes, 2);
    });
  }

  it('is said once to have ended when both end at the same time', async () => {
    const { events, muteAlone, passTo } = await open();
    muteAlone('a', end);
    events.mutes = 0;
    passTo(end);
    assert.equal(events.mutes, 1);
  });

  it('goes on after that for everyone has ended', async () => {
    const { muteAlone, passTo, states } = await open();
    muteAlone('a', end + day);
    passTo(end);
    assert.equal(states(), 'muted');
  });

  it('has ended at its end although the machine slept', async () => {
    const { clock, memory, muteAlone, problemOf } = await open();
    muteAlone('a', start + day);
    clock.sleep(start + day - clock.now());
    assert.equal(memory.ownMuteOf(problemOf('a').problem), undefined);
  });

  it('is known apart from that for everyone', async () => {
    const { memory, muteAlone, problemOf } = await open();
    muteAlone('a', start + day);
    assert.equal(memory.ownMuteOf(problemOf('a').problem)?.until, start + day);
  });

  it('is none when only that for everyone mutes', async () => {
    const { memory, problemOf } = await open();
    assert.equal(memory.ownMuteOf(problemOf('a').problem), undefined);
  });
});

describe('a wanted notification', () => {
  const notifying = async () => {
    const window = await openWindow({ a: revoked() });
    const outcomes: string[] = [];
    window.memory.onDidFindOutcomes((found) => outcomes.push(...found.map(({ kind }) => kind)));
    window.memory.notifyWhenFixed([window.problemOf('a')]);
    return { ...window, outcomes };
  };

  it('stays wanted when the problem is muted for everyone', async () => {
    const { edit, memory, problemOf } = await notifying();
    edit(entryOf());
    assert.equal(memory.notifies(problemOf('a').problem), true);
  });

  it('ends when the user mutes the problem alone', async () => {
    const { edit, memory, muteAlone, problemOf } = await notifying();
    edit(entryOf());
    muteAlone('a', start + day);
    assert.equal(memory.notifies(problemOf('a').problem), false);
  });

  it('comes when a problem that is muted for everyone is fixed', async () => {
    const { edit, outcomes, read } = await notifying();
    edit(entryOf());
    await read('a', works);
    assert.deepEqual(outcomes, ['fixed']);
  });

  it('comes when a problem that is muted for everyone has changed', async () => {
    const { edit, outcomes, read } = await notifying();
    edit(entryOf());
    await read('a', revoked('expired'));
    assert.deepEqual(outcomes, ['changed']);
  });
});

const unreadable: readonly (readonly [what: string, outcome: Outcome])[] = [
  ['was not found (404)', { kind: 'notFound', status: 404 }],
  ['is not permitted (403)', { kind: 'notPermitted', status: 403 }],
  ['timed out', { kind: 'timedOut', after: 30_000 }],
];

describe('a deployment with an entry', () => {
  /** Answers beside the deployment, so that its failure is not that of all. */
  const others = { b: good, c: good, d: good };

  for (const [what, failure] of unreadable) {
    it(`is unknown when its first read ${what}`, async () => {
      const { store } = await openWindow({ ...others, a: failure }, { entries: [entryOf()] });
      assert.equal(store.get('a')?.state, 'unknown');
    });

    it(`is unknown when its next read ${what}`, async () => {
      const { read } = await openWindow({ ...others, a: revoked() }, { entries: [entryOf()] });
      const deployment = await read('a', failure);
      assert.equal(deployment?.state, 'unknown');
    });

    it(`stays unknown by a new entry when its last read ${what}`, async () => {
      const { edit, read, store } = await openWindow({ ...others, a: revoked() });
      await read('a', failure);
      edit(entryOf());
      assert.equal(store.get('a')?.state, 'unknown');
    });
  }

  it('stays unread when the token is rejected (401)', async () => {
    const { store } = await openWindow(
      { a: { kind: 'tokenRejected', status: 401 } },
      { entries: [entryOf()] },
    );
    assert.equal(store.get('a')?.state, 'notYetRead');
  });

  for (const [what, json, state] of [
    ['error', { accounts: [{ id: 'acc', error: 'revoked' }], requirements: [] }, 'unknown'],
    ['account beside that', { accounts: [revoked().accounts[0], 5], requirements: [] }, 'unknown'],
    ['error code', { accounts: [{ id: 'acc', error: { code: 5 } }], requirements: [] }, 'failed'],
    ['ID', { accounts: [{ id: 5, error: { code: 'revoked' } }], requirements: [] }, 'failed'],
    ['list of requirements', { accounts: [revoked().accounts[0]] }, 'unknown'],
    [
      'requirement beside that',
      { accounts: [revoked().accounts[0]], requirements: [{ binding: 'n', satisfied: 'no' }] },
      'unknown',
    ],
  ] as const) {
    it(`is ${state} when its answer has an unreadable ${what}`, async () => {
      const { read } = await openWindow(
        { a: good },
        { entries: [entryOf(), entryOf(undefined, '')] },
      );
      const issues = new DecodeIssues();
      const answer = decodeDeploymentAuthorization(json, issues)!;
      const deployment = await read('a', answer, issues.list);
      assert.equal(deployment?.state, state);
    });
  }

  it('is muted again after it left the list', async () => {
    const { read, store } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    store.setListed([]);
    store.setListed(list('a'));
    const deployment = await read('a', revoked());
    assert.equal(deployment?.state, 'muted');
  });

  it('has the muted problem listed apart', async () => {
    const { memory, store } = await openWindow({ a: revoked() }, { entries: [entryOf()] });
    const muted = mutedProblems(store.get('a')?.answer?.findings, memory);
    assert.deepEqual(
      muted.map(({ key }) => key),
      ['["account","acc"]'],
    );
  });
});

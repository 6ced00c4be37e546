import assert from 'node:assert/strict';
import {
  type DeploymentAuthorization,
  decodeDeploymentAuthorization,
  type Requirement,
} from '../../../../src/api/authorization.js';
import { DecodeIssues } from '../../../../src/api/decode.js';
import { day } from '../../../../src/model/base/time.js';
import { mutedProblems } from '../../../../src/model/findings/state.js';
import type { Outcome as Ended } from '../../../../src/model/problems/outcomes.js';
import { createWorld, good, list, type Outcome } from '../store/world.js';

const notFound = { kind: 'notFound', status: 404 } as const;
const unreadable = [{ path: 'accounts[0]', expected: 'object', found: 'null' }] as const;

/** A failed account, with a requirement that it keeps from being satisfied. */
const revoked = (code = 'revoked'): DeploymentAuthorization => ({
  accounts: [{ id: 'acc', label: 'Finance', error: { code } }],
  requirements: [{ binding: 'notifier', accountId: 'acc', satisfied: false }],
});
const works: DeploymentAuthorization = {
  accounts: [{ id: 'acc', label: 'Finance' }],
  requirements: [{ binding: 'notifier', accountId: 'acc', satisfied: true }],
};
const unbound: DeploymentAuthorization = { accounts: [], requirements: [] };
const requirement = (more: Partial<Requirement> = {}): DeploymentAuthorization => ({
  accounts: [{ id: 'acc', label: 'Finance', connectionMethodId: 'm', scopes: [] }],
  requirements: [{ binding: 'notifier', accountId: 'acc', satisfied: false, ...more }],
});
/** One of several requirements that are equal but for their accounts. */
const bot = (accountId: string, satisfied: boolean) => ({
  binding: 'bot',
  serviceId: 'slack',
  accountId,
  satisfied,
});
const bots = (first: Requirement, second: Requirement): DeploymentAuthorization => ({
  accounts: [],
  requirements: [first, second],
});
const lacking = (...requiredScopes: readonly string[]) =>
  requirement({ connections: [{ connectionMethodId: 'm', requiredScopes: [...requiredScopes] }] });

/** Decodes JSON as the client does: the value, and the fields that could not be decoded. */
function decoded(json: unknown) {
  const issues = new DecodeIssues();
  const value = decodeDeploymentAuthorization(json, issues);
  assert.ok(value);
  return [value, issues.list] as const;
}

/** "fixed Finance in ab", "changed a: Finance", "gone a" */
function describeOutcome(outcome: Ended): string {
  switch (outcome.kind) {
    case 'fixed':
      return `fixed ${outcome.finding.name} in ${outcome.deployments.map(({ id }) => id).join('')}`;
    case 'changed':
      return `changed ${outcome.deployment.id}: ${outcome.problem.finding.name}`;
    case 'gone':
      return `gone ${outcome.deployment.id}`;
  }
}

/** Opens a window in which these deployments are listed and read. `state`: what an earlier window saved. */
async function openWindow(answers: Readonly<Record<string, Outcome>>, state = {}) {
  const ids = Object.keys(answers).join('');
  const world = createWorld(ids, { state });
  const { memory, store, read } = world;
  /** One list for each notification. */
  const notified: (readonly string[])[] = [];
  memory.onDidFindOutcomes((outcomes) => notified.push(outcomes.map(describeOutcome)));
  for (const id of ids) await read(id, answers[id]!);
  const problems = (id: string) => {
    const deployment = store.get(id)!;
    return (deployment.answer?.findings.problems ?? []).map((problem) => ({ deployment, problem }));
  };
  return {
    ...world,
    notified,
    problems,
    /** Whether the user will be notified of a problem of this deployment. */
    isNotifying: (id: string) => problems(id).some(({ problem }) => memory.notifies(problem)),
    saved: () => ({ problemMemory: world.state.get('problemMemory') }),
  };
}

/** Opens a window in which the user has asked to be notified when the problems of a are fixed. */
async function openNotifying(answers: Readonly<Record<string, Outcome>>) {
  const window = await openWindow(answers);
  window.memory.notifyWhenFixed(window.problems('a'));
  return window;
}

describe('Notify When Fixed of an account', () => {
  it('notifies once for all deployments that have the account', async () => {
    const { notified, read, refreshDeployments, reply } = await openNotifying({
      a: revoked(),
      b: revoked(),
      c: good,
    });
    const done = refreshDeployments('ab');
    await reply('ab', works);
    await done;
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in ab']]);
  });

  it('notifies of several accounts together', async () => {
    const { memory, notified, problems, refreshDeployments, reply } = await openNotifying({
      a: revoked(),
      b: { accounts: [{ id: 'acc2', label: 'Ops', error: {} }], requirements: [] },
    });
    memory.notifyWhenFixed(problems('b'));
    const done = refreshDeployments('ab');
    await reply('a', works);
    await reply('b', { accounts: [{ id: 'acc2', label: 'Ops' }], requirements: [] });
    await done;
    assert.deepEqual(notified, [['fixed Finance in a', 'fixed Ops in b']]);
  });

  it('waits for the end of the refresh', async () => {
    const { notified, refreshDeployments, reply } = await openNotifying({ a: revoked(), b: good });
    const done = refreshDeployments('ab');
    await reply('a', works);
    assert.deepEqual(notified, []);
    await reply('b', good);
    await done;
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('notifies when another deployment shows the account working', async () => {
    const { notified, read } = await openNotifying({ a: revoked(), b: revoked() });
    await read('b', works);
    assert.deepEqual(notified, [['fixed Finance in ab']]);
  });

  it('notifies in the next window after a failed read there', async () => {
    const { saved } = await openNotifying({ a: revoked() });
    const { notified, read } = await openWindow({ a: notFound }, saved());
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('has no time limit', async () => {
    const { clock, notified, read } = await openNotifying({ a: revoked() });
    clock.pass(400 * day);
    await read('a', revoked());
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('notifies of a change when the error code is another one', async () => {
    const { notified, read } = await openNotifying({ a: revoked() });
    await read('a', revoked('expired'));
    assert.deepEqual(notified, [['changed a: Finance']]);
  });

  it('ends when the error code is another one', async () => {
    const { isNotifying, notified, read } = await openNotifying({ a: revoked() });
    await read('a', revoked('expired'));
    notified.length = 0;
    assert.equal(isNotifying('a'), false);
    await read('a', works);
    assert.deepEqual(notified, []);
  });

  it('compares with the error code that a running refresh has just shown', async () => {
    const { memory, notified, problems, refreshDeployments, reply, read } = await openWindow({
      a: revoked(),
      b: good,
    });
    const done = refreshDeployments('ab');
    await reply('a', revoked('expired'));
    memory.notifyWhenFixed(problems('a'));
    await reply('b', good);
    await done;
    assert.deepEqual(notified, []);
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('notifies that the account is gone when no answer names it any more', async () => {
    const { notified, read } = await openNotifying({ a: revoked() });
    await read('a', unbound);
    assert.deepEqual(notified, [['gone a']]);
  });

  it('notifies of a gone account when another one has failed in its place', async () => {
    const { notified, read } = await openNotifying({ a: revoked() });
    await read('a', { accounts: [{ id: 'acc2', label: 'Ops', error: {} }], requirements: [] });
    assert.deepEqual(notified, [['gone a']]);
  });

  it('notifies when a newly listed deployment shows the account working', async () => {
    const { notified, read, store } = await openNotifying({ a: revoked() });
    store.setListed(list('ab'));
    await read('b', works);
    assert.deepEqual(notified, [['fixed Finance in ab']]);
  });

  it('compares with the newest error code when the row shows an older one', async () => {
    const { memory, notified, problems, read } = await openWindow({
      a: revoked('older'),
      b: revoked('newer'),
    });
    memory.notifyWhenFixed(problems('a'));
    await read('b', revoked('newer'));
    assert.deepEqual(notified, []);
    await read('b', revoked('newest'));
    assert.deepEqual(notified, [['changed b: Finance']]);
  });

  it('goes on after an answer whose error code is unreadable', async () => {
    const { notified, read } = await openNotifying({ a: revoked() });
    const { accounts, requirements } = revoked();
    const withUnreadableCode = {
      accounts: [{ ...accounts[0], error: { code: 17 } }],
      requirements,
    };
    await read('a', ...decoded(withUnreadableCode));
    await read('a', revoked());
    assert.deepEqual(notified, []);
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('compares with the first readable error code when the row had none', async () => {
    const { accounts, requirements } = revoked();
    const { memory, notified, problems, read } = await openWindow({ a: good });
    const withUnreadableCode = {
      accounts: [{ ...accounts[0], error: { code: 17 } }],
      requirements,
    };
    await read('a', ...decoded(withUnreadableCode));
    memory.notifyWhenFixed(problems('a'));
    await read('a', revoked());
    assert.deepEqual(notified, []);
    await read('a', revoked('expired'));
    assert.deepEqual(notified, [['changed a: Finance']]);
  });

  it('keeps a changed error code from being a new problem', async () => {
    const { found, read } = await openNotifying({ a: revoked() });
    await read('a', revoked('expired'));
    assert.deepEqual(found, []);
  });

  for (const [what, answer, issues] of [
    ['a failed read', notFound, []],
    ['an answer with an unreadable account beside this one', works, unreadable],
    ['an answer whose only account is unreadable', unbound, unreadable],
  ] as const) {
    it(`goes on after ${what}`, async () => {
      const { isNotifying, notified, read } = await openNotifying({ a: revoked() });
      await read('a', answer, [...issues]);
      assert.deepEqual(notified, []);
      await read('a', revoked());
      assert.equal(isNotifying('a'), true);
    });
  }

  it('ends silently when the account is muted', async () => {
    const { clock, isNotifying, memory, notified, problems, read } = await openNotifying({
      a: revoked(),
    });
    memory.mute(problems('a'), clock.now() + day);
    assert.equal(isNotifying('a'), false);
    memory.unmute(mutedProblems({ problems: problems('a').map(({ problem }) => problem) }, memory));
    await read('a', works);
    assert.deepEqual(notified, []);
  });

  it('notifies of an account that is muted', async () => {
    const { clock, memory, notified, problems, read } = await openWindow({ a: revoked() });
    memory.mute(problems('a'), clock.now() + day);
    memory.notifyWhenFixed(problems('a'));
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('goes on while a listed deployment has the account', async () => {
    const { memory, read, store } = await openNotifying({ a: revoked(), b: revoked(), c: good });
    store.setListed(list('bc'));
    await read('c', good);
    assert.equal(memory.isNotifying, true);
  });

  it('ends silently when no listed deployment has the account any more', async () => {
    const { memory, notified, read, store } = await openNotifying({
      a: revoked(),
      b: revoked(),
      c: good,
    });
    for (const listed of ['bc', 'c']) {
      store.setListed(list(listed));
      await read('c', good);
    }
    assert.equal(memory.isNotifying, false);
    assert.deepEqual(notified, []);
  });

  it('ends silently when the organization is signed out', async () => {
    const { memory, notified, read } = await openNotifying({ a: revoked() });
    memory.keepOrganizations([]);
    await read('a', works);
    assert.deepEqual(notified, []);
    assert.equal(memory.isNotifying, false);
  });

  it('ends when the user stops the notification', async () => {
    const { isNotifying, memory, notified, problems, read } = await openNotifying({ a: revoked() });
    memory.stopNotifying(problems('a').map(({ problem }) => problem));
    assert.equal(isNotifying('a'), false);
    await read('a', works);
    assert.deepEqual(notified, []);
  });

  it('is not saved any more after the user has stopped the notification', async () => {
    const { memory, problems, saved } = await openNotifying({ a: revoked() });
    const signToNotifyOf = /"[\w-]{6}"\]\}/;
    assert.match(JSON.stringify(saved()), signToNotifyOf);
    memory.stopNotifying(problems('a').map(({ problem }) => problem));
    assert.doesNotMatch(JSON.stringify(saved()), signToNotifyOf);
  });

  it('fires an event when it begins and when it ends', async () => {
    const { memory, problems, read } = await openWindow({ a: revoked() });
    const isNotifyingAtEvents: boolean[] = [];
    memory.onDidChangeNotifying(() => isNotifyingAtEvents.push(memory.isNotifying));
    memory.notifyWhenFixed(problems('a'));
    await read('a', works);
    assert.deepEqual(isNotifyingAtEvents, [true, false]);
  });
});

describe('Notify When Fixed of a requirement', () => {
  it('notifies when the requirement is satisfied', async () => {
    const { notified, read } = await openNotifying({ a: requirement() });
    await read('a', requirement({ satisfied: true }));
    assert.deepEqual(notified, [['fixed notifier in a']]);
  });

  it('goes on after an answer that does not say whether it is satisfied', async () => {
    const { notified, read } = await openNotifying({ a: requirement() });
    const { satisfied: _, ...unknown } = requirement().requirements[0]!;
    await read('a', { accounts: [], requirements: [unknown] });
    assert.deepEqual(notified, []);
    await read('a', requirement({ satisfied: true }));
    assert.deepEqual(notified, [['fixed notifier in a']]);
  });

  it('notifies of a change when another scope is missing', async () => {
    const { notified, read } = await openNotifying({ a: lacking('read') });
    await read('a', lacking('read', 'write'));
    assert.deepEqual(notified, [['changed a: notifier']]);
  });

  it('does not notify of a change when a scope is unreadable', async () => {
    const { notified, read } = await openNotifying({ a: lacking('read') });
    const { accounts, requirements } = lacking('read');
    await read('a', ...decoded({ accounts: [{ ...accounts[0], scopes: [5] }], requirements }));
    assert.deepEqual(notified, []);
  });

  it('notifies of a change when one of the same name is unsatisfied', async () => {
    const { notified, read } = await openNotifying({ a: bots(bot('a', false), bot('b', true)) });
    await read('a', bots(bot('c', false), bot('b', true)));
    assert.deepEqual(notified, [['changed a: bot']]);
  });

  it('notifies of a gone requirement when another one has a problem', async () => {
    const { notified, read } = await openNotifying({ a: requirement() });
    await read('a', {
      accounts: [],
      requirements: [{ binding: 'mailer', serviceId: 'gmail', satisfied: false }],
    });
    assert.deepEqual(notified, [['gone a']]);
  });

  it('notifies of a change when the account has failed', async () => {
    const { notified, read } = await openNotifying({ a: requirement() });
    await read('a', revoked());
    assert.deepEqual(notified, [['changed a: Finance']]);
  });

  it('notifies of a gone requirement when no requirement is left', async () => {
    const { notified, read } = await openNotifying({ a: requirement() });
    await read('a', unbound);
    assert.deepEqual(notified, [['gone a']]);
  });

  it('notifies of a change when an equal requirement is added', async () => {
    const { notified, read } = await openNotifying({ a: requirement() });
    const { accounts, requirements } = requirement();
    await read('a', { accounts, requirements: [...requirements, ...requirements] });
    assert.deepEqual(notified, [['changed a: notifier']]);
  });

  it('ignores an equal requirement of another deployment', async () => {
    const { notified, read } = await openNotifying({ a: requirement(), b: requirement() });
    await read('b', requirement({ satisfied: true }));
    assert.deepEqual(notified, []);
  });
});

function idsToRead({
  memory,
  store,
}: Pick<Awaited<ReturnType<typeof openWindow>>, 'memory' | 'store'>) {
  return memory.holdersToNotifyOf(store.deployments).map(({ id }) => id);
}

describe('the deployments to read for Notify When Fixed', () => {
  it('are none while the user has not asked', async () => {
    const window = await openWindow({ a: revoked() });
    assert.deepEqual(idsToRead(window), []);
  });

  it('are one for each account', async () => {
    const window = await openNotifying({ a: revoked(), b: revoked(), c: good });
    assert.deepEqual(idsToRead(window), ['a']);
  });

  it('are one for all accounts of a deployment', async () => {
    const two: DeploymentAuthorization = {
      accounts: [
        { id: 'acc', error: {} },
        { id: 'acc2', error: {} },
      ],
      requirements: [],
    };
    const window = await openNotifying({ a: two, b: two });
    assert.deepEqual(idsToRead(window), ['a']);
  });

  it('exclude one that could not be read', async () => {
    const window = await openNotifying({ a: revoked(), b: revoked() });
    await window.read('a', notFound);
    assert.deepEqual(idsToRead(window), ['b']);
  });

  it('are known in the next window before a read', async () => {
    const { saved } = await openNotifying({ a: revoked(), b: good });
    const next = createWorld('ab', { state: saved() });
    assert.deepEqual(idsToRead(next), ['a']);
  });
});

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

/** As the platform's JSON is read: the value, and which fields could not be. */
function decoded(json: unknown) {
  const issues = new DecodeIssues();
  const value = decodeDeploymentAuthorization(json, issues);
  assert.ok(value);
  return [value, issues.list] as const;
}

/** "fixed Finance in ab", "changed a: Finance", "gone a" */
function said(outcome: Ended): string {
  switch (outcome.kind) {
    case 'fixed':
      return `fixed ${outcome.finding.name} in ${outcome.deployments.map(({ id }) => id).join('')}`;
    case 'changed':
      return `changed ${outcome.deployment.id}: ${outcome.problem.finding.name}`;
    case 'gone':
      return `gone ${outcome.deployment.id}`;
  }
}

/** A window in which these were read, and in which the user wants to be notified of the problems of the first. */
async function openWindow(answers: Readonly<Record<string, Outcome>>, state = {}) {
  const ids = Object.keys(answers).join('');
  const world = createWorld(ids, { state });
  const { memory, store, read } = world;
  /** What the window notifies of, one list for each time. */
  const notified: (readonly string[])[] = [];
  memory.onDidFindOutcomes((outcomes) => notified.push(outcomes.map(said)));
  for (const id of ids) await read(id, answers[id]!);
  const problems = (id: string) => {
    const deployment = store.get(id)!;
    return (deployment.answer?.findings.problems ?? []).map((problem) => ({ deployment, problem }));
  };
  return {
    ...world,
    notified,
    problems,
    isNotifying: (id: string) => problems(id).some(({ problem }) => memory.notifies(problem)),
    saved: () => ({ problemMemory: world.state.get('problemMemory') }),
  };
}

/** The same, and the user has asked. */
async function asked(answers: Readonly<Record<string, Outcome>>) {
  const window = await openWindow(answers);
  window.memory.notifyWhenFixed(window.problems('a'));
  return window;
}

describe('Notify When Fixed of an account', () => {
  it('notifies once, with all deployments that have the account', async () => {
    const { notified, read, refreshDeployments, reply } = await asked({
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

  it('notifies of several accounts at once', async () => {
    const { memory, notified, problems, refreshDeployments, reply } = await asked({
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
    const { notified, refreshDeployments, reply } = await asked({ a: revoked(), b: good });
    const done = refreshDeployments('ab');
    await reply('a', works);
    assert.deepEqual(notified, []);
    await reply('b', good);
    await done;
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('says that the account works by the newest answer, whichever deployment it is of', async () => {
    const { notified, read } = await asked({ a: revoked(), b: revoked() });
    await read('b', works);
    assert.deepEqual(notified, [['fixed Finance in ab']]);
  });

  it('outlives the window, and an answer that fails in the next one', async () => {
    const { saved } = await asked({ a: revoked() });
    const { notified, read } = await openWindow({ a: notFound }, saved());
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('has no time limit', async () => {
    const { clock, notified, read } = await asked({ a: revoked() });
    clock.pass(400 * day);
    await read('a', revoked());
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('says what the problem has changed to, and ends', async () => {
    const { isNotifying, notified, read } = await asked({ a: revoked() });
    await read('a', revoked('expired'));
    assert.deepEqual(notified, [['changed a: Finance']]);
    assert.equal(isNotifying('a'), false);
    await read('a', works);
    assert.equal(notified.length, 1);
  });

  it('goes by the error that the user saw, also when a refresh brought it that still runs', async () => {
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

  it('says that the account is gone when no answer names it any more', async () => {
    const { notified, read } = await asked({ a: revoked() });
    await read('a', unbound);
    assert.deepEqual(notified, [['gone a']]);
  });

  it('says that the account is gone when another one has failed in its place', async () => {
    const { notified, read } = await asked({ a: revoked() });
    await read('a', { accounts: [{ id: 'acc2', label: 'Ops', error: {} }], requirements: [] });
    assert.deepEqual(notified, [['gone a']]);
  });

  it('says that the account works by the answer of a deployment that was read for the first time', async () => {
    const { notified, read, store } = await asked({ a: revoked() });
    store.setListed(list('ab'));
    await read('b', works);
    assert.deepEqual(notified, [['fixed Finance in ab']]);
  });

  it('does not say that the problem has changed when only an older answer had the error of its row', async () => {
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

  it('is not ended by an error code that could not be read, nor by the same one after it', async () => {
    const { notified, read } = await asked({ a: revoked() });
    const { accounts, requirements } = revoked();
    await read(
      'a',
      ...decoded({ accounts: [{ ...accounts[0], error: { code: 17 } }], requirements }),
    );
    await read('a', revoked());
    assert.deepEqual(notified, []);
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('takes the first error code that can be read for the one that the user saw', async () => {
    const { accounts, requirements } = revoked();
    const { memory, notified, problems, read } = await openWindow({ a: good });
    await read(
      'a',
      ...decoded({ accounts: [{ ...accounts[0], error: { code: 17 } }], requirements }),
    );
    memory.notifyWhenFixed(problems('a'));
    await read('a', revoked());
    assert.deepEqual(notified, []);
    await read('a', revoked('expired'));
    assert.deepEqual(notified, [['changed a: Finance']]);
  });

  it('tells a change once, and not as a new problem too', async () => {
    const { found, read } = await asked({ a: revoked() });
    await read('a', revoked('expired'));
    assert.deepEqual(found, []);
  });

  for (const [what, answer, issues] of [
    ['an answer that fails', notFound, []],
    ['an answer of which an account could not be read', works, unreadable],
    ['an answer of which the only account could not be read', unbound, unreadable],
  ] as const) {
    it(`is not ended by ${what}`, async () => {
      const { isNotifying, notified, read } = await asked({ a: revoked() });
      await read('a', answer, [...issues]);
      assert.deepEqual(notified, []);
      await read('a', revoked());
      assert.equal(isNotifying('a'), true);
    });
  }

  it('ends silently with a mute', async () => {
    const { clock, isNotifying, memory, notified, problems, read } = await asked({ a: revoked() });
    memory.mute(problems('a'), clock.now() + day);
    assert.equal(isNotifying('a'), false);
    memory.unmute(mutedProblems({ problems: problems('a').map(({ problem }) => problem) }, memory));
    await read('a', works);
    assert.deepEqual(notified, []);
  });

  it('can be asked for a problem that is muted', async () => {
    const { clock, memory, notified, problems, read } = await openWindow({ a: revoked() });
    memory.mute(problems('a'), clock.now() + day);
    memory.notifyWhenFixed(problems('a'));
    await read('a', works);
    assert.deepEqual(notified, [['fixed Finance in a']]);
  });

  it('ends silently when the last deployment that has the account left the list', async () => {
    const { memory, notified, read, store } = await asked({ a: revoked(), b: revoked(), c: good });
    store.setListed(list('bc'));
    await read('c', good);
    assert.equal(memory.isNotifying, true);
    store.setListed(list('c'));
    await read('c', good);
    assert.equal(memory.isNotifying, false);
    assert.deepEqual(notified, []);
  });

  it('ends silently when the organization is signed out', async () => {
    const { memory, notified, read } = await asked({ a: revoked() });
    memory.keepOrganizations([]);
    await read('a', works);
    assert.deepEqual(notified, []);
    assert.equal(memory.isNotifying, false);
  });

  it('ends when the user stops it', async () => {
    const { isNotifying, memory, notified, problems, read, saved } = await asked({ a: revoked() });
    memory.stopNotifying(problems('a').map(({ problem }) => problem));
    assert.equal(isNotifying('a'), false);
    await read('a', works);
    assert.deepEqual(notified, []);
    assert.doesNotMatch(JSON.stringify(saved()), /"[\w-]{6}"\]\}/);
  });

  it('says that something changed when it begins and when it ends', async () => {
    const { memory, problems, read } = await openWindow({ a: revoked() });
    const seen: boolean[] = [];
    memory.onDidChangeNotifying(() => seen.push(memory.isNotifying));
    memory.notifyWhenFixed(problems('a'));
    await read('a', works);
    assert.deepEqual(seen, [true, false]);
  });
});

describe('Notify When Fixed of a requirement', () => {
  it('notifies when it is satisfied', async () => {
    const { notified, read } = await asked({ a: requirement() });
    await read('a', requirement({ satisfied: true }));
    assert.deepEqual(notified, [['fixed notifier in a']]);
  });

  it('does not notify while the platform does not say whether it is satisfied', async () => {
    const { notified, read } = await asked({ a: requirement() });
    const { satisfied: _, ...unknown } = requirement().requirements[0]!;
    await read('a', { accounts: [], requirements: [unknown] });
    assert.deepEqual(notified, []);
    await read('a', requirement({ satisfied: true }));
    assert.deepEqual(notified, [['fixed notifier in a']]);
  });

  it('says that it has changed when another scope is missing', async () => {
    const { notified, read } = await asked({ a: lacking('read') });
    await read('a', lacking('read', 'write'));
    assert.deepEqual(notified, [['changed a: notifier']]);
  });

  it('does not say that it has changed when a scope could not be read', async () => {
    const { notified, read } = await asked({ a: lacking('read') });
    const { accounts, requirements } = lacking('read');
    await read('a', ...decoded({ accounts: [{ ...accounts[0], scopes: [5] }], requirements }));
    assert.deepEqual(notified, []);
  });

  it('says that it has changed when an equal one has the problem in its place', async () => {
    const { notified, read } = await asked({ a: bots(bot('a', false), bot('b', true)) });
    await read('a', bots(bot('c', false), bot('b', true)));
    assert.deepEqual(notified, [['changed a: bot']]);
  });

  it('says that it is gone when another requirement has a problem', async () => {
    const { notified, read } = await asked({ a: requirement() });
    await read('a', {
      accounts: [],
      requirements: [{ binding: 'mailer', serviceId: 'gmail', satisfied: false }],
    });
    assert.deepEqual(notified, [['gone a']]);
  });

  it('says that its account has failed, which is no fix', async () => {
    const { notified, read } = await asked({ a: requirement() });
    await read('a', revoked());
    assert.deepEqual(notified, [['changed a: Finance']]);
  });

  it('says that it is gone when the deployment no longer has it', async () => {
    const { notified, read } = await asked({ a: requirement() });
    await read('a', unbound);
    assert.deepEqual(notified, [['gone a']]);
  });

  it('says that it has changed when equal ones are counted anew, which is no fix', async () => {
    const { notified, read } = await asked({ a: requirement() });
    const { accounts, requirements } = requirement();
    await read('a', { accounts, requirements: [...requirements, ...requirements] });
    assert.deepEqual(notified, [['changed a: notifier']]);
  });

  it('belongs to its deployment alone', async () => {
    const { notified, read } = await asked({ a: requirement(), b: requirement() });
    await read('b', requirement({ satisfied: true }));
    assert.deepEqual(notified, []);
  });
});

function holders({
  memory,
  store,
}: Pick<Awaited<ReturnType<typeof openWindow>>, 'memory' | 'store'>) {
  return memory.holdersToNotifyOf(store.deployments).map(({ id }) => id);
}

describe('the deployments that are read for Notify When Fixed', () => {
  it('are none while the user has not asked', async () => {
    assert.deepEqual(holders(await openWindow({ a: revoked() })), []);
  });

  it('are one for each account', async () => {
    assert.deepEqual(holders(await asked({ a: revoked(), b: revoked(), c: good })), ['a']);
  });

  it('are one for all accounts that it has', async () => {
    const two: DeploymentAuthorization = {
      accounts: [
        { id: 'acc', error: {} },
        { id: 'acc2', error: {} },
      ],
      requirements: [],
    };
    assert.deepEqual(holders(await asked({ a: two, b: two })), ['a']);
  });

  it('are those that could be read, if there are any', async () => {
    const window = await asked({ a: revoked(), b: revoked() });
    await window.read('a', notFound);
    assert.deepEqual(holders(window), ['b']);
  });

  it('are known in the next window before anything was read', async () => {
    const { saved } = await asked({ a: revoked(), b: good });
    const next = createWorld('ab', { state: saved() });
    assert.deepEqual(holders(next), ['a']);
  });
});

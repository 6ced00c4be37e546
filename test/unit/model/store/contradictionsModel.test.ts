import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Failure } from '../../../../src/api/failure.js';
import type { RefreshOptions } from '../../../../src/model/store/reads.js';
import { turn } from '../../../support/manualClock.js';
import { createWorld, list } from './world.js';

const ids = 'abcd';
const unreachable: Failure = {
  kind: 'unreachable',
  cause: { step: 'dns', code: 'ENOTFOUND', host: 'host.example' },
};

/** `truth`: of each account the code of its error; '' if it works. */
function answerOf(truth: readonly string[]): DeploymentAuthorization {
  const accounts = truth.map((code, at) => ({ id: `acc_${at}`, ...(code && { error: { code } }) }));
  return { accounts, requirements: [] };
}

/** A platform that says what is true when it is asked. `order`: in which it answers at last. */
function createModel(maxRequests: number, order: number) {
  const world = createWorld(ids, { maxRequests });
  const { platform, store } = world;
  const answers = new Map<unknown, DeploymentAuthorization>();
  const promises: Promise<void>[] = [];
  const now = { truth: ['', ''] };
  const wanted = () => platform.open.filter(({ call }) => !call.signal.aborted);
  const { accountAnswers } = store;
  const isContradicted = (id: string) =>
    Array.from(accountAnswers.accountsIn(id)).some((account) =>
      accountAnswers.isContradicted(id, account),
    );
  const contradicted = () => Array.from(ids).filter(isContradicted).join('');
  const send = async () => {
    await turn();
    for (const { call, end } of platform.asked) {
      if (answers.has(end)) continue;
      answers.set(end, answerOf(now.truth));
      call.onPhase?.({ kind: 'sending' });
    }
  };
  const end = async (at: number, failure?: Failure) => {
    const one = wanted()[at % wanted().length];
    one?.end(failure ?? answers.get(one.end)!);
    await send();
  };
  const refresh = (...options: Parameters<typeof store.refresh>) => {
    promises.push(store.refresh(...options));
    return send();
  };
  /** Answers all, and checks that nothing goes on. */
  const finish = async () => {
    await send();
    for (let left = 6 * ids.length; wanted().length > 0; left--) {
      assert.ok(left > 0, `endless: ${platform.ids}`);
      await end(order % left);
    }
    await Promise.all(promises);
    assert.equal(store.progress, undefined);
    assert.ok(store.deployments.every(({ activity }) => activity === 'idle'));
  };
  const agree = async () => {
    await finish();
    store.setListed(list(ids));
    await refresh(undefined, { rereadsFinished: true });
    await finish();
    assert.equal(contradicted(), '');
  };
  return { ...world, now, wanted, contradicted, send, end, refresh, finish, agree };
}

const anyCode = fc.constantFrom('', 'gone');
const anyChance = fc.record({
  ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }),
  alone: fc.boolean(),
  at: fc.nat(7),
  truth: fc.tuple(anyCode, anyCode),
});
type Chance = typeof anyChance extends fc.Arbitrary<infer T> ? T : never;
type Act = (model: ReturnType<typeof createModel>, chance: Chance) => unknown;

const acts: Readonly<Record<string, Act>> = {
  some: ({ refresh }, chance) => refresh(chance.ids, { urgent: true }),
  round: ({ refresh }, { alone }) => refresh(undefined, { readsOnlyThese: alone }),
  tool: ({ refresh }, chance) =>
    refresh(chance.ids.slice(0, 1), { urgent: true, outsideProgress: true }),
  cancel: ({ store }) => store.cancelRefresh(),
  focus: ({ window }) => void (window.hasFocus = !window.hasFocus),
  list: ({ store }, chance) => store.setListed(list(chance.ids.join(''))),
  token: ({ store, platform }) => store.setOrganization({ id: 'org', read: platform.read }),
  agree: ({ agree }) => agree(),
  pass: ({ clock }, { at }) => clock.pass(at * 400),
  fail: ({ end }, { at, alone }) =>
    end(at, alone ? { kind: 'notFound', status: 404 } : unreachable),
  truth: ({ now }, { truth }) => void (now.truth = truth),
  reply: ({ end }, { at }) => end(at),
};

/** Each act, and some of them more often. */
const anyAct = fc.constantFrom(
  ...Object.values(acts),
  ...['some', 'truth', 'reply', 'reply', 'reply', 'reply'].map((name) => acts[name]!),
);
/** Without `size`, fast-check makes few long ones. */
const anySchedule = fc.array(fc.tuple(anyAct, anyChance), { maxLength: 30, size: 'max' });
const anyOptions = fc.constantFrom<RefreshOptions>(
  { urgent: true, outsideProgress: true },
  { readsOnlyThese: true },
  {},
);

describe('shared accounts, whatever happened before,', () => {
  it('are read to an end, and where one shows that they changed, once more in all deployments', async () => {
    const maxRequests = fc.integer({ min: 1, max: 4 });
    const property = fc.asyncProperty(
      anySchedule,
      maxRequests,
      fc.nat(),
      anyOptions,
      async (steps, max, order, own) => {
        const model = createModel(max, order);
        for (const [act, chance] of steps) {
          await act(model, chance);
          await model.send();
          const read = model.wanted().map(({ id }) => id);
          assert.equal(new Set(read).size, read.length);
        }
        model.window.hasFocus = true;
        await model.agree();
        // One is on its way that still says what was true before.
        await model.refresh(['b'], own);
        model.now.truth = model.now.truth.map((error) => (error ? '' : 'gone'));
        const { length } = model.platform.asked;
        await model.refresh(['a'], { urgent: true });
        await model.finish();
        assert.equal(model.contradicted(), '');
        const asked = model.platform.asked.slice(length).map(({ id }) => id);
        assert.deepEqual(asked.toSorted(), Array.from(ids));
      },
    );
    await fc.assert(property, { numRuns: 400 });
  });
});

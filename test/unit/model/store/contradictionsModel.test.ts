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

/** Makes an answer. `truth`: the error code of each account; '' if the account works. */
function answerOf(truth: readonly string[]): DeploymentAuthorization {
  const accounts = truth.map((code, at) => ({ id: `acc_${at}`, ...(code && { error: { code } }) }));
  return { accounts, requirements: [] };
}

/**
 * Makes a store with a platform whose answers say what was true when it got the request.
 * `order`: in which order the platform answers the last requests.
 */
function createModel(maxRequests: number, order: number) {
  const world = createWorld(ids, { maxRequests });
  const { platform, store } = world;
  const answers = new Map<unknown, DeploymentAuthorization>();
  const promises: Promise<void>[] = [];
  const now = { truth: ['', ''] };
  /** The open requests that were not cancelled. */
  const wanted = () => platform.open.filter(({ call }) => !call.signal.aborted);
  const { accountAnswers } = store;
  const isContradicted = (id: string): boolean =>
    Array.from(accountAnswers.accountsIn(id)).some((account) =>
      accountAnswers.isContradicted(id, account),
    );
  const contradictedIds = () => Array.from(ids).filter(isContradicted).join('');
  /** Sends what the store has requested, and decides what the answers will say. */
  const send = async () => {
    await turn();
    for (const { call, end } of platform.asked) {
      if (answers.has(end)) continue;
      answers.set(end, answerOf(now.truth));
      call.onPhase?.({ kind: 'sending' });
    }
  };
  /** Answers one of the open requests. */
  const end = async (at: number, failure?: Failure) => {
    const one = wanted()[at % wanted().length];
    one?.end(failure ?? answers.get(one.end)!);
    await send();
  };
  const refresh = (...options: Parameters<typeof store.refresh>) => {
    promises.push(store.refresh(...options));
    return send();
  };
  /** Answers until no request is open, and checks that the store is idle then. */
  const finish = async () => {
    await send();
    for (let left = 6 * ids.length; wanted().length > 0; left--) {
      assert.ok(left > 0, `endless: ${platform.ids}`);
      await end(order % left);
    }
    await Promise.all(promises);
    assert.equal(store.progress, undefined);
    const busy = store.deployments.filter(({ activity }) => activity !== 'idle');
    assert.deepEqual(busy, []);
  };
  /** Reads all deployments, and checks that no answer contradicts another then. */
  const agree = async () => {
    await finish();
    store.setListed(list(ids));
    await refresh(undefined, { rereadsFinished: true });
    await finish();
    assert.equal(contradictedIds(), '');
  };
  return { ...world, now, wanted, contradictedIds, send, end, refresh, finish, agree };
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
  focus: ({ window }) => {
    window.hasFocus = !window.hasFocus;
  },
  list: ({ store }, chance) => store.setListed(list(chance.ids.join(''))),
  token: ({ store, platform }) => store.setOrganization({ id: 'org', read: platform.read }),
  agree: ({ agree }) => agree(),
  pass: ({ clock }, { at }) => clock.pass(at * 400),
  fail: ({ end }, { at, alone }) =>
    end(at, alone ? { kind: 'notFound', status: 404 } : unreachable),
  truth: ({ now }, { truth }) => {
    now.truth = truth;
  },
  reply: ({ end }, { at }) => end(at),
};

/** Any act; some acts more often than others. */
const anyAct = fc.constantFrom(
  ...Object.values(acts),
  ...['some', 'truth', 'reply', 'reply', 'reply', 'reply'].map((name) => acts[name]!),
);
/** Without `size`, fast-check makes few long schedules. */
const anySchedule = fc.array(fc.tuple(anyAct, anyChance), { maxLength: 30, size: 'max' });
const anyOptions = fc.constantFrom<RefreshOptions>(
  { urgent: true, outsideProgress: true },
  { readsOnlyThese: true },
  {},
);

describe('shared accounts, after any events,', () => {
  it('are read once in each deployment when an answer shows a change', async () => {
    const maxRequests = fc.integer({ min: 1, max: 4 });
    const property = fc.asyncProperty(
      anySchedule,
      maxRequests,
      fc.nat(),
      anyOptions,
      async (steps, max, order, options) => {
        const model = createModel(max, order);
        const { now, platform, window } = model;
        for (const [act, chance] of steps) {
          await act(model, chance);
          await model.send();
          const openIds = model.wanted().map(({ id }) => id);
          assert.deepEqual(openIds, [...new Set(openIds)], 'two requests for one deployment');
        }
        window.hasFocus = true;
        await model.agree();

        // The answer to this request still says what was true before the change.
        await model.refresh(['b'], options);
        now.truth = now.truth.map((code) => (code ? '' : 'gone'));
        const before = platform.asked.length;
        await model.refresh(['a'], { urgent: true });
        await model.finish();

        assert.equal(model.contradictedIds(), '');
        const requestedIds = platform.asked.slice(before).map(({ id }) => id);
        assert.deepEqual(requestedIds.toSorted(), Array.from(ids));
      },
    );
    await fc.assert(property, { numRuns: 400 });
  });
});

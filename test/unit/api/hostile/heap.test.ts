import { strict as assert } from 'node:assert';
import { heapInUse } from '../../../support/heapInUse.js';
import { hostileAnswers } from '../../../support/service/hostile.js';
import { Harness, newCall, settle, used } from '../harness.js';

describe('hours of hostility', () => {
  const harness = used(new Harness());

  it('leave no trace in memory', async function () {
    this.timeout(60_000);
    const { unreadable, wrongShape, broken, redirects, statuses } = hostileAnswers;
    const some = Object.fromEntries(Object.entries(statuses).slice(0, 12));
    const all = Object.values({ ...unreadable, ...wrongShape, ...broken, ...redirects, ...some });
    const rounds = async (): Promise<void> => {
      for (const [at, [fault]] of [...all, ...all].entries()) {
        harness.reset();
        harness.service.fault('all', fault);
        // No answer asks for so short a pause, and none pauses the organization of another case.
        harness.limits.requestTimeout = 500;
        const target = { ...harness.target, organizationId: `org_${at % all.length}` };
        const cancelled = newCall();
        const reads = [newCall(), newCall(true), cancelled].map((call) => harness.read(call, target).catch(() => {}));
        if (at % 3 === 0) cancelled.cancel();
        await settle(0);
        cancelled.cancel();
        if (harness.sender.pausedUntil(target.organizationId) === undefined) await harness.revoke(undefined, target);
        await Promise.race([Promise.all(reads), settle(600)]);
      }
      harness.reset();
    };
    // What is made once is made in the first two.
    await rounds();
    const before = await heapInUse(() => settle(20));
    await rounds();
    const perRequest = ((await heapInUse(() => settle(20))) - before) / (2 * 4 * all.length);
    assert.ok(perRequest < 1000, `${perRequest} bytes stay of each request`);
  });
});

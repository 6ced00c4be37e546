import { strict as assert } from 'node:assert';
import type { Failure } from '../../../../src/api/failure.js';
import { healthy } from '../../../support/service/data.js';
import { hostileAnswers } from '../../../support/service/hostile.js';
import { failureOf, Harness, used } from '../harness.js';

const { statuses, redirects, ...others } = hostileAnswers;
/** What runs out of time after its status line, which is all that a revocation needs. */
const onlyBodyIsLate = ['headers and then nothing', 'dripping for minutes', 'endless and dripping'];

function kindOf(failure: Failure): string {
  return failure.kind === 'unusable' ? `unusable ${failure.reason}` : failure.kind;
}

describe('a hostile service', () => {
  const harness = used(new Harness());
  let last = 0;
  beforeEach(() => {
    harness.limits.requestTimeout = 8000;
  });
  // Whatever happened, the next read is as good as ever.
  afterEach(async () => {
    harness.service.clearFaults();
    harness.limits.requestTimeout = 8000;
    assert.deepEqual((await read()).value, healthy());
    assert.ok(harness.entries.every(({ attempts, duration, bytes }) => attempts > 0 && duration >= 0 && bytes >= 0));
  });

  /** Each request is of an organization of its own: a pause must not hold the next one. */
  const another = () => ({ ...harness.target, organizationId: `org_${++last}` });
  const read = () => harness.read(undefined, another());
  const outcome = async () => (await harness.revoke(undefined, another())).kind;
  const bounded = async (): Promise<Failure> => {
    const failure = await failureOf(read());
    if ('excerpt' in failure) {
      assert.ok(failure.excerpt && failure.excerpt.length <= 300);
      assert.ok(!failure.excerpt.includes(harness.target.token));
    }
    return failure;
  };

  for (const [group, table] of Object.entries(others)) {
    for (const [name, [fault, ending]] of Object.entries(table)) {
      it(`${group}: ${name} ends as ${typeof ending === 'string' ? ending : 'an answer'}`, async () => {
        harness.service.fault('all', fault);
        if (ending === 'timedOut') harness.limits.requestTimeout = 120;
        if (typeof ending === 'string') {
          assert.equal(kindOf(await bounded()), ending);
        } else {
          const { value, decodeIssues } = await read();
          const counts = { accounts: value.accounts.length, requirements: value.requirements.length };
          assert.deepEqual({ ...counts, decodeIssues: decodeIssues.length }, ending);
        }
        const isAnswered = typeof ending !== 'string' || ending.startsWith('unusable') || onlyBodyIsLate.includes(name);
        assert.equal(await outcome(), isAnswered ? 'revoked' : 'unknown');
      });
    }
  }

  for (const [name, [fault, kind]] of Object.entries(statuses)) {
    const { status = 999 } = fault;
    it(`statuses: ${name} ends as its status says`, async () => {
      harness.service.fault('all', fault);
      // Shorter than the pause of a 429, which is over before a read is repeated.
      harness.limits.requestTimeout = 3000;
      const failure = await bounded();
      assert.deepEqual([failure.kind, 'status' in failure && failure.status], [kind, status]);
      assert.equal('excerpt' in failure, fault.body !== null && fault.raw === undefined);
      assert.equal(await outcome(), status < 500 ? 'refused' : 'unknown');
    });
  }

  for (const [name, [fault]] of Object.entries(redirects)) {
    it(`redirects: ${name} is named, not followed`, async () => {
      harness.service.fault('all', fault);
      const own = new URL(harness.target.baseUrl).host;
      const hosts: Record<string, string> = { '302 to a path': own, '302 with credentials': 'elsewhere.example' };
      const isNowhere = /without a location|304|nonsense|script/.test(name);
      const host = isNowhere ? {} : { host: hosts[name] ?? 'login.example' };
      assert.deepEqual(await bounded(), { kind: 'redirected', status: Number.parseInt(name, 10), ...host });
      assert.equal(await outcome(), 'unknown');
      assert.equal(harness.service.requests.length, 2);
    });
  }
});

import { strict as assert } from 'node:assert';
import type { Failure } from '../../../../src/api/failure.js';
import { endingOf, hostileEndings, kindOfStatus, statusIn, tabledGroups } from '../../../support/hostileEndings.js';
import { healthy } from '../../../support/service/data.js';
import type { Fault } from '../../../support/service/faults.js';
import { hostileAnswers } from '../../../support/service/hostile.js';
import { deploymentId, failureOf, type Harness, newCall, startHarness } from '../harness.js';

const groups = hostileAnswers();
const tables = new Map<string, Record<string, Fault>>(Object.entries(groups));

describe('a hostile service', () => {
  let harness: Harness;
  let last = 0;
  before(async () => {
    harness = await startHarness();
  });
  beforeEach(() => {
    harness.service.reset();
    harness.service.putDeployment(deploymentId, healthy());
    harness.limits.requestTimeout = 3000;
    harness.exchanges.length = 0;
  });
  after(() => harness.stop());

  /** Each case is an organization of its own: a pause must not hold the next one. */
  const read = () => {
    const target = { ...harness.target, organizationId: `org_${++last}` };
    return harness.client.getDeploymentAuthorization(target, deploymentId, newCall());
  };
  /** Whatever happened, the next read is as good as ever. */
  const stillWorks = async (): Promise<void> => {
    harness.service.clearFaults();
    harness.limits.requestTimeout = 3000;
    assert.deepEqual((await read()).value, healthy());
    assert.ok(harness.exchanges.every(({ attempts, duration, bytes }) => attempts > 0 && duration >= 0 && bytes >= 0));
  };
  const bounded = (failure: Failure): Failure => {
    if ('excerpt' in failure) {
      assert.ok(failure.excerpt === undefined || (failure.excerpt.length > 0 && failure.excerpt.length <= 300));
      assert.ok(!failure.excerpt?.includes(harness.target.token));
    }
    return failure;
  };

  for (const group of tabledGroups) {
    const expected = hostileEndings[group];
    const table = tables.get(group) ?? {};
    it(`has no answer among "${group}" that nobody expects`, () => {
      assert.deepEqual(
        Object.keys(expected).filter((name) => !Object.hasOwn(table, name)),
        [],
      );
      const unexpected = Object.keys(table).filter((name) => !Object.hasOwn(expected, name));
      assert.ok(group === 'readable' || unexpected.length === 0, unexpected.join(', '));
    });

    for (const [name, fault] of Object.entries(table)) {
      const ending = endingOf(group, name);
      it(`${group}: ${name} ends as ${typeof ending === 'string' ? ending : 'an answer'}`, async () => {
        harness.service.fault('all', fault);
        if (ending === 'timedOut') {
          harness.limits.requestTimeout = 120;
        }
        if (typeof ending === 'string') {
          const failure = bounded(await failureOf(read()));
          assert.equal(failure.kind === 'unusable' ? `unusable ${failure.reason}` : failure.kind, ending);
        } else {
          const { value, decodeIssues } = await read();
          const found = {
            accounts: value.accounts.length,
            requirements: value.requirements.length,
            decodeIssues: decodeIssues.length,
          };
          assert.deepEqual(found, ending);
        }
        await stillWorks();
      });
    }
  }

  for (const [name, fault] of Object.entries(groups.statuses)) {
    const status = statusIn(name);
    const kind = kindOfStatus(status);
    it(`statuses: ${name} is ${kind}`, async () => {
      harness.service.fault('all', fault);
      const failure = bounded(await failureOf(read()));
      assert.equal(failure.kind, kind);
      assert.ok('status' in failure);
      assert.equal(failure.status, status);
      assert.equal('excerpt' in failure, fault.body !== null && fault.raw === undefined);
      const outcome = await harness.client.deleteApiKey(
        { ...harness.target, organizationId: `org_${++last}` },
        'key_1',
        newCall(true),
      );
      assert.equal(outcome.kind, status < 500 ? 'refused' : 'unknown');
      await stillWorks();
    });
  }

  for (const [name, fault] of Object.entries(groups.redirects)) {
    it(`redirects: ${name} is named, not followed`, async () => {
      harness.service.fault('all', fault);
      const failure = await failureOf(read());
      assert.ok(failure.kind === 'redirected');
      assert.ok(failure.status >= 300 && failure.status < 400);
      const hosts: Record<string, string | undefined> = {
        '302 without a location': undefined,
        '304': undefined,
        '302 to nonsense': undefined,
        '302 to a script': undefined,
        '302 to a path': new URL(harness.target.baseUrl).host,
        '302 with credentials': 'elsewhere.example',
      };
      assert.equal(failure.host, Object.hasOwn(hosts, name) ? hosts[name] : 'login.example');
      assert.ok(!JSON.stringify(failure).includes('secret'));
      assert.equal(harness.service.requests.length, 1);
      await stillWorks();
    });
  }

  for (const [name, fault] of Object.entries(groups.retryAfter)) {
    it(`retryAfter: ${name} ends, with a sane time`, async () => {
      // Less than any pause: so there is no second try.
      harness.limits.requestTimeout = 950;
      harness.service.fault('all', fault);
      const failure = bounded(await failureOf(read()));
      if (fault.status === 503) {
        assert.equal(failure.kind, 'serverError');
      } else {
        assert.ok(failure.kind === 'rateLimited');
        const wait = failure.until - Date.now();
        assert.ok(wait > 0 && wait <= 600_000, `${wait}`);
        assert.ok(Number.isInteger(failure.until));
        assert.equal(harness.client.pausedUntil(`org_${last}`), failure.until);
      }
      assert.equal(harness.service.requests.length, 1);
      await stillWorks();
    });
  }
});

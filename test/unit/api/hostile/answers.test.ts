import { strict as assert } from 'node:assert';
import type { Failure } from '../../../../src/api/failure.js';
import { healthy } from '../../../support/service/data.js';
import { endingOf, hostileAnswers, kindOfStatus, statusIn, tabledGroups } from '../../../support/service/hostile.js';
import { deploymentId, failureOf, type Harness, startHarness } from '../harness.js';

const groups = hostileAnswers();
/** What runs out of time after its status line, which is all that a revocation needs. */
const onlyBodyIsLate = ['headers and then nothing', 'dripping for minutes', 'endless and dripping'];

const install = {
  expiresAt: '2026-11-20T12:00:00Z',
  label: 'Acme CRM',
  requiredPlan: 'pro',
  serviceId: 'crm',
  serviceName: 'CRM',
  serviceSub: 'T1',
};

const kindOf = (failure: Failure): string =>
  failure.kind === 'unusable' ? `unusable ${failure.reason}` : failure.kind;

describe('a hostile service', () => {
  let harness: Harness;
  let last = 0;
  before(async () => {
    harness = await startHarness();
  });
  beforeEach(() => {
    harness.service.reset();
    harness.service.putDeployment(deploymentId, healthy());
    harness.service.putInstall('install-1', install);
    harness.service.putApiKey('key_1');
    harness.limits.requestTimeout = 3000;
    harness.exchanges.length = 0;
  });
  after(() => harness.stop());

  /** Each request is of an organization of its own: a pause must not hold the next one. */
  const another = () => ({ ...harness.target, organizationId: `org_${++last}` });
  const read = () => harness.read(undefined, another());
  const lookUp = () => harness.lookUp(undefined, another());
  const outcome = async () => (await harness.revoke(undefined, another())).kind;
  /** Whatever happened, the next read is as good as ever. */
  const stillWorks = async (): Promise<void> => {
    harness.service.clearFaults();
    harness.limits.requestTimeout = 3000;
    assert.deepEqual((await read()).value, healthy());
    assert.ok(harness.exchanges.every(({ attempts, duration, bytes }) => attempts > 0 && duration >= 0 && bytes >= 0));
  };
  const bounded = async (reading: Promise<unknown>): Promise<Failure> => {
    const failure = await failureOf(reading);
    if ('excerpt' in failure) {
      assert.ok(failure.excerpt === undefined || (failure.excerpt.length > 0 && failure.excerpt.length <= 300));
      assert.ok(!failure.excerpt?.includes(harness.target.token));
    }
    return failure;
  };

  for (const group of tabledGroups) {
    for (const [name, fault] of Object.entries(groups[group])) {
      const ending = endingOf(group, name);
      it(`${group}: ${name} ends as ${typeof ending === 'string' ? ending : 'an answer'}, whatever was asked`, async () => {
        harness.service.fault('all', fault);
        if (ending === 'timedOut') harness.limits.requestTimeout = 120;
        if (typeof ending === 'string') {
          assert.equal(kindOf(await bounded(read())), ending);
        } else {
          const { value, decodeIssues } = await read();
          const { accounts, requirements } = value;
          const counts = { accounts: accounts.length, requirements: requirements.length };
          assert.deepEqual({ ...counts, decodeIssues: decodeIssues.length }, ending);
        }
        if (typeof ending === 'string') assert.equal(kindOf(await bounded(lookUp())), ending);
        // An authorization is no pending installation.
        else if ((fault.body ?? fault.raw) !== undefined)
          assert.equal(kindOf(await bounded(lookUp())), 'unusable wrongShape');
        else assert.deepEqual((await lookUp()).value, install);
        const isAnswered = typeof ending !== 'string' || ending.startsWith('unusable') || onlyBodyIsLate.includes(name);
        assert.equal(await outcome(), isAnswered ? 'revoked' : 'unknown');
        await stillWorks();
      });
    }
  }

  for (const [name, fault] of Object.entries(groups.statuses)) {
    const status = statusIn(name);
    const kind = kindOfStatus(status);
    it(`statuses: ${name} is ${kind}`, async () => {
      harness.service.fault('all', fault);
      for (const send of [read, lookUp]) {
        const failure = await bounded(send());
        assert.equal(failure.kind, kind);
        assert.ok('status' in failure);
        assert.equal(failure.status, status);
        assert.equal('excerpt' in failure, fault.body !== null && fault.raw === undefined);
      }
      assert.equal(await outcome(), status < 500 ? 'refused' : 'unknown');
      await stillWorks();
    });
  }

  for (const [name, fault] of Object.entries(groups.redirects)) {
    it(`redirects: ${name} is named, not followed`, async () => {
      harness.service.fault('all', fault);
      const hosts: Record<string, string | undefined> = {
        '302 without a location': undefined,
        '304': undefined,
        '302 to nonsense': undefined,
        '302 to a script': undefined,
        '302 to a path': new URL(harness.target.baseUrl).host,
        '302 with credentials': 'elsewhere.example',
      };
      for (const send of [read, lookUp]) {
        const failure = await failureOf(send());
        assert.ok(failure.kind === 'redirected' && failure.status >= 300 && failure.status < 400);
        assert.equal(failure.host, Object.hasOwn(hosts, name) ? hosts[name] : 'login.example');
        assert.ok(!JSON.stringify(failure).includes('secret'));
      }
      assert.equal(await outcome(), 'unknown');
      assert.equal(harness.service.requests.length, 3);
      await stillWorks();
    });
  }

  for (const [name, fault] of Object.entries(groups.retryAfter)) {
    it(`retryAfter: ${name} ends, with a sane time`, async () => {
      // Less than any pause: so there is no second try.
      harness.limits.requestTimeout = 950;
      harness.service.fault('all', fault);
      for (const send of [read, lookUp]) {
        const failure = await bounded(send());
        if (fault.status === 503) {
          assert.equal(failure.kind, 'serverError');
          continue;
        }
        assert.ok(failure.kind === 'rateLimited');
        const wait = failure.until - Date.now();
        assert.ok(wait > 0 && wait <= 600_000, `${wait}`);
        assert.ok(Number.isInteger(failure.until));
        assert.equal(harness.client.pausedUntil(`org_${last}`), failure.until);
      }
      assert.equal(await outcome(), fault.status === 503 ? 'unknown' : 'refused');
      assert.equal(harness.service.requests.length, 3);
      await stillWorks();
    });
  }
});

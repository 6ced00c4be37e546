import { strict as assert } from 'node:assert';
import type { Failure, FailureKind } from '../../../../src/api/failure.js';
import { healthy } from '../../../support/service/data.js';
import type { Fault } from '../../../support/service/faults.js';
import { type HostileGroup, hostileAnswers } from '../../../support/service/hostile.js';
import { deploymentId, failureOf, type Harness, newCall, startHarness } from '../harness.js';

/** How a read ends: a failure's kind (and reason), or what is left of the answer and the places that were left out. */
type Ending =
  | FailureKind
  | `unusable ${Extract<Failure, { kind: 'unusable' }>['reason']}`
  | { readonly accounts: number; readonly requirements: number; readonly problems: number };

const fine: Ending = { accounts: 1, requirements: 1, problems: 0 };
const groups = hostileAnswers();
const tables = new Map<string, Record<string, Fault>>(Object.entries(groups));

const endings: Record<Exclude<HostileGroup, 'statuses' | 'redirects' | 'retryAfter'>, Record<string, Ending>> = {
  unreadable: {
    'HTML error page with 200': 'unusable notJson',
    'login page with 200': 'unusable notJson',
    'login page that says it is JSON': 'unusable notJson',
    'no body': 'unusable empty',
    'no content (204)': 'unusable empty',
    'reset content (205)': 'unusable empty',
    'blanks only': 'unusable empty',
    'JSON cut off, with the right length': 'unusable notJson',
    'single quotes': 'unusable notJson',
    'NaN and a trailing comma': 'unusable notJson',
    'two documents': 'unusable notJson',
    JSONP: 'unusable notJson',
    'UTF-16': 'unusable notJson',
    'bytes of no sense': 'unusable notJson',
    // The header lies, the answer is there.
    'gzip that is none': fine,
    'an encoding nobody knows': fine,
    'gzip cut off': 'unusable truncated',
    'br cut off': 'unusable truncated',
  },
  wrongShape: {
    null: 'unusable wrongShape',
    'a string': 'unusable wrongShape',
    'a number': 'unusable wrongShape',
    true: 'unusable wrongShape',
    'an array': 'unusable wrongShape',
    'an empty object': 'unusable wrongShape',
    'the answer one level deeper': 'unusable wrongShape',
    'an error with 200': 'unusable wrongShape',
    'accounts absent': { accounts: 0, requirements: 1, problems: 1 },
    'requirements absent': { accounts: 1, requirements: 0, problems: 1 },
    'accounts null': { accounts: 0, requirements: 1, problems: 1 },
    'accounts an object': { accounts: 0, requirements: 1, problems: 1 },
    'requirements a string': { accounts: 1, requirements: 0, problems: 1 },
    'null rows among good ones': { accounts: 1, requirements: 1, problems: 3 },
    'rows of other types': { accounts: 1, requirements: 1, problems: 5 },
    'empty rows': fine,
    'every account field of a wrong type': { accounts: 2, requirements: 1, problems: 8 },
    'every requirement field of a wrong type': { accounts: 1, requirements: 2, problems: 6 },
    'satisfied 0, "no" and null': { accounts: 1, requirements: 3, problems: 3 },
    'connections with null rows and wrong types': { accounts: 1, requirements: 1, problems: 6 },
    'scopes with null and numbers': { accounts: 1, requirements: 1, problems: 2 },
    'errors of every kind': { accounts: 6, requirements: 0, problems: 5 },
    'impossible dates': { accounts: 6, requirements: 0, problems: 0 },
    'nested 100,000 deep in place of accounts': { accounts: 0, requirements: 0, problems: 1 },
    'nested 100,000 deep in an unknown field': fine,
    'keys of the prototype': fine,
    'the same key twice': fine,
    'invalid UTF-8 in a label': { accounts: 1, requirements: 0, problems: 0 },
    'lone surrogates and NUL': { accounts: 1, requirements: 0, problems: 0 },
  },
  readable: {
    'empty lists': { accounts: 0, requirements: 0, problems: 0 },
    'duplicate account ids': { accounts: 2, requirements: 1, problems: 0 },
    'duplicate requirements': { accounts: 1, requirements: 3, problems: 0 },
  },
  broken: {
    'reset before the status line': 'connectionLost',
    'reset after the headers': 'unusable truncated',
    'reset in the body': 'unusable truncated',
    'cut at once': 'unusable truncated',
    'cut in the body': 'unusable truncated',
    'cut in a chunked body': 'unusable truncated',
    'closed without a word': 'connectionLost',
    'half a status line': 'connectionLost',
    'half the headers': 'connectionLost',
    'not HTTP': 'connectionLost',
    'a TLS alert': 'connectionLost',
    'a chunk size of no sense': 'unusable truncated',
    'two different lengths': 'connectionLost',
    'a negative length': 'connectionLost',
    'switching protocols': 'connectionLost',
    'a 100 that nobody asked for': fine,
    'a NUL in a header': 'connectionLost',
  },
  tooMuch: {
    'never answered': 'timedOut',
    'headers and then nothing': 'timedOut',
    'half a status line and then nothing': 'timedOut',
    'informational and then nothing': 'timedOut',
    'dripping for minutes': 'timedOut',
    endless: 'unusable tooLarge',
    'endless, gzip': 'unusable tooLarge',
    'endless and dripping': 'timedOut',
    '200 MB of JSON': 'unusable tooLarge',
    'a gzip bomb of 1 GB': 'unusable tooLarge',
    'a br bomb of 200 MB': 'unusable tooLarge',
    'huge headers': 'connectionLost',
    'an error of 200 MB': 'serverError',
  },
};

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

  for (const [group, expected] of Object.entries(endings)) {
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
      const ending = expected[name] ?? fine;
      it(`${group}: ${name} ends as ${typeof ending === 'string' ? ending : 'an answer'}`, async () => {
        harness.service.fault('all', fault);
        if (ending === 'timedOut') {
          harness.limits.requestTimeout = 120;
        }
        if (typeof ending === 'string') {
          const failure = bounded(await failureOf(read()));
          assert.equal(failure.kind === 'unusable' ? `unusable ${failure.reason}` : failure.kind, ending);
        } else {
          const { value, problems } = await read();
          const found = {
            accounts: value.accounts.length,
            requirements: value.requirements.length,
            problems: problems.length,
          };
          assert.deepEqual(found, ending);
        }
        await stillWorks();
      });
    }
  }

  const kinds: Record<number, FailureKind> = {
    401: 'tokenRejected',
    403: 'notPermitted',
    404: 'notFound',
    429: 'rateLimited',
  };
  for (const [name, fault] of Object.entries(groups.statuses)) {
    const status = Number(/\d{3}/.exec(name)?.[0]);
    const kind = kinds[status] ?? (status < 500 ? 'clientError' : 'serverError');
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

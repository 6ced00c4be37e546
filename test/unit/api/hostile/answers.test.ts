import { strict as assert } from 'node:assert';
import { STATUS_CODES } from 'node:http';
import type { Failure } from '../../../../src/api/failure.js';
import { healthy } from '../../../support/platform/data.js';
import { type Fault, faults } from '../../../support/platform/faults.js';
import { hostileAnswers } from '../../../support/platform/hostile.js';
import { failureOf, Harness, used } from '../harness.js';

/** What fails after its status line, which is all that a revocation needs. */
const onlyBodyFails = [
  'headers and then nothing',
  'dripping for minutes',
  'a chunk size of no sense',
];

function kindOf(failure: Failure): string {
  return failure.kind === 'unusable' ? `unusable ${failure.reason}` : failure.kind;
}

describe('a hostile platform', () => {
  const harness = used(new Harness());
  let last = 0;
  beforeEach(() => {
    harness.limits.requestTimeout = 8000;
  });
  // Whatever happened, the next read is as good as ever.
  afterEach(async () => {
    harness.platform.clearFaults();
    harness.limits.requestTimeout = 8000;
    assert.deepEqual((await read()).value, healthy());
    assert.ok(
      harness.entries.every(
        ({ attempts, duration, bytes }) => attempts > 0 && duration >= 0 && bytes >= 0,
      ),
    );
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

  async function runOutOfTime(requests: number): Promise<void> {
    await harness.platform.waitForRequests(requests);
    harness.timers.end();
  }

  for (const [group, table] of Object.entries(hostileAnswers)) {
    for (const [name, [fault, ending]] of Object.entries(table)) {
      it(`${group}: ${name} ends as ${typeof ending === 'string' ? ending : 'an answer'}`, async () => {
        harness.platform.fault('all', fault);
        if (typeof ending === 'string') {
          const failure = bounded();
          if (ending === 'timedOut') await runOutOfTime(1);
          assert.equal(kindOf(await failure), ending);
        } else {
          const { value, decodeIssues } = await read();
          const counts = {
            accounts: value.accounts.length,
            requirements: value.requirements.length,
          };
          assert.deepEqual({ ...counts, decodeIssues: decodeIssues.length }, ending);
        }
        const isAnswered =
          typeof ending !== 'string' ||
          ending.startsWith('unusable') ||
          onlyBodyFails.includes(name);
        const revoking = outcome();
        if (ending === 'timedOut' && !isAnswered) await runOutOfTime(2);
        assert.equal(await revoking, isAnswered ? 'revoked' : 'unknown');
      });
    }
  }

  const kinds: Readonly<Record<number, Failure['kind']>> = {
    401: 'tokenRejected',
    403: 'notPermitted',
    404: 'notFound',
    429: 'rateLimited',
  };
  /** Every 4xx and 5xx that has a name, and some that have none. */
  const statuses = [...Object.keys(STATUS_CODES).map(Number), 419, 444, 499, 520, 599].filter(
    (status) => status >= 400,
  );
  const errors: readonly (readonly [name: string, status: number, fault: Fault])[] = [
    ...statuses.flatMap((status) => [
      [`${status} with JSON`, status, faults.status(status)] as const,
      [`${status} with text`, status, faults.text(status, 'It did not work.')] as const,
      [`${status} with nothing`, status, faults.noBody(status)] as const,
    ]),
    ['502 with HTML', 502, faults.html(502)],
    ['500 that echoes the request as HTML', 500, faults.echo('html')],
    ['500 that echoes the request as JSON', 500, faults.echo('json')],
    ['403 that echoes the request as text', 403, faults.echo('text', 403)],
    ['418 with a body of 1 MB', 418, faults.text(418, 'teapot '.repeat(150_000))],
    ['500 with a cut body', 500, { status: 500, cut: 5 }],
    ['999', 999, faults.raw('HTTP/1.1 999 Request denied\r\ncontent-length: 0\r\n\r\n')],
  ];
  for (const [name, status, fault] of errors) {
    it(`status ${name} ends as its status says`, async () => {
      harness.platform.fault('all', fault);
      // Shorter than the pause of a 429, which is over before a read is repeated.
      harness.limits.requestTimeout = 3000;
      const failure = await bounded();
      const kind = kinds[status] ?? (status < 500 ? 'clientError' : 'serverError');
      assert.deepEqual([failure.kind, 'status' in failure && failure.status], [kind, status]);
      assert.equal('excerpt' in failure, fault.body !== null && fault.raw === undefined);
      assert.equal(await outcome(), status < 500 ? 'refused' : 'unknown');
    });
  }

  const elsewhere = 'https://login.example/start?next=%2F';
  for (const [name, fault, reason] of [
    ['302 without a location', faults.noBody(302), 'noTarget'],
    ['302 to nonsense', faults.redirect('http://['), 'noTarget'],
    ['302 to a script', faults.redirect('javascript:alert(1)'), 'noTarget'],
    ['304', faults.noBody(304), 'notModified'],
  ] as const) {
    it(`redirect ${name} is an invalid response`, async () => {
      harness.platform.fault('all', fault);
      assert.deepEqual(await bounded(), { kind: 'unusable', reason, status: fault.status });
      assert.equal(await outcome(), 'unknown');
    });
  }

  for (const [name, fault, address] of [
    ...[300, 301, 302, 303, 307, 308].map(
      (status) =>
        [`${status} elsewhere`, faults.redirect(elsewhere, status), 'login.example/start'] as const,
    ),
    ['302 to a path', faults.redirect('/login'), '/login'],
    [
      '302 with credentials',
      faults.redirect('https://user:secret@elsewhere.example/'),
      'elsewhere.example',
    ],
  ] as const) {
    it(`redirect ${name} is named, not followed`, async () => {
      harness.platform.fault('all', fault);
      const failure = await bounded();
      assert.equal(failure.kind === 'redirected' && failure.foreign?.address, address);
      assert.equal(await outcome(), 'unknown');
      assert.equal(harness.platform.requests.length, 2);
    });
  }
});

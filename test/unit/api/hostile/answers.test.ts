import { strict as assert } from 'node:assert';
import { STATUS_CODES } from 'node:http';
import type { RequestLogEntry } from '../../../../src/api/call.js';
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

function isImpossible({ attempts, duration, bytes }: RequestLogEntry): boolean {
  return !(attempts > 0 && duration >= 0 && bytes >= 0);
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
    const impossibleEntries = harness.entries.filter(isImpossible);
    assert.deepEqual(impossibleEntries, []);
  });

  /** Each request is of an organization of its own: a pause must not hold the next one. */
  const newTarget = () => {
    last += 1;
    return { ...harness.target, organizationId: `org_${last}` };
  };
  const read = () => harness.read(undefined, newTarget());
  const outcomeOfRevocation = async () => (await harness.revoke(undefined, newTarget())).kind;
  /** The failure of a read. Its excerpt is short, and without the token. */
  const readFailure = async (): Promise<Failure> => {
    const failure = await failureOf(read());
    if ('excerpt' in failure) {
      const { excerpt = '' } = failure;
      assert.match(excerpt, /^[^]{1,300}$/);
      assert.equal(excerpt.includes(harness.target.token), false, `the token is in ${excerpt}`);
    }
    return failure;
  };

  async function runOutOfTime(requests: number): Promise<void> {
    await harness.platform.waitForRequests(requests);
    harness.timers.end();
  }

  for (const table of Object.values(hostileAnswers)) {
    for (const [name, [fault, ending]] of Object.entries(table)) {
      const isFailure = typeof ending === 'string';
      const isAnswered =
        !isFailure || ending.startsWith('unusable') || onlyBodyFails.includes(name);
      const isSilent = ending === 'timedOut' && !isAnswered;
      const outcome = isAnswered ? 'revoked' : 'unknown';

      it(`ends a read as ${isFailure ? ending : 'an answer'} (${name})`, async () => {
        harness.platform.fault('all', fault);
        if (isFailure) {
          const failure = readFailure();
          if (ending === 'timedOut') await runOutOfTime(1);
          assert.equal(kindOf(await failure), ending);
          return;
        }
        const { value, decodeIssues } = await read();
        assert.equal(value.accounts.length, ending.accounts);
        assert.equal(value.requirements.length, ending.requirements);
        assert.equal(decodeIssues.length, ending.decodeIssues);
      });

      it(`ends a revocation as ${outcome} (${name})`, async () => {
        harness.platform.fault('all', fault);
        const revoking = outcomeOfRevocation();
        if (isSilent) await runOutOfTime(1);
        assert.equal(await revoking, outcome);
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
    const kind = kinds[status] ?? (status < 500 ? 'clientError' : 'serverError');
    const outcome = status < 500 ? 'refused' : 'unknown';

    it(`ends a read as ${kind} after a ${name}`, async () => {
      harness.platform.fault('all', fault);
      // Shorter than the pause of a 429, which is over before a read is repeated.
      harness.limits.requestTimeout = 3000;
      const failure = await readFailure();
      assert.equal(failure.kind, kind);
      assert.equal('status' in failure && failure.status, status);
      const hasExcerpt = 'excerpt' in failure;
      assert.equal(hasExcerpt, fault.body !== null && fault.raw === undefined);
    });

    it(`ends a revocation as ${outcome} after a ${name}`, async () => {
      harness.platform.fault('all', fault);
      harness.limits.requestTimeout = 3000;
      assert.equal(await outcomeOfRevocation(), outcome);
    });
  }

  const elsewhere = 'https://login.example/start?next=%2F';
  for (const [name, fault, reason] of [
    ['302 without a location', faults.noBody(302), 'noTarget'],
    ['302 to nonsense', faults.redirect('http://['), 'noTarget'],
    ['302 to a script', faults.redirect('javascript:alert(1)'), 'noTarget'],
    ['304', faults.noBody(304), 'notModified'],
  ] as const) {
    it(`ends a read as unusable (${reason}) when the redirect is a ${name}`, async () => {
      harness.platform.fault('all', fault);
      assert.deepEqual(await readFailure(), { kind: 'unusable', reason, status: fault.status });
    });

    it(`ends a revocation as unknown when the redirect is a ${name}`, async () => {
      harness.platform.fault('all', fault);
      assert.equal(await outcomeOfRevocation(), 'unknown');
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
    it(`is named with the address of the redirect when that is a ${name}`, async () => {
      harness.platform.fault('all', fault);
      const failure = await readFailure();
      assert.equal(failure.kind, 'redirected');
      assert.equal(failure.kind === 'redirected' && failure.foreign?.address, address);
    });

    it(`ends a revocation as unknown when the redirect is a ${name}`, async () => {
      harness.platform.fault('all', fault);
      assert.equal(await outcomeOfRevocation(), 'unknown');
    });

    it(`does not make the client follow a ${name}`, async () => {
      harness.platform.fault('all', fault);
      await readFailure();
      await outcomeOfRevocation();
      const methods = harness.platform.requests.map(({ method }) => method);
      assert.deepEqual(methods, ['GET', 'DELETE']);
    });
  }
});

import { strict as assert } from 'node:assert';
import type { Phase } from '../../../src/api/call.js';
import { type Fault, faults } from '../../support/platform/faults.js';
import { page } from '../../support/platform/onTheWay.js';
import { Harness, newCall, settle, used } from './harness.js';

const notSent = { kind: 'notSent', failure: { kind: 'cancelled' } };
const ended = (kind: string, status: number) => ({ kind, status });
const lost = (code: string) => ({ kind: 'unknown', failure: { kind: 'connectionLost', code } });
const invalid = (code: string) => ({ kind: 'unknown', failure: { kind: 'invalidHttp', code } });
const failed = (kind: string, status: number, failure: object) => ({
  kind,
  status,
  failure: { ...failure, status },
});

function pageText(title: string): string {
  return `<!DOCTYPE html> <html><head><title>${title}</title></head><body><p>Hello.</p></body></html>`;
}

/** `hostile/answers.test.ts` has the outcome of each other status and broken body. */
describe('a revocation', () => {
  const harness = used(new Harness());

  const table: Record<string, [Fault, { kind: string }]> = {
    '200 and then nothing': [
      faults.raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', 'open'),
      ended('revoked', 200),
    ],
    '299': [faults.noBody(299), ended('revoked', 299)],
    '200 and half a body': [{ status: 200, cut: 5 }, ended('revoked', 200)],
    '202': [faults.status(202), ended('unknown', 202)],
    'a web page and 200': [
      page(200, 'Sign in'),
      failed('unknown', 200, {
        kind: 'notFromPlatform',
        excerpt: pageText('Sign in'),
        foreign: { title: 'Sign in' },
      }),
    ],
    'a web page and 403': [
      page(403, 'Blocked'),
      failed('refused', 403, {
        kind: 'notFromPlatform',
        excerpt: pageText('Blocked'),
        foreign: { title: 'Blocked' },
      }),
    ],
    '308 to another host': [
      faults.redirect('https://new.example/', 308),
      failed('unknown', 308, {
        kind: 'redirected',
        target: 'otherHost',
        foreign: { host: 'new.example', address: 'new.example' },
      }),
    ],
    '403': [
      faults.text(403, 'no'),
      failed('refused', 403, { kind: 'notPermitted', excerpt: 'no' }),
    ],
    reset: [faults.reset('before'), lost('RESET')],
    'something else than HTTP': [faults.raw('220 smtp.example\r\n'), invalid('HPE_INVALID')],
  };
  for (const [name, [fault, outcome]] of Object.entries(table)) {
    const revokeOnce = () => {
      // More than this test may take: a body that may be a web page is not waited for for long.
      harness.limits.requestTimeout = 60_000;
      harness.platform.fault('all', fault);
      return harness.revoke();
    };

    it(`is ${outcome.kind} when it is answered with ${name}`, async () => {
      // Which of these codes a reset has depends on who notices it first.
      const text = JSON.stringify(await revokeOnce()).replace(
        /ECONNRESET|UND_ERR_SOCKET|EPIPE/,
        'RESET',
      );
      assert.deepEqual(JSON.parse(text), outcome);
    });

    it(`is not repeated when it is answered with ${name}`, async () => {
      await revokeOnce();
      await settle();
      const methods = harness.platform.requests.map(({ method }) => method);
      assert.deepEqual(methods, ['DELETE']);
    });
  }

  describe('that has been sent', () => {
    let call: ReturnType<typeof newCall>;
    let outcome: ReturnType<Harness['revoke']>;
    beforeEach(async () => {
      harness.platform.fault('all', faults.hold());
      call = newCall();
      outcome = harness.revoke(call);
      await harness.platform.waitForRequests(1, { state: 'held' });
    });

    it('has an unknown outcome when it is cancelled', async () => {
      call.cancel();
      assert.deepEqual(await outcome, { kind: 'unknown', failure: { kind: 'cancelled' } });
    });

    it('has an unknown outcome when it times out', async () => {
      harness.timers.end();
      const timedOut = { kind: 'timedOut', after: 5000 };
      assert.deepEqual(await outcome, { kind: 'unknown', failure: timedOut });
    });

    it('frees its connection when it is cancelled', async () => {
      call.cancel();
      await outcome;
      await harness.platform.waitForRequests(1, { state: 'aborted' });
    });

    it('frees its connection when it times out', async () => {
      harness.timers.end();
      await outcome;
      await harness.platform.waitForRequests(1, { state: 'aborted' });
    });
  });
});

describe('a revocation that waits for a slot', () => {
  const harness = used(new Harness());
  /** The reads that have all slots. */
  let reads: Promise<unknown>[];
  beforeEach(async () => {
    harness.limits.maxConcurrentRequests = 1;
    const read = { operation: 'getDeploymentAuthorization' } as const;
    harness.platform.fault(read, { ...faults.hold(), times: 3 });
    // The user's take the slots on top of the one of a refresh.
    reads = [newCall(), newCall(true), newCall(true)].map((call) => harness.read(call));
    await harness.platform.waitForRequests(3, { state: 'held' });
  });
  afterEach(async () => {
    harness.platform.release();
    await Promise.all(reads);
  });

  it('is shown as waiting', async () => {
    const call = newCall();
    const revoking = harness.revoke(call);
    await settle();
    assert.deepEqual(call.phases, [{ kind: 'waiting' }]);
    harness.platform.release();
    await revoking;
  });

  it('goes before a waiting refresh without being called urgent', async () => {
    const order: string[] = [];
    const named = (name: string) => ({
      ...newCall(),
      onPhase: ({ kind }: Phase): void => {
        if (kind === 'connecting') order.push(name);
      },
    });
    reads.push(harness.read(named('refresh')));
    const revoking = harness.revoke(named('revocation'));
    await settle();

    harness.platform.release();
    assert.deepEqual(await revoking, ended('revoked', 204));
    await Promise.all(reads);
    assert.deepEqual(order, ['revocation', 'refresh']);
  });

  it('is not sent when it is cancelled', async () => {
    const call = newCall();
    const revoking = harness.revoke(call);
    await settle();
    call.cancel();
    assert.deepEqual(await revoking, notSent);
  });

  it('is not sent when it was cancelled before', async () => {
    const call = newCall();
    call.cancel();
    assert.deepEqual(await harness.revoke(call), notSent);
  });
});

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

/** Of every other status and broken body `hostile/answers.test.ts` holds the kind. */
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
    it(`that is answered with ${name} is ${outcome.kind}, and sent once`, async () => {
      // More than this test may take: a body that may be a web page is not waited for for long.
      harness.limits.requestTimeout = 60_000;
      harness.platform.fault('all', fault);
      // Which of these codes a reset has depends on who notices it first.
      const text = JSON.stringify(await harness.revoke()).replace(
        /ECONNRESET|UND_ERR_SOCKET|EPIPE/,
        'RESET',
      );
      assert.deepEqual(JSON.parse(text), outcome);
      await settle();
      assert.equal(harness.platform.requests.length, 1);
    });
  }

  it('that is cancelled or runs out of time after it was sent has an unknown outcome, and frees the connection', async () => {
    harness.platform.fault('all', faults.hold());
    const call = newCall();
    const outcome = harness.revoke(call);
    await harness.platform.waitForRequests(1, { state: 'held' });
    call.cancel();
    assert.deepEqual(await outcome, { kind: 'unknown', failure: { kind: 'cancelled' } });
    const late = harness.revoke();
    await harness.platform.waitForRequests(1, { state: 'held' });
    harness.timers.end();
    assert.deepEqual(await late, { kind: 'unknown', failure: { kind: 'timedOut', after: 5000 } });
    await harness.platform.waitForRequests(2, { state: 'aborted' });
  });

  it('goes before a waiting refresh, even if it is not called urgent; cancelled before that, it is not sent', async () => {
    const { platform, limits } = harness;
    limits.maxConcurrentRequests = 1;
    platform.fault({ operation: 'getDeploymentAuthorization' }, { ...faults.hold(), times: 3 });
    // The user's take the slots on top of the one of a refresh.
    const reads = [newCall(), newCall(true), newCall(true)].map((call) => harness.read(call));
    await platform.waitForRequests(3, { state: 'held' });
    const order: string[] = [];
    const note = (name: string) => ({
      onPhase: ({ kind }: Phase) => void (kind === 'connecting' && order.push(name)),
    });
    reads.push(harness.read({ ...newCall(), ...note('refresh') }));
    const calls = [newCall(), newCall()] as const;
    const [cancelled, revoking] = calls.map((call) => harness.revoke(call));
    await settle();
    for (const { phases } of calls) assert.deepEqual(phases, [{ kind: 'waiting' }]);
    calls[0].cancel();
    assert.deepEqual(await cancelled, notSent);
    assert.deepEqual(await harness.revoke(calls[0]), notSent);
    const revokingLast = harness.revoke({ ...newCall(), ...note('revocation') });
    platform.release();
    assert.deepEqual([(await revoking)?.kind, (await revokingLast).kind], ['refused', 'revoked']);
    await Promise.all(reads);
    assert.deepEqual(order, ['revocation', 'refresh']);
  });
});

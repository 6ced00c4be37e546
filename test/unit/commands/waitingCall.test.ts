import { strict as assert } from 'node:assert';
import { isTargetUnchanged, waitingCall } from '../../../src/commands/waitingCall.js';
import type { Organization } from '../../../src/host/organizations/organization.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import { faults } from '../../support/platform/faults.js';
import { Harness, settle, startSilentServer, used } from '../api/harness.js';

const never = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => {} }),
};

/** `test/unit/api` holds how a request ends that is cancelled at any of its steps. */
describe('waitingCall()', () => {
  const harness = used(new Harness());
  let isSignedIn: boolean;
  let changes: Emitter<void>;
  beforeEach(() => {
    isSignedIn = true;
    changes = new Emitter();
  });

  const phases: string[] = [];
  const newWaiting = () =>
    waitingCall(
      never,
      changes.event,
      () => isSignedIn,
      ({ kind }) => phases.push(kind),
    );

  function signOut(): void {
    isSignedIn = false;
    changes.fire();
  }

  it('ends a revocation that a sign-out overtakes before it is sent', async () => {
    const { port, sockets, stop } = await startSilentServer();
    const waiting = newWaiting();
    const revoking = harness.revoke(waiting, {
      ...harness.target,
      baseUrl: `https://127.0.0.1:${port}/api/v1`,
    });
    while (sockets.size === 0) await settle(1);
    signOut();
    assert.deepEqual([(await revoking).kind, waiting.isStoppedByChange], ['notSent', true]);
    assert.deepEqual(phases, ['connecting']);
    waiting.dispose();
    stop();
  });

  it('ends a revocation at once whose sign-in has changed before it began to wait for a pause', async () => {
    harness.platform.fault('all', { ...faults.retryAfter(60), times: 1 });
    const target = { ...harness.target, organizationId: 'paused' };
    await assert.rejects(harness.read(undefined, target));
    isSignedIn = false;
    const waiting = newWaiting();
    assert.deepEqual(
      [(await harness.revoke(waiting, target)).kind, waiting.isStoppedByChange],
      ['notSent', true],
    );
    waiting.dispose();
  });

  it('ends a revocation at the last moment before it is sent, also after a change that no event told of', async () => {
    const waiting = waitingCall(
      never,
      changes.event,
      () => isSignedIn,
      ({ kind }) => {
        if (kind === 'connecting') isSignedIn = false;
      },
    );
    const outcome = await harness.revoke(waiting);
    assert.deepEqual(
      [outcome.kind, waiting.isStoppedByChange, harness.platform.requests.length],
      ['notSent', true, 0],
    );
    waiting.dispose();
  });

  it('is said to wait only while it waits for a slot', async () => {
    const { platform, target } = harness;
    platform.fault('all', faults.hold());
    const others = Array.from({ length: 10 }, () => harness.lookUp(newWaiting()));
    const shown: string[] = [];
    const waiting = waitingCall(
      never,
      changes.event,
      () => isSignedIn,
      ({ kind }) => shown.push(kind),
    );
    const revoking = harness.revoke(waiting, target);
    for (let round = 0; shown.length === 0 && round < 1000; round++) await settle(1);
    assert.deepEqual(shown, ['waiting']);
    platform.release();
    platform.clearFaults();
    await Promise.allSettled([revoking, ...others]);
    assert.deepEqual(shown, ['waiting', 'connecting', 'sending']);
  });

  it('lets a revocation end that was sent before the sign-out', async () => {
    harness.platform.fault('all', faults.hold());
    const waiting = newWaiting();
    const revoking = harness.revoke(waiting);
    await harness.platform.waitForRequests(1, { state: 'held' });
    signOut();
    harness.platform.release();
    assert.deepEqual([(await revoking).kind, waiting.isStoppedByChange], ['revoked', false]);
    waiting.dispose();
  });

  it('ends a look-up before it is repeated after a sign-out', async () => {
    harness.platform.fault('all', faults.status(503));
    harness.platform.fault('all', { ...faults.hold(), ...faults.status(503), times: 1 });
    const waiting = newWaiting();
    const reading = harness.lookUp(waiting);
    await harness.platform.waitForRequests(1, { state: 'held' });
    signOut();
    harness.platform.release();
    await assert.rejects(reading);
    assert.deepEqual([harness.platform.requests.length, waiting.isStoppedByChange], [1, true]);
    waiting.dispose();
  });
});

describe('isTargetUnchanged()', () => {
  const target = { organizationId: 'a', baseUrl: 'https://host.example/api/v1', token: 'tok_1' };
  const acme: Organization = {
    ...target,
    id: 'a',
    name: 'Acme',
    source: 'keyring',
    hasSessionToken: false,
  };

  for (const [what, current, now] of [
    ['no change', { ...acme }, { ...target }],
    ['a switch', { ...acme, id: 'b' }, { ...target, organizationId: 'b' }],
    ['a sign-out of all', undefined, target],
    ['a sign-out', acme, undefined],
    ['another token', acme, { ...target, token: 'tok_2' }],
    ['another base URL', acme, { ...target, baseUrl: 'https://other.example/api/v1' }],
  ] as const) {
    it(`is ${what === 'no change'} after ${what}`, () => {
      const isUnchanged = isTargetUnchanged(target, { current, target: () => now });
      assert.equal(isUnchanged, what === 'no change');
    });
  }
});

import { strict as assert } from 'node:assert';
import { isTargetUnchanged, waitingCall } from '../../../src/commands/waitingCall.js';
import type { Organization } from '../../../src/host/organizations/organization.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import { faults } from '../../support/platform/faults.js';
import { Harness, newCall, settle, startSilentServer, used } from '../api/harness.js';

const never = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => {} }),
};

/** `test/unit/api` shows how a request ends that is cancelled at any of its steps. */
describe('a waiting call', () => {
  const harness = used(new Harness());
  let isSignedIn: boolean;
  let changes: Emitter<void>;
  /** The phases in which its request was, as the call reports them. */
  let phases: string[];
  let onPhase: (kind: string) => void;
  let waiting: ReturnType<typeof waitingCall>;
  beforeEach(() => {
    isSignedIn = true;
    changes = new Emitter();
    phases = [];
    onPhase = () => undefined;
    waiting = newWaiting();
  });
  afterEach(() => waiting.dispose());

  const newWaiting = () =>
    waitingCall(
      never,
      changes.event,
      () => isSignedIn,
      ({ kind }) => {
        phases.push(kind);
        onPhase(kind);
      },
    );

  function signOut(): void {
    isSignedIn = false;
    changes.fire();
  }

  it('ends a revocation unsent when a sign-out overtakes it', async () => {
    const { port, untilConnections, stop } = await startSilentServer();
    const revoking = harness.revoke(waiting, {
      ...harness.target,
      baseUrl: `https://127.0.0.1:${port}/api/v1`,
    });
    await untilConnections('some');
    signOut();
    const { kind } = await revoking;
    stop();

    assert.equal(kind, 'notSent');
    assert.equal(waiting.isStoppedByChange, true);
    assert.deepEqual(phases, ['connecting']);
  });

  it('ends a revocation before a pause when the sign-in has changed before', async () => {
    harness.platform.fault('all', { ...faults.retryAfter(60), times: 1 });
    const target = { ...harness.target, organizationId: 'paused' };
    await assert.rejects(harness.read(undefined, target));
    isSignedIn = false;

    const late = newWaiting();
    const { kind } = await harness.revoke(late, target);
    late.dispose();

    assert.equal(kind, 'notSent');
    assert.equal(late.isStoppedByChange, true);
  });

  it('ends a revocation unsent when the sign-in changes without an event', async () => {
    onPhase = (kind) => {
      if (kind === 'connecting') isSignedIn = false;
    };

    const { kind } = await harness.revoke(waiting);

    assert.equal(kind, 'notSent');
    assert.equal(waiting.isStoppedByChange, true);
    assert.deepEqual(harness.platform.requests, []);
  });

  it('is reported as waiting only while it waits for a slot', async () => {
    const { platform, target } = harness;
    platform.fault('all', faults.hold());
    const others = Array.from({ length: 10 }, () => harness.lookUp(newCall(true)));
    const revoking = harness.revoke(waiting, target);
    for (let round = 0; phases.length === 0 && round < 1000; round += 1) await settle(1);
    assert.deepEqual(phases, ['waiting']);

    platform.release();
    platform.clearFaults();
    await Promise.allSettled([revoking, ...others]);

    assert.deepEqual(phases, ['waiting', 'connecting', 'sending']);
  });

  it('lets a revocation end that was sent before the sign-out', async () => {
    harness.platform.fault('all', faults.hold());
    const revoking = harness.revoke(waiting);
    await harness.platform.waitForRequests(1, { state: 'held' });
    signOut();
    harness.platform.release();

    assert.equal((await revoking).kind, 'revoked');
    assert.equal(waiting.isStoppedByChange, false);
  });

  it('ends a look-up before its repeat when a sign-out comes first', async () => {
    harness.platform.fault('all', faults.status(503));
    harness.platform.fault('all', { ...faults.hold(), ...faults.status(503), times: 1 });
    const reading = harness.lookUp(waiting);
    await harness.platform.waitForRequests(1, { state: 'held' });
    signOut();
    harness.platform.release();

    await assert.rejects(reading);
    const methods = harness.platform.requests.map(({ method }) => method);
    assert.deepEqual(methods, ['GET']);
    assert.equal(waiting.isStoppedByChange, true);
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

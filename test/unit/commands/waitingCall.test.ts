import { strict as assert } from 'node:assert';
import type { Phase } from '../../../src/api/call.js';
import { isTargetUnchanged, waitingCall } from '../../../src/commands/waitingCall.js';
import type { Organization } from '../../../src/host/organizations/organization.js';
import { Emitter } from '../../../src/model/emitter.js';
import { faults } from '../../support/service/faults.js';
import {
  editorWayTo,
  Harness,
  newCall,
  plainSettings,
  serviceName,
  settle,
  startSilentServer,
  used,
} from '../api/harness.js';

const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => {} }) };
/** Its look-up answers when the test says so. */
const slowName = 'slow.test.example';
const onlyByEditor = `https://${serviceName}/api/v1`;

describe('a sign-out during a revocation', () => {
  let signedIn: boolean;
  let phases: Phase['kind'][];
  let changes: Emitter<void>;
  /** Calls back what waits: a look-up, the editor's `fetch`. */
  let goOn: (() => void)[];
  const wait = () => new Promise<void>((resolve) => goOn.push(resolve));
  const harness: Harness = used(
    new Harness({
      resolve: async (host) => {
        if (host === slowName) await wait();
        return harness.resolve(host);
      },
      editorFetch: async (input, init) => {
        await wait();
        return editorWayTo(() => harness.service)(input, init);
      },
    }),
  );
  beforeEach(() => {
    harness.names = { [slowName]: ['127.0.0.1'] };
    signedIn = true;
    phases = [];
    changes = new Emitter();
    goOn = [];
  });

  const isSignedIn = () => signedIn;
  const newWaiting = () => waitingCall(never, changes.event, isSignedIn, ({ kind }) => phases.push(kind));

  /** As the command does it. */
  async function revoke(baseUrl: string) {
    const waiting = newWaiting();
    const { kind } = await harness.revoke(waiting, { ...harness.target, baseUrl });
    waiting.dispose();
    return `${kind}${waiting.changed ? ', changed' : ''}`;
  }

  function signOut(): void {
    signedIn = false;
    changes.fire();
  }

  async function isNotSent(revoking: Promise<string>): Promise<void> {
    assert.equal(await revoking, 'notSent, changed');
    for (const go of goOn) go();
    await settle();
    assert.deepEqual(harness.service.requests, []);
    assert.ok(!phases.includes('sending'), 'nobody is told that it is on its way');
  }

  it('keeps it from being sent while a name is looked up', async () => {
    const revoking = revoke(harness.service.baseUrl.replace('127.0.0.1', slowName));
    while (goOn.length === 0) await settle(1);
    signOut();
    await isNotSent(revoking);
  });

  for (const what of ['TLS is agreed on', 'a proxy takes its time']) {
    it(`keeps it from being sent while ${what}`, async () => {
      const { port, sockets, stop } = await startSilentServer();
      const isProxied = what === 'a proxy takes its time';
      if (isProxied) harness.settings = { ...plainSettings, proxy: `http://127.0.0.1:${port}` };
      const revoking = revoke(isProxied ? onlyByEditor : `https://127.0.0.1:${port}/api/v1`);
      while (sockets.size === 0) await settle(1);
      await settle();
      signOut();
      await isNotSent(revoking);
      stop();
    });
  }

  it('keeps it from being sent while it waits for a slot of the editor', async () => {
    const target = { ...harness.target, baseUrl: onlyByEditor };
    const first = harness.revoke(newCall(true), target);
    while (goOn.length === 0) await settle(1);
    for (const go of goOn.splice(0)) go();
    await first;
    harness.service.requests.length = 0;
    const hanging = Array.from({ length: 6 }, () => newCall(true));
    const ended = hanging.map((call) => harness.revoke(call, target));
    while (goOn.length < 6) await settle(1);
    await settle();
    const revoking = revoke(onlyByEditor);
    await settle();
    signOut();
    for (const call of hanging) call.cancel();
    await Promise.all(ended);
    goOn = [];
    await isNotSent(revoking);
  });

  it('does not call it back once it is on its way', async () => {
    harness.service.fault('all', faults.hold());
    const direct = revoke(harness.service.baseUrl);
    await harness.service.waitForRequests(1, { state: 'held' });
    signOut();
    harness.service.release();
    assert.deepEqual([await direct, phases.at(-1)], ['revoked', 'sending']);

    harness.service.clearFaults();
    signedIn = true;
    const viaEditor = revoke(onlyByEditor);
    while (goOn.length === 0) await settle(1);
    assert.equal(phases.at(-1), 'sending');
    signOut();
    for (const go of goOn) go();
    assert.equal(await viaEditor, 'refused', 'the key is gone');
  });

  it('ends a look-up that would be repeated', async () => {
    harness.service.fault('all', faults.status(503));
    harness.service.fault('all', { ...faults.hold(), ...faults.status(503), times: 1 });
    const waiting = newWaiting();
    const reading = harness.lookUp(waiting);
    await harness.service.waitForRequests(1, { state: 'held' });
    signOut();
    harness.service.release();
    await assert.rejects(reading);
    assert.ok(waiting.changed);
    assert.equal(harness.service.requests.length, 1);
    waiting.dispose();
  });
});

describe('a revocation', () => {
  const target = { organizationId: 'a', baseUrl: onlyByEditor, token: 'tok_1' };
  const acme: Organization = { ...target, id: 'a', name: 'Acme', source: 'keyring', hasSessionToken: false };

  for (const [what, current, now] of [
    ['nothing changed', { ...acme }, { ...target }],
    ['a switch', { ...acme, id: 'b' }, target],
    ['none being left', undefined, target],
    ['a sign-out', acme, undefined],
    ['another token', acme, { ...target, token: 'tok_2' }],
    ['another base URL', acme, { ...target, baseUrl: 'https://other.example/api/v1' }],
    ['another name', { ...acme, name: 'Acme 2' }, target],
  ] as const) {
    const isSame = what === 'nothing changed';
    it(`has ${isSame ? 'the same' : 'another'} target after ${what}`, () => {
      assert.equal(isTargetUnchanged({ organization: acme, target }, { current, target: () => now }), isSame);
    });
  }
});

import { strict as assert } from 'node:assert';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RevocationOutcome } from '../../../src/api/send.js';
import { waitingCall } from '../../../src/commands/meant.js';
import { Emitter } from '../../../src/model/emitter.js';
import { faults } from '../../support/service/faults.js';
import { listen } from '../../support/service/listen.js';
import { editorWayTo, Harness, newCall, plainSettings } from '../api/harness.js';

const keyId = 'key_4711_abcdef';
const installToken = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => {} }) };
/** Its look-up answers when the test says so. */
const slowName = 'slow.test.example';

async function until(isSo: () => boolean): Promise<void> {
  for (let turns = 0; !isSo(); turns++) {
    assert.ok(turns < 3000, 'it never came to that');
    await sleep(1);
  }
}

describe('a sign-out during a revocation', () => {
  let harness: Harness;
  let signedIn: boolean;
  let phases: string[];
  let changes: Emitter<void>;
  /** Calls back what waits: a look-up, the proxy's answer, the editor's `fetch`. */
  let goOn: (() => void)[];
  const wait = () => new Promise<void>((resolve) => goOn.push(resolve));

  before(async () => {
    harness = new Harness(
      {
        resolve: async (host) => {
          if (host === slowName) await wait();
          return harness.resolve(host);
        },
        editorFetch: async (input, init) => {
          await wait();
          return editorWayTo(() => harness.service)(input, init);
        },
      },
      { data: { apiKeys: new Set([keyId]) } },
    );
    await harness.start();
  });
  beforeEach(() => {
    harness.reset();
    harness.names = { [slowName]: ['127.0.0.1'] };
    signedIn = true;
    phases = [];
    changes = new Emitter();
    goOn = [];
  });
  after(() => harness.stop());

  const newWaiting = () =>
    waitingCall(
      never,
      changes.event,
      () => signedIn,
      ({ kind }) => phases.push(kind),
    );

  /** As the command does it. */
  async function revoke(baseUrl: string): Promise<{ readonly outcome: RevocationOutcome; readonly changed: boolean }> {
    const waiting = newWaiting();
    const outcome = await harness.client.deleteApiKey({ ...harness.target, baseUrl }, keyId, waiting);
    waiting.dispose();
    return { outcome, changed: waiting.changed };
  }

  function signOut(): void {
    signedIn = false;
    changes.fire();
  }

  async function isNotSent(revoking: ReturnType<typeof revoke>): Promise<void> {
    assert.deepEqual(await revoking, { outcome: { kind: 'notSent', failure: { kind: 'cancelled' } }, changed: true });
    for (const go of goOn) go();
    await sleep(20);
    assert.deepEqual(harness.service.requests, []);
    assert.ok(!phases.includes('sending'), 'nobody is told that it is on its way');
  }

  it('keeps it from being sent while a name is looked up', async () => {
    const revoking = revoke(harness.service.baseUrl.replace('127.0.0.1', slowName));
    await until(() => goOn.length > 0);
    signOut();
    await isNotSent(revoking);
  });

  it('keeps it from being sent while a proxy takes its time with CONNECT, and while TLS is agreed on', async () => {
    for (const answer of ['', 'HTTP/1.1 200 OK\r\n\r\n']) {
      signedIn = true;
      let asked = false;
      const sockets = new Set<Socket>();
      const server = createServer((socket) => {
        sockets.add(socket);
        socket
          .on('error', () => {})
          .once('data', () => {
            socket.write(answer);
            asked = answer === '';
            // The first word of TLS.
            socket.once('data', () => {
              asked = true;
            });
          });
      });
      harness.settings = { ...plainSettings, proxy: `http://127.0.0.1:${await listen(server)}` };
      const revoking = revoke('https://service.test.example/api/v1');
      await until(() => asked);
      signOut();
      await isNotSent(revoking);
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

  it('keeps it from being sent while it waits for the route of the editor', async () => {
    const baseUrl = 'https://nobody.test.example/api/v1';
    const hanging = Array.from({ length: 6 }, () => {
      const call = newCall(true);
      return { call, ended: harness.client.deleteApiKey({ ...harness.target, baseUrl }, keyId, call) };
    });
    await until(() => goOn.length === 4);
    await sleep(20);
    const revoking = revoke(baseUrl);
    await sleep(20);
    signOut();
    for (const { call } of hanging) call.cancel();
    await Promise.all(hanging.map(({ ended }) => ended));
    goOn = [];
    await isNotSent(revoking);
  });

  it('does not call it back once it is on its way', async () => {
    harness.service.fault('all', faults.hold());
    const direct = revoke(harness.service.baseUrl);
    await harness.service.waitForRequests(1, { state: 'held' });
    signOut();
    harness.service.release();
    assert.deepEqual(await direct, { outcome: { kind: 'revoked', status: 204 }, changed: false });
    assert.equal(phases.at(-1), 'sending');

    signedIn = true;
    const viaEditor = revoke('https://nobody.test.example/api/v1');
    await until(() => goOn.length > 0);
    assert.equal(phases.at(-1), 'sending');
    signOut();
    for (const go of goOn) go();
    assert.notEqual((await viaEditor).outcome.kind, 'notSent');
  });

  it('ends a look-up that would be repeated', async () => {
    harness.service.fault('all', faults.status(503));
    harness.service.fault('all', { ...faults.hold(), ...faults.status(503), times: 1 });
    const waiting = newWaiting();
    const reading = harness.client.getIntegrationInstall(harness.target, installToken, waiting);
    await harness.service.waitForRequests(1, { state: 'held' });
    signOut();
    harness.service.release();
    await assert.rejects(reading);
    assert.ok(waiting.changed);
    assert.equal(harness.service.requests.length, 1);
    waiting.dispose();
  });
});

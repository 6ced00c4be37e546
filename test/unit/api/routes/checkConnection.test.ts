import { strict as assert } from 'node:assert';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { ConnectionStep } from '../../../../src/api/call.js';
import { createAuthority } from '../../../support/platform/certificates.js';
import { DEFAULT_TOKEN } from '../../../support/platform/data.js';
import { faults } from '../../../support/platform/faults.js';
import { startPlatform } from '../../../support/platform/platform.js';
import { startProxy } from '../../../support/platform/proxy.js';
import {
  closedPort,
  deploymentId,
  editorWayTo,
  failureOf,
  Harness,
  named,
  never,
  newCall,
  plainSettings,
  platformHost,
  platformTls,
  portOf,
  settle,
  startSilentServer,
  used,
  watched,
} from '../harness.js';

const proxySecret = 's3cret-of-the-proxy';
const nowhere = 'https://nowhere.test.example/api/v1';

type HarnessOptions = ConstructorParameters<typeof Harness>[0];

/** Without its time, which differs from run to run. */
function factsOf(step: ConnectionStep) {
  const { duration, ...facts } = { duration: 0, ...step };
  assert.ok(duration >= 0);
  return facts;
}

function portIn(address: ReturnType<Server['address']>): number {
  assert.ok(typeof address === 'object' && address);
  return address.port;
}

const kinds = (steps: readonly { readonly kind: string }[]) =>
  steps.map(({ kind }) => kind).join(' ');

describe('checking a connection', () => {
  const harness = used(new Harness({}, { tls: platformTls }));
  beforeEach(() => {
    harness.names = { [platformHost]: ['127.0.0.1'] };
  });

  /** The steps that a check reports, and what comes of it. */
  async function check(
    { target, client }: Pick<Harness, 'target' | 'client'> = harness,
    id?: string,
  ) {
    const found: ReturnType<typeof factsOf>[] = [];
    const onStep = (step: ConnectionStep) => void found.push(factsOf(step));
    const failure = await client.check(target, { ...newCall(), onStep }, id);
    return { found, failure };
  }
  async function steps(baseUrl = harness.target.baseUrl, id?: string, { client } = harness) {
    const { found } = await check({ target: { ...harness.target, baseUrl }, client }, id);
    const text = JSON.stringify(found);
    assert.ok(!text.includes(DEFAULT_TOKEN) && !text.includes(proxySecret));
    assert.ok(!text.includes(Buffer.from(`me:${proxySecret}`).toString('base64').slice(4, -4)));
    return found;
  }
  /** With another client, that is closed afterwards. */
  async function stepsOf(
    options: HarnessOptions,
    baseUrl?: string,
    endWait = async (_own: Harness) => {},
  ) {
    const own = await new Harness({
      resolve: harness.resolve,
      settings: () => harness.settings,
      ...options,
    }).start();
    const checking = steps(baseUrl, undefined, own);
    await endWait(own);
    const found = await checking;
    await own.stop();
    return found;
  }

  const last = async (baseUrl?: string) => (await steps(baseUrl)).at(-1);
  const route = {
    kind: 'route',
    route: { kind: 'direct', why: 'noProxyNamed' },
    hasCredentials: false,
    mayTryEditor: false,
  };
  const request = { kind: 'http', viaEditor: false };

  it('names route, name, TCP, TLS and HTTP', async () => {
    const found = await steps(undefined, deploymentId);
    const peer = { host: platformHost, port: portOf(harness.platform) };
    const certificate = found[3]?.kind === 'tls' ? found[3].certificate : undefined;
    const { validFrom, validTo, ...names } = certificate ?? { validFrom: 0, validTo: 0 };
    assert.ok(validFrom < Date.now() && validTo > Date.now());
    assert.deepEqual(names, { issuer: 'CN=Test authority in the system' });
    assert.deepEqual(found, [
      route,
      { kind: 'dns', role: 'platform', host: platformHost, addresses: ['127.0.0.1'] },
      { kind: 'tcp', role: 'platform', ...peer, address: '127.0.0.1' },
      { kind: 'tls', role: 'platform', host: platformHost, protocol: 'TLSv1.3', certificate },
      { ...request, status: 200 },
    ]);
    const [{ method, headers, connection } = assert.fail(), ...others] = harness.platform.requests;
    assert.equal(`${method} ${headers.authorization}`, `GET Bearer ${DEFAULT_TOKEN}`);
    await harness.read();
    assert.notEqual(
      harness.platform.requests[1]?.connection,
      connection,
      'it has a connection of its own',
    );
    assert.deepEqual(others, []);
  });

  it('asks for a deployment that does not exist if none is given, once, and says what the answer is', async () => {
    const { found, failure: notFound } = await check();
    assert.deepEqual([found.at(-1), notFound?.kind], [{ ...request, status: 404 }, 'notFound']);
    assert.equal(harness.platform.requests[0]?.route.id, 'connection-check');
    harness.platform.fault('all', faults.redirect('https://login.example:8443/start'));
    const foreign = { host: 'login.example:8443', address: 'login.example:8443/start' };
    const failure = { kind: 'redirected', status: 302, target: 'otherHost', foreign };
    const redirected = await check();
    assert.deepEqual(
      [redirected.found.at(-1), redirected.failure],
      [{ ...request, status: 302 }, failure],
    );
    harness.platform.fault('all', faults.status(503));
    await check();
    assert.equal(harness.platform.requests.length, 3);
  });

  it('names what a proxy answers, and nothing of its credentials', async () => {
    const authorization = `Basic ${Buffer.from(`me:${proxySecret}`).toString('base64')}`;
    const proxy = await startProxy({
      knows: { [platformHost]: portOf(harness.platform) },
      authorization,
    });
    const peer = { host: '127.0.0.1', port: proxy.port };
    const through = (credentials: string) => {
      harness.settings = {
        ...plainSettings,
        proxies: named(`http://${credentials}127.0.0.1:${proxy.port}`),
      };
      return steps();
    };
    const [first, tcp, tunnel, ...more] = await through(`me:${proxySecret}@`);
    const shown = { kind: 'proxy', source: 'http.proxy', ...peer, usesTls: false };
    assert.deepEqual(first, {
      kind: 'route',
      route: shown,
      hasCredentials: true,
      mayTryEditor: false,
    });
    assert.deepEqual(tcp, { kind: 'tcp', role: 'proxy', ...peer, address: '127.0.0.1' });
    assert.deepEqual(tunnel, { kind: 'proxy', ...peer, status: 200 });
    assert.equal(kinds(more), 'tls http');
    const asked = { status: 407, schemes: ['Basic'], sentCredentials: false };
    const cause = {
      step: 'proxy',
      code: 'ERR_PROXY_TUNNEL',
      ...peer,
      ...asked,
      source: 'http.proxy',
    };
    assert.deepEqual((await through('')).at(-1), { kind: 'proxy', ...peer, cause });
    await proxy.stop();
  });

  it("says that the system's certificates could not be had, and goes on without them", async () => {
    const unreadable = Object.assign(new Error('no'), { code: 'ENOMEM' });
    const failed = await stepsOf({ readCertificates: () => Promise.reject(unreadable) });
    assert.deepEqual(failed[1], { kind: 'certificates', code: 'ENOMEM' });
    assert.equal(kinds(failed), 'route certificates dns tcp tls');
    const reading = watched(never);
    const timedOut = await stepsOf({ readCertificates: reading.start }, undefined, async (own) => {
      await reading.begun;
      own.endWaitForCertificates();
    });
    assert.deepEqual(timedOut[1], { kind: 'certificates', code: 'ETIMEDOUT' });
    assert.equal(kinds(timedOut), 'route certificates dns tcp tls');
  });

  it("says no more that the system's certificates could not be had once they have come", async () => {
    const { resolve } = harness;
    let come: () => void = assert.fail;
    const found = new Promise<readonly string[]>((done) => (come = () => done(rootCertificates)));
    const { begun, start: readCertificates } = watched(found);
    const own = await new Harness({
      resolve,
      settings: () => harness.settings,
      readCertificates,
    }).start();
    const checking = steps(undefined, undefined, own);
    await begun;
    own.endWaitForCertificates();
    assert.equal(kinds(await checking), 'route certificates dns tcp tls');
    come();
    await settle();
    assert.equal(kinds(await steps(undefined, undefined, own)).includes('certificates'), false);
    await own.stop();
  });

  it('ends with the step that failed', async () => {
    const peer = { host: platformHost, port: closedPort };
    const refused = { step: 'refused', code: 'ECONNREFUSED', ...peer };
    const tcp = { kind: 'tcp', role: 'platform', ...peer, cause: refused };
    assert.deepEqual(await last(`https://${platformHost}:${peer.port}/api/v1`), tcp);
    const host = 'nowhere.test.example';
    const cause = { step: 'dns', code: 'ENOTFOUND', host, port: 443 };
    assert.deepEqual(await last(nowhere), {
      kind: 'dns',
      role: 'platform',
      host,
      addresses: [],
      cause,
    });
    const certificate = await (await createAuthority('Stranger')).issue([platformHost]);
    const stranger = await startPlatform({ tls: { ...certificate, name: platformHost } });
    const tls = await last(stranger.baseUrl);
    assert.ok(tls?.kind === 'tls');
    assert.deepEqual(
      [tls.cause?.code, tls.certificate?.issuer],
      ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CN=Stranger'],
    );
    await stranger.stop();
    harness.settings = { ...plainSettings, proxies: named('ftp://proxy.example') };
    const problem = { kind: 'scheme' };
    const noProxy = {
      step: 'proxy',
      code: 'ERR_INVALID_URL',
      host: '',
      source: 'http.proxy',
      problem,
    };
    const unusable = { kind: 'unusable', source: 'http.proxy', problem };
    assert.deepEqual(await steps(), [{ ...route, route: unusable, cause: noProxy }]);
    harness.settings = plainSettings;
    harness.platform.fault('all', faults.silent());
    const checking = check();
    await harness.platform.waitForRequests(1);
    harness.timers.end();
    const { found, failure } = await checking;
    assert.deepEqual([found.at(-1), failure], [request, { kind: 'timedOut', after: 5000 }]);
  });

  it('ends with the step at which the time ran out', async () => {
    const resolving = watched(never);
    const unresolved = await stepsOf(
      { resolve: resolving.start },
      undefined,
      async ({ timers }) => {
        await resolving.begun;
        timers.end();
      },
    );
    assert.equal(kinds(unresolved), 'route dns');
    const { port, untilSpokenTo, stop } = await startSilentServer();
    const checking = last(`https://${platformHost}:${port}/api/v1`);
    await untilSpokenTo();
    harness.timers.end();
    const failed = await checking;
    const cause = { step: 'tls', code: 'ETIMEDOUT', host: platformHost, port };
    assert.deepEqual(failed, { kind: 'tls', role: 'platform', host: platformHost, cause });
    stop();
  });

  /** Of an organization that a 429 pauses. */
  const paused = async (baseUrl = harness.target.baseUrl) => {
    const target = { ...harness.target, organizationId: crypto.randomUUID() };
    harness.platform.fault('all', faults.retryAfter(60));
    await failureOf(harness.read(undefined, target));
    harness.platform.clearRequests();
    return { ...target, baseUrl };
  };

  describe('while a 429 pauses the organization', () => {
    it('opens a connection and sends nothing', async () => {
      const target = await paused();
      const { found, failure } = await check({ target, client: harness.client });
      const until = harness.sender.pausedUntil(target.organizationId);
      assert.deepEqual(
        [kinds(found), failure],
        ['route dns tcp tls', { kind: 'rateLimited', status: 429, until }],
      );
      assert.deepEqual(harness.platform.requests, []);
    });

    it('closes that connection', async () => {
      const closed = new EventEmitter();
      const server = createServer((socket) =>
        socket.resume().once('close', () => closed.emit('closed')),
      );
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const end = once(closed, 'closed');
      const target = await paused(`http://127.0.0.1:${portIn(server.address())}/api/v1`);
      await check({ target, client: harness.client });
      await end;
      server.close();
    });

    it('says which step fails', async () => {
      const { found, failure } = await check({
        target: await paused(nowhere),
        client: harness.client,
      });
      assert.deepEqual([kinds(found), failure?.kind], ['route dns', 'unreachable']);
    });

    it('says that it pauses where a step fails, but the editor may still send', async () => {
      const editorFetch = editorWayTo(() => own.platform);
      const own = await new Harness({ resolve: harness.resolve, editorFetch }).start();
      own.platform.fault('all', faults.retryAfter(60));
      await failureOf(own.read());
      const target = { ...own.target, baseUrl: nowhere };
      const { found, failure } = await check({ target, client: own.client });
      assert.deepEqual([kinds(found), failure?.kind], ['route dns', 'rateLimited']);
      await own.stop();
    });

    it('ends as cancelled, also at its last step', async () => {
      const { signal, cancel } = newCall();
      const onStep = ({ kind }: ConnectionStep): void => {
        if (kind === 'tls') cancel();
      };
      const failure = await harness.client.check(await paused(), { signal, onStep });
      assert.equal(failure?.kind, 'cancelled');
    });

    it('opens none where requests go through the editor', async () => {
      const plain = await startPlatform();
      plain.fault('all', faults.retryAfter(60));
      const own = await new Harness({
        resolve: harness.resolve,
        editorFetch: editorWayTo(() => plain),
      }).start();
      const target = { ...own.target, baseUrl: nowhere };
      await failureOf(own.read(undefined, target));
      const { found, failure } = await check({ target, client: own.client });
      assert.deepEqual(
        [kinds(found), failure?.kind, plain.requests.length],
        ['route', 'rateLimited', 1],
      );
      await own.stop();
      await plain.stop();
    });

    it('opens none for a caller that asks for no steps', async () => {
      const target = await paused(nowhere);
      harness.resolved.length = 0;
      const { signal } = newCall();
      const failure = await harness.client.check(target, { signal });
      assert.deepEqual([failure?.kind, harness.resolved], ['rateLimited', []]);
    });
  });

  it('goes through the editor as well if that is the way, and without TLS on this machine', async () => {
    const plain = await startPlatform();
    plain.putDeployment('connection-check', { accounts: [], requirements: [] });
    const editorFetch = editorWayTo(() => plain);
    const viaEditor = { kind: 'http', viaEditor: true, status: 200 };
    const [first, dns, ...more] = await stepsOf({ editorFetch }, nowhere);
    assert.deepEqual(
      [first, dns?.kind, more],
      [{ ...route, mayTryEditor: true }, 'dns', [viaEditor]],
    );
    harness.settings = { ...plainSettings, proxies: named('socks5://127.0.0.1:1') };
    assert.deepEqual(await stepsOf({ editorFetch }, nowhere), [
      { ...route, route: { kind: 'editor', source: 'http.proxy' }, mayTryEditor: true },
      viaEditor,
    ]);
    harness.settings = plainSettings;
    assert.equal(kinds(await steps(plain.baseUrl)), 'route tcp http');
    assert.equal(plain.requests.length, 3);
    await plain.stop();
  });

  it('says why the editor failed, too', async () => {
    const cause = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const editorFetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const [, dns, http] = await stepsOf({ editorFetch }, nowhere);
    assert.ok(dns?.kind === 'dns' && http?.kind === 'http');
    assert.deepEqual([dns.cause, http.viaEditor], [http.cause, true]);
  });

  it('ends when cancelled, at any step, and leaves nothing open', async () => {
    const { port, sockets, stop } = await startSilentServer();
    const silent = { ...harness.target, baseUrl: `https://${platformHost}:${port}/api/v1` };
    for (const [at, target] of [
      ['tcp', silent],
      // All is ready for the request.
      ['tls', harness.target],
    ] as const) {
      const { signal, cancel } = newCall();
      const seen: string[] = [];
      const onStep = ({ kind }: ConnectionStep): void => {
        seen.push(kind);
        if (kind !== at) return;
        if (at === 'tls') cancel();
        else setTimeout(cancel, 20);
      };
      const failure = await harness.client.check(target, { signal, onStep });
      assert.deepEqual([seen.includes(at), failure?.kind], [true, 'cancelled']);
    }
    while (sockets.size > 0) await settle(5);
    assert.deepEqual(harness.platform.requests, []);
    stop();
  });
});

import { strict as assert } from 'node:assert';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { ConnectionStep } from '../../../../src/api/call.js';
import { createAuthority } from '../../../support/platform/certificates.js';
import { DEFAULT_TOKEN } from '../../../support/platform/data.js';
import { faults } from '../../../support/platform/faults.js';
import { type Platform, startPlatform } from '../../../support/platform/platform.js';
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

/** A step without its duration, which differs from run to run. */
function factsOf(step: ConnectionStep) {
  const { duration, ...facts } = { duration: 0, ...step };
  assert.ok(duration >= 0, `${duration} ms`);
  return facts;
}

function portIn(address: ReturnType<Server['address']>): number {
  assert.ok(typeof address === 'object' && address);
  return address.port;
}

const kinds = (steps: readonly { readonly kind: string }[]) =>
  steps.map(({ kind }) => kind).join(' ');

describe('a connection check', () => {
  const harness = used(new Harness({}, { tls: platformTls }));
  beforeEach(() => {
    harness.names = { [platformHost]: ['127.0.0.1'] };
  });

  /** Checks the connection: the steps that it reports, and its failure. */
  async function check(
    { target, client }: Pick<Harness, 'target' | 'client'> = harness,
    id?: string,
  ) {
    const found: ReturnType<typeof factsOf>[] = [];
    const onStep = (step: ConnectionStep) => {
      found.push(factsOf(step));
    };
    const failure = await client.check(target, { ...newCall(), onStep }, id);
    return { found, failure };
  }

  /** The steps that a check reports, which must hold neither the token nor the credentials of a proxy. */
  async function steps(baseUrl = harness.target.baseUrl, id?: string, { client } = harness) {
    const { found } = await check({ target: { ...harness.target, baseUrl }, client }, id);
    const text = JSON.stringify(found);
    const encodedSecret = Buffer.from(`me:${proxySecret}`).toString('base64').slice(4, -4);
    const shown = [DEFAULT_TOKEN, proxySecret, encodedSecret].filter((one) => text.includes(one));
    assert.deepEqual(shown, []);
    return found;
  }

  /** The steps that a check by a client with these options reports. */
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

  const lastStep = async (baseUrl?: string) => (await steps(baseUrl)).at(-1);
  const route = {
    kind: 'route',
    route: { kind: 'direct', why: 'noProxyNamed' },
    hasCredentials: false,
    mayTryEditor: false,
  };
  const request = { kind: 'http', viaEditor: false };

  it('sends one GET with the token', async () => {
    await steps(undefined, deploymentId);
    const sent = harness.platform.requests.map(
      ({ method, headers }) => `${method} ${headers.authorization}`,
    );
    assert.deepEqual(sent, [`GET Bearer ${DEFAULT_TOKEN}`]);
  });

  it('has a connection of its own', async () => {
    await steps(undefined, deploymentId);
    await harness.read();
    const [ofCheck, ofRead] = harness.platform.requests.map(({ connection }) => connection);
    assert.notEqual(ofRead, ofCheck);
  });

  it('reports the steps from the route to the answer', async () => {
    const found = await steps(undefined, deploymentId);
    const peer = { host: platformHost, port: portOf(harness.platform) };
    const certificate = found[3]?.kind === 'tls' ? found[3].certificate : undefined;
    const { validFrom, validTo, ...names } = certificate ?? { validFrom: 0, validTo: 0 };
    assert.ok(validFrom < Date.now(), `valid from ${new Date(validFrom).toISOString()}`);
    assert.ok(validTo > Date.now(), `valid to ${new Date(validTo).toISOString()}`);
    assert.deepEqual(names, { issuer: 'CN=Test authority in the system' });
    assert.deepEqual(found, [
      route,
      { kind: 'dns', role: 'platform', host: platformHost, addresses: ['127.0.0.1'] },
      { kind: 'tcp', role: 'platform', ...peer, address: '127.0.0.1' },
      { kind: 'tls', role: 'platform', host: platformHost, protocol: 'TLSv1.3', certificate },
      { ...request, status: 200 },
    ]);
  });

  it('requests a deployment that does not exist when no ID is given', async () => {
    const { found, failure } = await check();
    const [requested] = harness.platform.requests;
    assert.equal(requested?.route.id, 'connection-check');
    assert.deepEqual(found.at(-1), { ...request, status: 404 });
    assert.equal(failure?.kind, 'notFound');
  });

  it('reports a redirect as its failure', async () => {
    harness.platform.fault('all', faults.redirect('https://login.example:8443/start'));
    const foreign = { host: 'login.example:8443', address: 'login.example:8443/start' };
    const failure = { kind: 'redirected', status: 302, target: 'otherHost', foreign };
    const redirected = await check();
    assert.deepEqual(redirected.found.at(-1), { ...request, status: 302 });
    assert.deepEqual(redirected.failure, failure);
  });

  for (const [name, fault] of Object.entries({
    'a 404': faults.status(404),
    'a redirect': faults.redirect('https://login.example:8443/start'),
    'a 503': faults.status(503),
  })) {
    it(`sends no second request after ${name}`, async () => {
      harness.platform.fault('all', fault);
      await check();
      assert.equal(harness.platform.requests.length, 1);
    });
  }

  it('reports the answers of a proxy', async () => {
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

  it("goes on when the system's certificates cannot be read", async () => {
    const unreadable = Object.assign(new Error('no'), { code: 'ENOMEM' });
    const failed = await stepsOf({ readCertificates: () => Promise.reject(unreadable) });
    assert.deepEqual(failed[1], { kind: 'certificates', code: 'ENOMEM' });
    assert.equal(kinds(failed), 'route certificates dns tcp tls');
  });

  it("goes on when reading the system's certificates takes too long", async () => {
    const reading = watched(never);
    const timedOut = await stepsOf({ readCertificates: reading.start }, undefined, async (own) => {
      await reading.begun;
      own.endWaitForCertificates();
    });
    assert.deepEqual(timedOut[1], { kind: 'certificates', code: 'ETIMEDOUT' });
    assert.equal(kinds(timedOut), 'route certificates dns tcp tls');
  });

  it("does not report the system's certificates once they have been read", async () => {
    const { resolve } = harness;
    let come: () => void = assert.fail;
    const found = new Promise<readonly string[]>((done) => {
      come = () => done(rootCertificates);
    });
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
    assert.equal(kinds(await steps(undefined, undefined, own)), 'route dns tcp tls');
    await own.stop();
  });

  it('ends with the TCP step when the connection is refused', async () => {
    const peer = { host: platformHost, port: closedPort };
    const refused = { step: 'refused', code: 'ECONNREFUSED', ...peer };
    const tcp = { kind: 'tcp', role: 'platform', ...peer, cause: refused };
    assert.deepEqual(await lastStep(`https://${platformHost}:${peer.port}/api/v1`), tcp);
  });

  it('ends with the DNS step when the name is not found', async () => {
    const host = 'nowhere.test.example';
    const cause = { step: 'dns', code: 'ENOTFOUND', host, port: 443 };
    assert.deepEqual(await lastStep(nowhere), {
      kind: 'dns',
      role: 'platform',
      host,
      addresses: [],
      cause,
    });
  });

  it('ends with the TLS step when the certificate is not trusted', async () => {
    const certificate = await (await createAuthority('Stranger')).issue([platformHost]);
    const stranger = await startPlatform({ tls: { ...certificate, name: platformHost } });
    const tls = await lastStep(stranger.baseUrl);
    assert.ok(tls?.kind === 'tls', tls?.kind);
    assert.equal(tls.cause?.code, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY');
    assert.equal(tls.certificate?.issuer, 'CN=Stranger');
    await stranger.stop();
  });

  it('ends with the route when the proxy has an unknown scheme', async () => {
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
  });

  it('ends with the request when no answer comes in time', async () => {
    harness.platform.fault('all', faults.silent());
    const checking = check();
    await harness.platform.waitForRequests(1);
    harness.timers.end();
    const { found, failure } = await checking;
    assert.deepEqual(found.at(-1), request);
    assert.deepEqual(failure, { kind: 'timedOut', after: 5000 });
  });

  it('ends with the DNS step when the name is not found in time', async () => {
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
  });

  it('ends with the TLS step when the handshake takes too long', async () => {
    const { port, untilSpokenTo, stop } = await startSilentServer();
    const checking = lastStep(`https://${platformHost}:${port}/api/v1`);
    await untilSpokenTo();
    harness.timers.end();
    const failed = await checking;
    const cause = { step: 'tls', code: 'ETIMEDOUT', host: platformHost, port };
    assert.deepEqual(failed, { kind: 'tls', role: 'platform', host: platformHost, cause });
    stop();
  });

  /** The target of an organization that a 429 pauses. */
  const paused = async (baseUrl = harness.target.baseUrl) => {
    const target = { ...harness.target, organizationId: crypto.randomUUID() };
    harness.platform.fault('all', faults.retryAfter(60));
    await failureOf(harness.read(undefined, target));
    harness.platform.clearRequests();
    return { ...target, baseUrl };
  };

  describe('during the pause of a 429', () => {
    it('opens a connection without a request', async () => {
      const target = await paused();
      const { found, failure } = await check({ target, client: harness.client });
      const until = harness.sender.pausedUntil(target.organizationId);
      assert.equal(kinds(found), 'route dns tcp tls');
      assert.deepEqual(failure, { kind: 'rateLimited', status: 429, until });
      assert.deepEqual(harness.platform.requests, []);
    });

    it('closes its connection', async () => {
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

    it('ends with the step that fails', async () => {
      const { found, failure } = await check({
        target: await paused(nowhere),
        client: harness.client,
      });
      assert.equal(kinds(found), 'route dns');
      assert.equal(failure?.kind, 'unreachable');
    });

    it('is rateLimited when the editor could avoid the failure', async () => {
      const editorFetch = editorWayTo(() => own.platform);
      const own = await new Harness({ resolve: harness.resolve, editorFetch }).start();
      own.platform.fault('all', faults.retryAfter(60));
      await failureOf(own.read());
      const target = { ...own.target, baseUrl: nowhere };
      const { found, failure } = await check({ target, client: own.client });
      assert.equal(kinds(found), 'route dns');
      assert.equal(failure?.kind, 'rateLimited');
      await own.stop();
    });

    it('is cancelled at its last step', async () => {
      const { signal, cancel } = newCall();
      const onStep = ({ kind }: ConnectionStep): void => {
        if (kind === 'tls') cancel();
      };
      const failure = await harness.client.check(await paused(), { signal, onStep });
      assert.equal(failure?.kind, 'cancelled');
    });

    it('opens no connection when the route is the editor', async () => {
      const plain = await startPlatform();
      plain.fault('all', faults.retryAfter(60));
      const own = await new Harness({
        resolve: harness.resolve,
        editorFetch: editorWayTo(() => plain),
      }).start();
      const target = { ...own.target, baseUrl: nowhere };
      await failureOf(own.read(undefined, target));
      const { found, failure } = await check({ target, client: own.client });
      assert.equal(kinds(found), 'route');
      assert.equal(failure?.kind, 'rateLimited');
      assert.equal(plain.requests.length, 1);
      await own.stop();
      await plain.stop();
    });

    it('opens no connection when steps are not wanted', async () => {
      const target = await paused(nowhere);
      harness.resolved.length = 0;
      const { signal } = newCall();
      const failure = await harness.client.check(target, { signal });
      assert.equal(failure?.kind, 'rateLimited');
      assert.deepEqual(harness.resolved, []);
    });
  });

  describe('of a platform on this machine', () => {
    let plain: Platform;
    const editorFetch = editorWayTo(() => plain);
    const viaEditor = { kind: 'http', viaEditor: true, status: 200 };
    beforeEach(async () => {
      plain = await startPlatform();
      plain.putDeployment('connection-check', { accounts: [], requirements: [] });
    });
    afterEach(() => plain.stop());

    it('goes through the editor when the name is not found', async () => {
      const [first, dns, ...more] = await stepsOf({ editorFetch }, nowhere);
      assert.deepEqual(first, { ...route, mayTryEditor: true });
      assert.equal(dns?.kind, 'dns');
      assert.deepEqual(more, [viaEditor]);
      assert.equal(plain.requests.length, 1);
    });

    it('goes through the editor when the proxy is SOCKS', async () => {
      harness.settings = { ...plainSettings, proxies: named('socks5://127.0.0.1:1') };
      assert.deepEqual(await stepsOf({ editorFetch }, nowhere), [
        { ...route, route: { kind: 'editor', source: 'http.proxy' }, mayTryEditor: true },
        viaEditor,
      ]);
      assert.equal(plain.requests.length, 1);
    });

    it('has no TLS step when the base URL is http', async () => {
      assert.equal(kinds(await steps(plain.baseUrl)), 'route tcp http');
      assert.equal(plain.requests.length, 1);
    });
  });

  it('reports why the editor failed', async () => {
    const cause = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const editorFetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const [, dns, http] = await stepsOf({ editorFetch }, nowhere);
    assert.ok(dns?.kind === 'dns', dns?.kind);
    assert.ok(http?.kind === 'http', http?.kind);
    assert.deepEqual(dns.cause, http.cause);
    assert.equal(http.viaEditor, true);
  });

  it('leaves no connection open when it is cancelled after the TCP step', async () => {
    const { port, sockets, stop } = await startSilentServer();
    const target = { ...harness.target, baseUrl: `https://${platformHost}:${port}/api/v1` };
    const { signal, cancel } = newCall();
    const seen: string[] = [];
    const onStep = ({ kind }: ConnectionStep): void => {
      seen.push(kind);
      if (kind === 'tcp') setTimeout(cancel, 20);
    };

    const failure = await harness.client.check(target, { signal, onStep });
    while (sockets.size > 0) await settle(5);

    assert.match(seen.join(' '), /tcp/);
    assert.equal(failure?.kind, 'cancelled');
    stop();
  });

  it('sends no request when it is cancelled after the TLS step', async () => {
    const { signal, cancel } = newCall();
    const seen: string[] = [];
    const onStep = ({ kind }: ConnectionStep): void => {
      seen.push(kind);
      if (kind === 'tls') cancel();
    };

    const failure = await harness.client.check(harness.target, { signal, onStep });

    assert.match(seen.join(' '), /tls/);
    assert.equal(failure?.kind, 'cancelled');
    assert.deepEqual(harness.platform.requests, []);
  });
});

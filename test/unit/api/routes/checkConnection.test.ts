import { strict as assert } from 'node:assert';
import { type CheckOptions, type ConnectionStep, check } from '../../../../src/api/network/check.js';
import { createAuthority } from '../../../support/service/certificates.js';
import { DEFAULT_TOKEN } from '../../../support/service/data.js';
import { faults } from '../../../support/service/faults.js';
import { startProxy } from '../../../support/service/proxy.js';
import { startService } from '../../../support/service/service.js';
import {
  authority,
  closedPort,
  deploymentId,
  editorWayTo,
  Harness,
  newCall,
  plainSettings,
  portOf,
  readCertificates,
  serviceName,
  settle,
  startSilentServer,
  used,
} from '../harness.js';

const proxySecret = 's3cret-of-the-proxy';
const nowhere = 'https://nowhere.test.example/api/v1';

/** Without its time, which is a number that nobody knows. */
function factsOf(step: ConnectionStep) {
  const { duration, ...facts } = { duration: 0, ...step };
  assert.ok(duration >= 0);
  return facts;
}

const kinds = (steps: readonly { readonly kind: string }[]) => steps.map(({ kind }) => kind).join(' ');

describe('checking a connection', () => {
  const harness = used(new Harness({}, { tls: { ...authority.issue([serviceName]), name: serviceName } }));
  beforeEach(() => {
    harness.names = { [serviceName]: ['127.0.0.1'] };
  });

  const options = (): CheckOptions => ({
    settings: plainSettings,
    signal: new AbortController().signal,
    timeout: 2000,
    secrets: harness.secrets,
    pausedUntil: () => undefined,
    resolve: harness.resolve,
    readCertificates,
  });
  async function steps(more: Partial<CheckOptions> = {}, baseUrl = harness.target.baseUrl) {
    const found: ReturnType<typeof factsOf>[] = [];
    await check({ ...harness.target, baseUrl }, { ...options(), ...more }, (step) => found.push(factsOf(step)));
    const text = JSON.stringify(found);
    assert.ok(!text.includes(DEFAULT_TOKEN) && !text.includes(proxySecret));
    assert.ok(!text.includes(Buffer.from(`me:${proxySecret}`).toString('base64').slice(4, -4)));
    return found;
  }

  const last = async (more: Partial<CheckOptions> = {}, baseUrl?: string) => (await steps(more, baseUrl)).at(-1);
  const slowly = (host: string) => settle(400).then(() => harness.resolve(host));
  const route = { kind: 'route', route: 'direct', why: 'noProxyNamed', mayTryEditor: false };

  it('tells route, name, TCP, TLS and HTTP', async () => {
    const found = await steps({ deploymentId });
    const peer = { host: serviceName, port: portOf(harness.service) };
    const certificate = found[3]?.kind === 'tls' ? found[3].certificate : undefined;
    const { validFrom, validTo, ...names } = certificate ?? { validFrom: 0, validTo: 0 };
    assert.ok(validFrom < Date.now() && validTo > Date.now());
    assert.deepEqual(names, { subject: `CN=${serviceName}`, issuer: 'CN=Test authority in the system' });
    assert.deepEqual(found, [
      route,
      { kind: 'dns', whose: 'service', host: serviceName, addresses: ['127.0.0.1'] },
      { kind: 'tcp', whose: 'service', ...peer, address: '127.0.0.1' },
      { kind: 'tls', whose: 'service', host: serviceName, protocol: 'TLSv1.3', certificate, trustedBy: 'system' },
      { kind: 'http', via: 'direct', status: 200 },
    ]);
    const [request] = harness.service.requests;
    assert.equal(`${request?.method} ${request?.headers.authorization}`, `GET Bearer ${DEFAULT_TOKEN}`);
  });

  it('asks for a deployment that nobody has if none is given, and takes any status for an answer', async () => {
    assert.deepEqual(await last(), { kind: 'http', via: 'direct', status: 404 });
    assert.equal(harness.service.requests[0]?.route.id, 'connection-check');
    harness.service.fault('all', faults.redirect('https://login.example:8443/start'));
    assert.deepEqual(await last(), { kind: 'http', via: 'direct', status: 302, redirectedTo: 'login.example:8443' });
  });

  it('tells of a proxy what it answers, and nothing of its credentials', async () => {
    const authorization = `Basic ${Buffer.from(`me:${proxySecret}`).toString('base64')}`;
    const proxy = await startProxy({ knows: { [serviceName]: portOf(harness.service) }, authorization });
    const peer = { host: '127.0.0.1', port: proxy.port };
    const through = (credentials: string) =>
      steps({ settings: { ...plainSettings, proxy: `http://${credentials}127.0.0.1:${proxy.port}` } });
    const [first, tcp, tunnel, ...more] = await through(`me:${proxySecret}@`);
    const named = { from: 'http.proxy', proxy: { ...peer, tls: false }, credentials: true };
    assert.deepEqual(first, { kind: 'route', route: 'proxy', ...named, mayTryEditor: false });
    assert.deepEqual(tcp, { kind: 'tcp', whose: 'proxy', ...peer, address: '127.0.0.1' });
    assert.deepEqual(tunnel, { kind: 'proxy', ...peer, status: 200 });
    assert.equal(kinds(more), 'tls http');
    const cause = { step: 'proxy', code: 'ERR_PROXY_TUNNEL', ...peer, status: 407 };
    assert.deepEqual((await through('')).at(-1), { kind: 'proxy', ...peer, cause });
    assert.equal(harness.service.requests.length, 1);
    await proxy.stop();
  });

  it("says that the system's certificates could not be had, and goes on without them", async () => {
    const unreadable = Object.assign(new Error('no'), { code: 'ENOMEM' });
    const failed = await steps({ readCertificates: () => Promise.reject(unreadable) });
    assert.deepEqual(failed[1], { kind: 'certificates', trouble: { kind: 'failed', code: 'ENOMEM' } });
    assert.equal(kinds(failed), 'route certificates dns tcp tls');
    const late = await steps({ readCertificates: () => new Promise(() => {}), timeout: 300 });
    assert.deepEqual(late[1], { kind: 'certificates', trouble: { kind: 'late', after: 300 } });
  });

  it('ends with the step that failed', async () => {
    const peer = { host: serviceName, port: closedPort };
    const refused = { step: 'refused', code: 'ECONNREFUSED', ...peer };
    const tcp = { kind: 'tcp', whose: 'service', ...peer, cause: refused };
    assert.deepEqual(await last({}, `https://${serviceName}:${peer.port}/api/v1`), tcp);
    const host = 'nowhere.test.example';
    const cause = { step: 'dns', code: 'ENOTFOUND', host, port: 443 };
    assert.deepEqual(await last({}, nowhere), { kind: 'dns', whose: 'service', host, addresses: [], cause });
    const certificate = createAuthority('Stranger').issue([serviceName]);
    const stranger = await startService({ tls: { ...certificate, name: serviceName } });
    const tls = await last({}, stranger.baseUrl);
    assert.ok(tls?.kind === 'tls' && tls.trustedBy === undefined);
    assert.deepEqual([tls.cause?.code, tls.certificate?.issuer], ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CN=Stranger']);
    assert.deepEqual(stranger.requests, []);
    await stranger.stop();
    harness.service.fault('all', faults.silent());
    const failure = { kind: 'timedOut', after: 1000 };
    assert.deepEqual(await last({ timeout: 1000 }), { kind: 'http', via: 'direct', failure });
  });

  it('gives each step the whole time', async () => {
    const { port, stop } = await startSilentServer();
    const start = performance.now();
    const failed = await last({ resolve: slowly, timeout: 600 }, `https://${serviceName}:${port}/api/v1`);
    const cause = { step: 'tls', code: 'ETIMEDOUT', host: serviceName, port };
    assert.deepEqual(failed, { kind: 'tls', whose: 'service', host: serviceName, cause });
    assert.ok(performance.now() - start >= 990);
    stop();
  });

  it('sends nothing while a 429 pauses the organization', async () => {
    const failure = { kind: 'rateLimited', status: 429, until: 7 };
    const found = await last({ pausedUntil: (id) => (id === 'org_1' ? 7 : undefined) });
    assert.deepEqual(found, { kind: 'http', via: 'direct', failure });
    assert.deepEqual(harness.service.requests, []);
  });

  it('goes through the editor as well if that is the way, and without TLS on this machine', async () => {
    const plain = await startService();
    const editorFetch = editorWayTo(() => plain);
    const viaEditor = { kind: 'http', via: 'editor', status: 404 };
    const [first, dns, ...more] = await steps({ editorFetch }, nowhere);
    assert.deepEqual([first, dns?.kind, more], [{ ...route, mayTryEditor: true }, 'dns', [viaEditor]]);
    const settings = { ...plainSettings, proxy: 'socks5://127.0.0.1:1' };
    assert.deepEqual(await steps({ editorFetch, settings }, nowhere), [
      { kind: 'route', route: 'editor', from: 'http.proxy', mayTryEditor: true },
      viaEditor,
    ]);
    assert.equal(kinds(await steps({}, plain.baseUrl)), 'route tcp http');
    assert.equal(plain.requests.length, 3);
    await plain.stop();
  });

  it('ends when cancelled, at any step, and leaves nothing open', async () => {
    const { port, sockets, stop } = await startSilentServer();
    const silent = { ...harness.target, baseUrl: `https://${serviceName}:${port}/api/v1` };
    for (const [at, target] of [
      ['tcp', silent],
      // All is ready for the request.
      ['tls', harness.target],
    ] as const) {
      const { signal, cancel } = newCall();
      const told: string[] = [];
      await check(target, { ...options(), signal }, ({ kind }) => {
        told.push(kind);
        if (kind !== at) return;
        if (at === 'tls') cancel();
        else setTimeout(cancel, 20);
      });
      assert.equal(told.at(-1), at);
    }
    while (sockets.size > 0) await settle(5);
    assert.deepEqual(harness.service.requests, []);
    stop();
  });
});

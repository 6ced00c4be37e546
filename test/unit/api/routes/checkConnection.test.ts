import { strict as assert } from 'node:assert';
import { createServer, type Socket } from 'node:net';
import { type CheckOptions, type ConnectionStep, check } from '../../../../src/api/network/check.js';
import { KnownSecrets } from '../../../../src/api/secrets.js';
import { createAuthority } from '../../../support/service/certificates.js';
import { DEFAULT_TOKEN, healthy } from '../../../support/service/data.js';
import { faults } from '../../../support/service/faults.js';
import { listen } from '../../../support/service/listen.js';
import { type Proxy, startProxy } from '../../../support/service/proxy.js';
import { type Service, startService } from '../../../support/service/service.js';
import { deploymentId, settle } from '../harness.js';
import { plainSettings, portOf, resolver, SystemAuthority, serviceName } from './routedHarness.js';

const proxySecret = 's3cret-of-the-proxy';

function unreadable(): Promise<never> {
  return Promise.reject(Object.assign(new Error('no'), { code: 'ENOMEM' }));
}

function kinds(found: readonly object[]): unknown[] {
  return found.map((step) => ('kind' in step ? step.kind : undefined));
}

describe('checking a connection', () => {
  const system = new SystemAuthority();
  let service: Service;
  let proxy: Proxy;
  let options: CheckOptions;
  /** As they came, in the last check. */
  let told: ConnectionStep[];
  before(async () => {
    service = await startService({ tls: { ...system.authority.issue([serviceName]), name: serviceName } });
    proxy = await startProxy({ knows: { [serviceName]: portOf(service) } });
  });
  beforeEach(() => {
    service.reset();
    service.putDeployment(deploymentId, healthy());
    proxy.options = { knows: { [serviceName]: portOf(service) } };
    options = {
      settings: plainSettings,
      signal: new AbortController().signal,
      timeout: 2000,
      secrets: new KnownSecrets(),
      pausedUntil: () => undefined,
      lookup: resolver({ [serviceName]: ['127.0.0.1'] }),
      readCertificates: system.read,
    };
  });
  after(async () => {
    await service.stop();
    await proxy.stop();
  });

  const target = (baseUrl = service.baseUrl) => ({ organizationId: 'org_1', baseUrl, token: DEFAULT_TOKEN });

  /** The steps without their times, which are numbers that nobody knows. */
  async function steps(baseUrl?: string, more: Partial<CheckOptions> = {}): Promise<object[]> {
    const found: object[] = [];
    told = [];
    await check(target(baseUrl), { ...options, ...more }, (step) => {
      const { duration, ...facts } = { duration: 0, ...step };
      assert.ok(duration >= 0);
      told.push(step);
      found.push(facts);
    });
    const text = JSON.stringify(found);
    assert.ok(!text.includes(DEFAULT_TOKEN) && !text.includes(proxySecret));
    assert.ok(!text.includes(Buffer.from(`me:${proxySecret}`).toString('base64').slice(4, -4)));
    return found;
  }
  const tlsStep = () => told.find((step) => step.kind === 'tls');
  const direct = { kind: 'route', route: 'direct', why: 'noProxyNamed', mayTryEditor: false };

  it('tells route, name, TCP, TLS and HTTP', async () => {
    const [route, dns, tcp, tls, http, ...more] = await steps(undefined, { deploymentId });
    assert.deepEqual(more, []);
    assert.deepEqual(route, direct);
    assert.deepEqual(dns, { kind: 'dns', whose: 'service', host: serviceName, addresses: ['127.0.0.1'] });
    const { port } = new URL(service.baseUrl);
    assert.deepEqual(tcp, {
      kind: 'tcp',
      whose: 'service',
      host: serviceName,
      port: Number(port),
      address: '127.0.0.1',
    });
    assert.ok(tls && 'certificate' in tls && 'trustedBy' in tls && 'protocol' in tls);
    assert.equal(tls.protocol, 'TLSv1.3');
    assert.equal(tls.trustedBy, 'system');
    const certificate = tlsStep()?.certificate;
    assert.equal(certificate?.subject, `CN=${serviceName}`);
    assert.equal(certificate.issuer, 'CN=Test authority in the system');
    assert.ok(certificate.validFrom < Date.now() && certificate.validTo > Date.now());
    const template = '/deployments/{deploymentId}/authorization';
    assert.deepEqual(http, { kind: 'http', via: 'direct', template, status: 200 });
    const [request] = service.requests;
    assert.equal(request?.method, 'GET');
    assert.equal(request?.headers.authorization, `Bearer ${DEFAULT_TOKEN}`);
    await service.waitForRequests(1, { state: ['aborted', 'answered'] });
  });

  it('asks for a deployment that nobody has if none is given, and takes any status for an answer', async () => {
    assert.deepEqual((await steps()).at(-1), {
      kind: 'http',
      via: 'direct',
      template: '/deployments/{deploymentId}/authorization',
      status: 404,
    });
    assert.equal(service.requests[0]?.route.id, 'connection-check');
    service.fault('all', faults.redirect('https://login.example:8443/start'));
    const last = (await steps()).at(-1);
    assert.ok(last && 'redirectedTo' in last);
    assert.equal(last.redirectedTo, 'login.example:8443');
  });

  it('tells of a proxy what it answers, and nothing of its credentials', async () => {
    const authorization = `Basic ${Buffer.from(`me:${proxySecret}`).toString('base64')}`;
    proxy.options = { ...proxy.options, authorization };
    const { port } = proxy;
    const settings = { ...plainSettings, proxy: `http://me:${proxySecret}@127.0.0.1:${port}` };
    const found = await steps(undefined, { settings });
    assert.deepEqual(kinds(found), ['route', 'tcp', 'proxy', 'tls', 'http']);
    assert.deepEqual(found[0], {
      kind: 'route',
      route: 'proxy',
      from: 'http.proxy',
      proxy: { host: '127.0.0.1', port, tls: false },
      credentials: true,
      mayTryEditor: false,
    });
    assert.deepEqual(found[1], { kind: 'tcp', whose: 'proxy', host: '127.0.0.1', port, address: '127.0.0.1' });
    assert.deepEqual(found[2], { kind: 'proxy', host: '127.0.0.1', port, status: 200 });
    const refused = await steps(undefined, { settings: { ...plainSettings, proxy: `http://127.0.0.1:${port}` } });
    const cause = { step: 'proxy', code: 'ERR_PROXY_TUNNEL', host: '127.0.0.1', port, status: 407 };
    assert.deepEqual(refused.at(-1), { kind: 'proxy', host: '127.0.0.1', port, status: 407, cause });
    assert.equal(service.requests.length, 1);
  });

  it('tells issuer and validity of a certificate that is not trusted, and sends nothing', async () => {
    const stranger = createAuthority('Stranger');
    const day = 24 * 3600_000;
    const expired = { from: new Date(Date.now() - 9 * day), to: new Date(Date.now() - day) };
    for (const [certificate, code] of [
      [stranger.issue([serviceName]), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      [system.authority.issue([serviceName], expired), 'CERT_HAS_EXPIRED'],
      [system.authority.issue(['other.example']), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ] as const) {
      const other = await startService({ tls: { ...certificate, name: serviceName } });
      const found = await steps(other.baseUrl);
      assert.deepEqual(kinds(found), ['route', 'dns', 'tcp', 'tls']);
      const last = tlsStep();
      assert.deepEqual(last?.cause, { step: 'tls', code, host: serviceName, port: portOf(other) });
      assert.match(last.certificate?.issuer ?? '', /^CN=/);
      assert.equal(last.trustedBy, undefined);
      assert.deepEqual(other.requests, []);
      await other.stop();
    }
  });

  it("says that the system's certificates could not be had, and goes on without them", async () => {
    const failed = await steps(undefined, { readCertificates: unreadable });
    assert.deepEqual(failed[1], { kind: 'certificates', trouble: { kind: 'failed', code: 'ENOMEM' } });
    assert.deepEqual(kinds(failed), ['route', 'certificates', 'dns', 'tcp', 'tls']);
    assert.equal(tlsStep()?.cause?.code, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    const late = await steps(undefined, { readCertificates: () => new Promise(() => {}), timeout: 300 });
    assert.deepEqual(late[1], { kind: 'certificates', trouble: { kind: 'late', after: 300 } });
  });

  it('ends with the step that failed', async () => {
    const closed = createServer();
    const refusing = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const cause = { step: 'refused', code: 'ECONNREFUSED', host: serviceName, port: refusing };
    assert.deepEqual((await steps(`https://${serviceName}:${refusing}/api/v1`)).at(-1), {
      kind: 'tcp',
      whose: 'service',
      host: serviceName,
      port: refusing,
      cause,
    });
    assert.deepEqual((await steps('https://nowhere.test.example/api/v1')).at(-1), {
      kind: 'dns',
      whose: 'service',
      host: 'nowhere.test.example',
      addresses: [],
      cause: { step: 'dns', code: 'ENOTFOUND', host: 'nowhere.test.example', port: 443 },
    });
    service.fault('all', faults.silent());
    const last = (await steps(undefined, { timeout: 1500 })).at(-1);
    assert.ok(last && 'failure' in last);
    assert.deepEqual(last.failure, { kind: 'timedOut', after: 1500 });
  });

  it('sends nothing while a 429 pauses the organization', async () => {
    const until = Date.now() + 60_000;
    const paused = { pausedUntil: (id: string) => (id === 'org_1' ? until : undefined) };
    const found = await steps(undefined, paused);
    assert.deepEqual(kinds(found), ['route', 'dns', 'tcp', 'tls', 'http']);
    const template = '/deployments/{deploymentId}/authorization';
    const failure = { kind: 'rateLimited', status: 429, until };
    assert.deepEqual(found.at(-1), { kind: 'http', via: 'direct', template, failure });
    assert.deepEqual(service.requests, []);
  });

  it('goes through the editor as well if that is the way', async () => {
    const plain = await startService();
    const editorFetch: typeof fetch = (input, init) => {
      assert.ok(typeof input === 'string');
      return fetch(input.replace(/^https:\/\/[^/]+/, new URL(plain.baseUrl).origin), init);
    };
    const found = await steps('https://nowhere.test.example/api/v1', { editorFetch });
    assert.deepEqual(kinds(found), ['route', 'dns', 'http']);
    assert.deepEqual(found[0], { ...direct, mayTryEditor: true });
    const template = '/deployments/{deploymentId}/authorization';
    assert.deepEqual(found[2], { kind: 'http', via: 'editor', template, status: 404 });
    const socks = { ...plainSettings, proxy: 'socks5://127.0.0.1:1' };
    assert.deepEqual(await steps('https://nowhere.test.example/api/v1', { editorFetch, settings: socks }), [
      { kind: 'route', route: 'editor', from: 'http.proxy', mayTryEditor: true },
      { kind: 'http', via: 'editor', template, status: 404 },
    ]);
    await plain.stop();
  });

  it('works without TLS on this machine, and knows its addresses already', async () => {
    const plain = await startService();
    assert.deepEqual(kinds(await steps(plain.baseUrl)), ['route', 'tcp', 'http']);
    assert.equal(plain.requests.length, 1);
    await plain.stop();
  });

  it('ends when cancelled, at any step, and leaves nothing open', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      socket.resume();
    });
    const controller = new AbortController();
    const found: string[] = [];
    const silent = target(`https://${serviceName}:${await listen(server)}/api/v1`);
    await check(silent, { ...options, signal: controller.signal }, ({ kind }) => {
      found.push(kind);
      if (kind === 'tcp') {
        setTimeout(() => controller.abort(), 20);
      }
    });
    assert.deepEqual(found, ['route', 'dns', 'tcp']);
    while (sockets.size > 0) {
      await settle(5);
    }
    // The moment in which all is ready for the request.
    const last = new AbortController();
    await check(target(), { ...options, signal: last.signal }, ({ kind }) => {
      found.push(kind);
      if (kind === 'tls') {
        last.abort();
      }
    });
    assert.deepEqual(found.slice(3), ['route', 'dns', 'tcp', 'tls']);
    assert.deepEqual(service.requests, []);
    await new Promise((resolve) => server.close(resolve));
  });
});

import { strict as assert } from 'node:assert';
import tls from 'node:tls';
import * as vscode from 'vscode';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { UserError } from '../../../src/host/actions.js';
import { deploymentSummary } from '../../../src/host/text/deployment.js';
import { readTestCertificates, secretHost, type TestCertificates } from '../../support/certificatesForTests.js';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { type Proxy, startProxy } from '../../support/service/proxy.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { watchRejections } from './rejections.js';

const credentials = `Basic ${Buffer.from('me:proxy-password-7d1c').toString('base64')}`;
const keys = [
  'proxy',
  'proxyAuthorization',
  'proxyStrictSSL',
  'proxySupport',
  'noProxy',
  'systemCertificates',
] as const;

/** The user settings of this very window. */
async function set(values: Partial<Record<(typeof keys)[number], unknown>>): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    await vscode.workspace.getConfiguration('http', null).update(key, value, vscode.ConfigurationTarget.Global);
  }
}

describe('the routes of the window’s own settings', () => {
  const rejections = watchRejections();
  let certificates: TestCertificates;
  let service: Service;
  let proxy: Proxy;
  let graph: Graph;

  const start = async (certificate: keyof TestCertificates = 'valid'): Promise<void> => {
    service = await startService({ tls: { ...certificates[certificate], name: secretHost } });
    service.putDeployment('dep_1', healthy());
    proxy = await startProxy({ knows: { [secretHost]: Number(new URL(service.baseUrl).port) } });
    graph = createGraph({ AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN, AUTOMATION_PLATFORM_BASE_URL: service.baseUrl });
    await graph.services.organizations.ready;
    graph.services.store.setListed([{ id: 'dep_1' }]);
    await set({ proxy: `http://127.0.0.1:${proxy.port}` });
  };
  /** What the row says after one more read. */
  const read = async (): Promise<string> => {
    const one = await graph.services.store.refresh('dep_1');
    assert.equal(one?.activity, 'idle');
    return deploymentSummary(one, Date.now());
  };

  before(async function () {
    // Node tells the system's store since 22.15; where it is kept elsewhere than in files, a test can't put anything into it.
    if (process.platform !== 'linux' || !Reflect.has(tls, 'getCACertificates')) this.skip();
    certificates = await readTestCertificates();
  });
  afterEach(async () => {
    await set(Object.fromEntries(keys.map((key) => [key, undefined])));
    await graph?.dispose();
    await proxy?.stop();
    await service?.stop();
  });
  after(() => assert.deepEqual(rejections.seen, []));

  it('lead through http.proxy to a name that only the proxy knows, with a certificate of the machine’s own authority', async () => {
    await start();
    assert.equal(await read(), '1 of 1 satisfied');
    assert.match(proxy.requests[0] ?? '', new RegExp(`^CONNECT ${secretHost}:\\d+ HTTP/1\\.1\r\n`));
    assert.equal(proxy.requests.join().includes(DEFAULT_TOKEN), false);
    assert.equal(service.requests.at(-1)?.headers.authorization, `Bearer ${DEFAULT_TOKEN}`);
  });

  it('are decided anew by the next request after a change, without a reload', async () => {
    await start();
    const other = await startProxy(proxy.options);
    assert.equal(await read(), '1 of 1 satisfied');
    await set({ proxy: `http://127.0.0.1:${other.port}` });
    assert.equal(await read(), '1 of 1 satisfied');
    assert.deepEqual([proxy.requests.length, other.requests.length], [1, 1]);
    await set({ proxySupport: 'off' });
    assert.match(await read(), new RegExp(`unreachable: name ${secretHost} not found \\([A-Z_]+\\)$`));
    await set({ proxySupport: undefined, noProxy: [secretHost] });
    assert.match(await read(), new RegExp(`unreachable: name ${secretHost} not found \\([A-Z_]+\\)$`));
    await set({ noProxy: undefined });
    assert.equal(await read(), '1 of 1 satisfied');
    assert.deepEqual([proxy.requests.length, other.requests.length], [1, 2]);
    await other.stop();
  });

  it('take the credentials that are configured, and name the proxy that wants some', async () => {
    await start();
    proxy.options = { ...proxy.options, authorization: credentials };
    assert.equal(await read(), `unreachable: proxy 127.0.0.1:${proxy.port} answered 407`);
    assert.deepEqual(service.requests, []);
    await set({ proxyAuthorization: credentials });
    assert.equal(await read(), '1 of 1 satisfied');
    // They are the proxy's business only.
    assert.equal(JSON.stringify(service.requests).includes('proxy-authorization'), false);
    await set({ proxyAuthorization: undefined, proxy: `http://me:proxy-password-7d1c@127.0.0.1:${proxy.port}` });
    assert.equal(await read(), '1 of 1 satisfied');
    assert.equal(graph.lines.join('\n').includes('proxy-password'), false);
  });

  it('name the proxy that breaks off, refuses or is not there', async () => {
    await start();
    proxy.options = { breaks: 'close' };
    assert.equal(await read(), `unreachable: proxy 127.0.0.1:${proxy.port} (ECONNRESET)`);
    proxy.options = { breaks: 'reset' };
    assert.equal(await read(), `unreachable: proxy 127.0.0.1:${proxy.port} (ECONNRESET)`);
    proxy.options = { says: 'HTTP/1.1 200 Conn' };
    assert.equal(await read(), `unreachable: proxy 127.0.0.1:${proxy.port} (ECONNRESET)`);
    proxy.options = {};
    assert.equal(await read(), `unreachable: proxy 127.0.0.1:${proxy.port} answered 502`);
    await proxy.stop();
    assert.equal(await read(), `unreachable: proxy 127.0.0.1:${proxy.port} (ECONNREFUSED)`);
    assert.deepEqual(service.requests, []);
  });

  it('name the setting that holds no usable proxy, and what a SOCKS proxy needs', async () => {
    await start();
    await set({ proxy: 'ftp://proxy.test.example' });
    assert.equal(await read(), 'unreachable: no usable proxy address in http.proxy');
    await set({ proxy: 'socks5://127.0.0.1:9', proxyStrictSSL: false });
    assert.equal(await read(), 'unreachable: SOCKS proxy in http.proxy needs an editor that verifies certificates');
    assert.deepEqual([...service.requests, ...proxy.requests], []);
  });

  for (const [name, word] of [
    ['expired', 'certificate expired'],
    ['otherHost', 'certificate is for another host'],
    ['ofStranger', 'issuer of the certificate is not trusted on this machine'],
  ] as const) {
    it(`end at a certificate that is wrong: ${word}`, async () => {
      await start(name);
      assert.equal(await read(), `unreachable: ${word}`);
      // What switches verification off elsewhere does not do so here.
      await set({ proxyStrictSSL: false });
      assert.equal(await read(), `unreachable: ${word}`);
      assert.deepEqual(service.requests, []);
    });
  }

  it('trust the machine’s authority only while http.systemCertificates is on', async () => {
    await start();
    await set({ systemCertificates: false });
    assert.equal(await read(), 'unreachable: issuer of the certificate is not trusted on this machine');
    await set({ systemCertificates: undefined });
    assert.equal(await read(), '1 of 1 satisfied');
  });

  it('are told step by step by Check Connection', async () => {
    await start();
    await set({ proxy: `http://me:proxy-password-7d1c@127.0.0.1:${proxy.port}` });
    await checkConnection(graph.services);
    const text = graph.texts[0]?.[1] ?? '';
    assert.match(
      text,
      new RegExp(`^• Route: through the proxy http://127\\.0\\.0\\.1:${proxy.port}, named by http\\.proxy`, 'm'),
    );
    assert.match(text, /Test authority of this machine.*trusted by the certificates of this machine/m);
    assert.match(text, /^\d+: The service is reached\. The way to it works\.$/m);
    for (const secret of [DEFAULT_TOKEN, 'proxy-password', 'me:']) assert.equal(text.includes(secret), false, secret);
  });

  it('are not followed any further by Check Connection once its organization is signed out', async () => {
    await start();
    const { organizations } = graph.services;
    const { baseUrl } = service;
    await organizations.signIn({ name: 'Acme', baseUrl, token: DEFAULT_TOKEN });
    let answer: (() => void) | undefined;
    proxy.options = { ...proxy.options, waits: new Promise<void>((resolve) => (answer = resolve)) };
    const ended = assert.rejects(checkConnection(graph.services), (error: unknown) => error instanceof UserError);
    while (proxy.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await organizations.signOut(organizations.current!.id);
    answer?.();
    await ended;
    assert.deepEqual(service.requests, []);
    assert.deepEqual(graph.texts, []);
  });
});

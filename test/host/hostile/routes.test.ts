import { strict as assert } from 'node:assert';
import tls from 'node:tls';
import * as vscode from 'vscode';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { UserError } from '../../../src/host/actions.js';
import { readTestCertificates, secretHost, type TestCertificates } from '../../support/certificatesForTests.js';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { type Proxy, startProxy } from '../../support/service/proxy.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { watchRejections } from './rejections.js';

const keys = ['proxy', 'proxyStrictSSL', 'systemCertificates'] as const;

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
  /** One more read: "read", or where on the way it failed. */
  const read = async (): Promise<string> => {
    const one = await graph.services.store.refresh('dep_1');
    const failure = one?.failure?.failure;
    if (!failure) return one?.activity === 'idle' && one.answer ? 'read' : 'unread';
    return failure.kind === 'unreachable' ? failure.cause.step : failure.kind;
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
    assert.equal(await read(), 'read');
    assert.match(proxy.requests[0] ?? '', new RegExp(`^CONNECT ${secretHost}:\\d+ HTTP/1\\.1\r\n`));
    assert.equal(proxy.requests.join().includes(DEFAULT_TOKEN), false);
    assert.equal(service.requests.at(-1)?.headers.authorization, `Bearer ${DEFAULT_TOKEN}`);
    await set({ systemCertificates: false });
    assert.equal(await read(), 'tls', 'its authority is not asked');
  });

  it('end at a certificate of a stranger, whatever switches off verification elsewhere', async () => {
    await start('ofStranger');
    assert.equal(await read(), 'tls');
    await set({ proxyStrictSSL: false });
    assert.equal(await read(), 'tls');
    assert.deepEqual(service.requests, []);
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

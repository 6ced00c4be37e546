import { strict as assert } from 'node:assert';
import tls from 'node:tls';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { UserError } from '../../../src/host/actions.js';
import { readTestCertificates, secretHost } from '../../support/certificatesForTests.js';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { type Proxy, startProxy } from '../../support/service/proxy.js';
import { type Service, startService } from '../../support/service/service.js';
import { type Graph, graphOf } from '../commands/graph.js';
import { restoreSettings, writeSetting } from '../host/writeSetting.js';
import { watchRejections } from './rejections.js';

describe('the routes of the window’s own settings', () => {
  const rejections = watchRejections();
  let service: Service;
  let proxy: Proxy;
  let graph: Graph;

  /** The state of what was read, or where on the way that failed. */
  const read = async () => {
    const deployment = await graph.services.store.refresh('dep_1');
    const failure = deployment?.failure?.failure;
    return failure?.kind === 'unreachable' ? failure.cause.step : (failure?.kind ?? deployment?.state);
  };

  before(function () {
    // Node tells the system's store since 22.15; where it is kept elsewhere than in files, a test can't put anything into it.
    if (process.platform !== 'linux' || !Reflect.has(tls, 'getCACertificates')) this.skip();
  });
  beforeEach(async () => {
    const { valid } = await readTestCertificates();
    service = await startService({ tls: { ...valid, name: secretHost } });
    service.putDeployment('dep_1', healthy());
    proxy = await startProxy({ knows: { [secretHost]: Number(new URL(service.baseUrl).port) } });
    graph = await graphOf(service);
    graph.services.store.setListed([{ id: 'dep_1' }]);
    await writeSetting('http.proxy', `http://127.0.0.1:${proxy.port}`);
  });
  afterEach(async () => {
    await restoreSettings();
    await graph.dispose();
    await proxy.stop();
    await service.stop();
  });
  after(() => assert.deepEqual(rejections.seen, []));

  it('lead through http.proxy to a name that only the proxy knows, with a certificate of the machine’s own authority', async () => {
    assert.equal(await read(), 'satisfied');
    assert.match(proxy.requests[0] ?? '', new RegExp(`^CONNECT ${secretHost}:\\d+ HTTP/1\\.1\r\n`));
    assert.equal(proxy.requests.join().includes(DEFAULT_TOKEN), false);
    assert.equal(service.requests.at(-1)?.headers.authorization, `Bearer ${DEFAULT_TOKEN}`);
    await writeSetting('http.systemCertificates', false);
    assert.equal(await read(), 'tls', 'its authority is not asked');
    await writeSetting('http.proxyStrictSSL', false);
    assert.equal(await read(), 'tls', 'the certificate of the service is verified all the same');
    assert.equal(service.requests.length, 1);
  });

  it('are not followed any further by Check Connection once its organization is signed out', async () => {
    const { organizations } = graph.services;
    await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
    let answer: (() => void) | undefined;
    proxy.options = { ...proxy.options, waits: new Promise<void>((resolve) => (answer = resolve)) };
    const ended = assert.rejects(checkConnection(graph.services), UserError);
    while (proxy.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await organizations.signOut(organizations.current!.id);
    answer?.();
    await ended;
    assert.deepEqual([service.requests, graph.texts], [[], []]);
  });
});

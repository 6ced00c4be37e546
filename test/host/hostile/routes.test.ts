import { strict as assert } from 'node:assert';
import tls from 'node:tls';
import { readTestCertificate, secretHost } from '../../support/certificatesForTests.js';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { startProxy } from '../../support/service/proxy.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { startWorld } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

describe('the route of the window’s own settings', () => {
  it('leads through http.proxy to a name that only the proxy knows, with a certificate of the machine’s own authority', async function () {
    // Node tells the system's store since 22.15; where it is kept elsewhere than in files, a test can't put anything into it.
    if (process.platform !== 'linux' || !Reflect.has(tls, 'getCACertificates')) this.skip();
    const { service, graph } = await startWorld({ tls: { ...readTestCertificate(), name: secretHost } });
    service.putDeployment('dep_1', healthy());
    const proxy = await startProxy({ knows: { [secretHost]: Number(new URL(service.baseUrl).port) } });
    atEndOfTest(proxy.stop);
    const { store } = graph.services;
    store.setListed([{ id: 'dep_1' }]);
    /** Where on the way the read failed, if it did. */
    const read = async (): Promise<string | undefined> => {
      await store.refresh(['dep_1']);
      const failure = store.cause?.kind === 'failure' ? store.cause.failure : undefined;
      return failure?.kind === 'unreachable' ? failure.cause.step : failure?.kind;
    };
    await writeSetting('http.proxy', `http://127.0.0.1:${proxy.port}`);
    assert.equal(await read(), undefined);
    assert.equal(store.get('dep_1')?.state, 'satisfied');
    assert.match(proxy.requests[0] ?? '', new RegExp(`^CONNECT ${secretHost}:\\d+ HTTP/1\\.1\r\n`));
    assert.equal(proxy.requests.join().includes(DEFAULT_TOKEN), false);
    await writeSetting('http.systemCertificates', false);
    assert.equal(await read(), 'tls', 'its authority is not asked');
    await writeSetting('http.proxyStrictSSL', false);
    assert.equal(await read(), 'tls', 'the certificate of the service is verified all the same');
    const sent = service.requests.map(({ headers }) => headers.authorization);
    assert.deepEqual(sent, [`Bearer ${DEFAULT_TOKEN}`]);
  });
});

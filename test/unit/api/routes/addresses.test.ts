import { strict as assert } from 'node:assert';
import { healthy } from '../../../support/service/data.js';
import { deploymentId, failureOf, newCall } from '../harness.js';
import { type RoutedHarness, resolver, startRoutedHarness } from './routedHarness.js';

describe('a name with several addresses', () => {
  let harness: RoutedHarness;
  let addresses: readonly string[];
  before(async () => {
    harness = await startRoutedHarness({
      lookup: (name, options, callback) => resolver({ localhost: addresses })(name, options, callback),
    });
  });
  beforeEach(() => harness.client.forgetRoutes());
  after(() => harness.stop());

  const target = () => ({ ...harness.target, baseUrl: `http://localhost:${harness.servicePort}/api/v1` });

  // 127.0.0.2 to .9 are this machine as well, and nobody listens there; 192.0.2.1 is never anywhere.
  for (const list of [
    ['127.0.0.2', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.2'],
    ['::1', '127.0.0.1'],
    ['192.0.2.1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.1'],
  ]) {
    it(`is reached at the one that lives: ${list.join(', ')}`, async () => {
      addresses = list;
      const answer = await harness.client.getDeploymentAuthorization(target(), deploymentId, newCall());
      assert.deepEqual(answer.value, healthy());
      assert.equal((await harness.client.deleteApiKey(target(), 'key_1', newCall(true))).kind, 'refused');
    });
  }

  it('of which none lives is refused', async () => {
    addresses = ['127.0.0.2', '127.0.0.3'];
    const { servicePort: port } = harness;
    assert.deepEqual(await failureOf(harness.client.getDeploymentAuthorization(target(), deploymentId, newCall())), {
      kind: 'unreachable',
      cause: { step: 'refused', code: 'ECONNREFUSED', host: 'localhost', port },
    });
  });
});

import { strict as assert } from 'node:assert';
import { healthy } from '../../../support/service/data.js';
import { failureOf, used } from '../harness.js';
import { RoutedHarness, resolver } from './routedHarness.js';

describe('a name with several addresses', () => {
  let addresses: readonly string[];
  const harness = used(
    new RoutedHarness({
      lookup: (name, options, callback) => resolver({ localhost: addresses })(name, options, callback),
    }),
  );

  const target = () => ({ ...harness.target, baseUrl: `http://localhost:${harness.servicePort}/api/v1` });

  // On Linux 127.0.0.2 to .9 are this machine as well, and nobody listens there; 192.0.2.1 is never anywhere. Elsewhere they are not there,
  // or slow to refuse.
  const onLinux = process.platform === 'linux';
  for (const list of [
    ['::1', '127.0.0.1'],
    ['192.0.2.1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.1'],
  ]) {
    const skipped = !onLinux && list.some((address) => address.startsWith('127.0.0.') && address !== '127.0.0.1');
    const test = skipped ? it.skip : it;
    test(`is reached at the one that lives: ${list.join(', ')}${skipped ? ' (only Linux has these addresses)' : ''}`, async () => {
      addresses = list;
      assert.deepEqual((await harness.read(undefined, target())).value, healthy());
      assert.equal((await harness.revoke(undefined, target())).kind, 'revoked');
    });
  }

  (onLinux ? it : it.skip)(
    `of which none lives is refused${onLinux ? '' : ' (only Linux has these addresses)'}`,
    async () => {
      addresses = ['127.0.0.2', '127.0.0.3'];
      const { servicePort: port } = harness;
      assert.deepEqual(await failureOf(harness.read(undefined, target())), {
        kind: 'unreachable',
        cause: { step: 'refused', code: 'ECONNREFUSED', host: 'localhost', port },
      });
    },
  );
});

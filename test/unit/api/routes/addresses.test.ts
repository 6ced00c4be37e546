import { strict as assert } from 'node:assert';
import { healthy } from '../../../support/service/data.js';
import { failureOf, Harness, used } from '../harness.js';

// On Linux 127.0.0.2 to .9 are this machine as well, and nobody listens there; 192.0.2.1 is never anywhere. Elsewhere they are not
// there, or slow to refuse.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a name with several addresses', () => {
  const harness = used(new Harness());
  const target = () => ({ ...harness.target, baseUrl: `http://localhost:${harness.servicePort}/api/v1` });

  for (const [test, addresses] of [
    [it, ['::1', '127.0.0.1']],
    [it, ['192.0.2.1', '127.0.0.1']],
    [onLinux, ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.1']],
  ] as const) {
    test(`is reached at the one that lives: ${addresses.join(', ')}`, async () => {
      harness.names = { localhost: addresses };
      assert.deepEqual((await harness.read(undefined, target())).value, healthy());
      assert.equal((await harness.revoke(undefined, target())).kind, 'revoked');
    });
  }

  onLinux('of which none lives is refused', async () => {
    harness.names = { localhost: ['127.0.0.2', '127.0.0.3'] };
    const cause = { step: 'refused', code: 'ECONNREFUSED', host: 'localhost', port: harness.servicePort };
    assert.deepEqual(await failureOf(harness.read(undefined, target())), { kind: 'unreachable', cause });
  });
});

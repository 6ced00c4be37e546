import { strict as assert } from 'node:assert';
import { environmentOrganization } from '../../../src/host/text/environment.js';

const baseUrl = 'https://host.example/api/v1';

function read(token: string | undefined, address: string | undefined) {
  return environmentOrganization({ AUTOMATION_PLATFORM_TOKEN: token, AUTOMATION_PLATFORM_BASE_URL: address });
}

describe('the organization of the environment variables', () => {
  it('needs both', () => {
    const organization = { id: 'environment', name: 'environment', baseUrl, token: 'secret' };
    assert.deepEqual(read(' secret\n', `${baseUrl}/`), organization);
    assert.equal(read(undefined, undefined), undefined);
  });

  it('is refused with a reason that names the fix and repeats no value', () => {
    for (const [address, fix, token = 'secret'] of [
      [' ', /only one of them is set/],
      [baseUrl, /only one of them is set/, ''],
      [baseUrl, /the token contains characters/, 'secret Wörter'],
      ['other.example/api/v1', /is not a full URL/],
      ['https://user:pass@host.example/api/v1', /Remove them/],
    ] as const) {
      const reason = read(token, address);
      assert.ok(typeof reason === 'string', address);
      assert.match(reason, fix, address);
      assert.doesNotMatch(reason, /pass|secret|(host|other)\.example\/(?!api\/v1\.$)/, reason);
    }
  });
});

import { strict as assert } from 'node:assert';
import { environmentOrganization } from '../../../src/host/text/environment.js';

const baseUrl = 'https://host.example/api/v1';

function read(token: string | undefined, address: string | undefined) {
  const lines: string[] = [];
  const env = { AUTOMATION_PLATFORM_TOKEN: token, AUTOMATION_PLATFORM_BASE_URL: address };
  return { organization: environmentOrganization(env, (line) => lines.push(line)), log: lines.join('\n') };
}

describe('the organization of the environment variables', () => {
  it('needs both', () => {
    const organization = { id: 'environment', name: 'environment', baseUrl, token: 'secret' };
    assert.deepEqual(read(' secret\n', `${baseUrl}/`), { organization, log: '' });
    assert.deepEqual(read(undefined, undefined), { organization: undefined, log: '' });
  });

  it('is refused with a reason that names the fix and repeats no value', () => {
    for (const [address, fix, token = 'secret'] of [
      [' ', /only one of them is set/],
      [baseUrl, /only one of them is set/, ''],
      [baseUrl, /the token contains characters/, 'secret Wörter'],
      ['other.example/api/v1', /is not a full URL/],
      ['ftp://host.example/api/v1', /Use https/],
      ['http://host.example/api/v1', /Use https/],
      ['https://user:pass@host.example/api/v1', /Remove them/],
      ['https://host.example/api/v1?a=1', /query string\. Remove it/],
      ['https://host.example/api/v1#a', /Remove the #/],
      ['https://host.example/', /Append \/api\/v1/],
    ] as const) {
      const { organization, log } = read(token, address);
      assert.equal(organization, undefined, address);
      assert.match(log, fix, address);
      assert.doesNotMatch(log, /pass|secret|(host|other)\.example\/(?!api\/v1\.$)/, log);
    }
  });
});

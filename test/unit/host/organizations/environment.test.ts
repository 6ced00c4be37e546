import { strict as assert } from 'node:assert';
import { environmentOrganization } from '../../../../src/host/organizations/environment.js';

const baseUrl = 'https://host.example/api/v1';

function read(token: string | undefined, address: string | undefined) {
  const lines: string[] = [];
  const env = { AUTOMATION_PLATFORM_TOKEN: token, AUTOMATION_PLATFORM_BASE_URL: address };
  return { organization: environmentOrganization(env, { warn: (line) => lines.push(line) }), log: lines.join('\n') };
}

describe('the organization of the environment variables', () => {
  it('needs both', () => {
    assert.deepEqual(read(' secret\n', `${baseUrl}/`), {
      organization: { id: 'environment', name: 'environment', baseUrl, token: 'secret' },
      log: '',
    });
    assert.deepEqual(read(undefined, undefined), { organization: undefined, log: '' });
  });

  it('is ignored with a log line if one is missing or empty', () => {
    for (const [token, address] of [
      ['secret', undefined],
      ['secret', ' '],
      [undefined, baseUrl],
      ['', baseUrl],
    ]) {
      const { organization, log } = read(token, address);
      assert.equal(organization, undefined);
      assert.match(
        log,
        /AUTOMATION_PLATFORM_TOKEN.*AUTOMATION_PLATFORM_BASE_URL|AUTOMATION_PLATFORM_BASE_URL.*AUTOMATION_PLATFORM_TOKEN/,
      );
    }
  });

  it('is ignored with a log line that names the fix and repeats no value', () => {
    const wrong = {
      'other.example/api/v1': /is no URL/,
      'ftp://host.example/api/v1': /Write https/,
      'http://host.example/api/v1': /Write https/,
      'https://user:pass@host.example/api/v1': /Take them out/,
      'https://host.example/api/v1?a=1': /Take out everything from the \?/,
      'https://host.example/api/v1#a': /Take out everything from the #/,
      'https://host.example/': /Append \/api\/v1/,
    };
    for (const [address, fix] of Object.entries(wrong)) {
      const { organization, log } = read('secret', address);
      assert.equal(organization, undefined, address);
      assert.match(log, fix, address);
      assert.ok(!log.includes(address) && !log.includes('pass') && !log.includes('secret'), log);
    }
    assert.match(read('zwei Wörter', baseUrl).log, /AUTOMATION_PLATFORM_TOKEN has a character/);
  });
});

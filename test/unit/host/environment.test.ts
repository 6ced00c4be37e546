import { strict as assert } from 'node:assert';
import { environmentOrganization } from '../../../src/host/text/environment.js';

const baseUrl = 'https://host.example/api/v1';

/** What the environment variables with these values make: an organization, or why they are refused. */
function read(token: string | undefined, address: string | undefined) {
  return environmentOrganization({
    AUTOMATION_PLATFORM_TOKEN: token,
    AUTOMATION_PLATFORM_BASE_URL: address,
  });
}

/** A value of a variable for a title: cut, with its invisible characters as escapes. */
function quoted(value: string | undefined): string {
  if (value === undefined) return 'none';
  const escaped = JSON.stringify(value.slice(0, 28));
  return escaped.replace('\u200b', '\\u200b').replace('\ufeff', '\\ufeff');
}

describe('the organization of the environment', () => {
  for (const address of [`${baseUrl}/`, `"${baseUrl}"`, `${baseUrl}\u200b`]) {
    it(`has the base URL of ${quoted(address)}`, () => {
      const organization = { id: 'environment', name: 'environment', baseUrl, token: 'secret' };
      assert.deepEqual(read(' secret\n', address), organization);
    });
  }

  it('is absent when neither variable is set', () => {
    assert.equal(read(undefined, undefined), undefined);
  });

  for (const token of ['"secret"', "'Bearer secret'", 'Bearer secret', '\ufeffsecret\u200b']) {
    it(`has the token of ${quoted(token)}`, () => {
      const organization = read(token, baseUrl);
      assert.ok(typeof organization === 'object', JSON.stringify(organization));
      assert.equal(organization.token, 'secret');
    });
  }

  const isAlone = /^AUTOMATION_PLATFORM_(?:TOKEN|BASE_URL) is not set\./;
  const isUnfilled =
    /^AUTOMATION_PLATFORM_TOKEN holds a placeholder that was not filled in\. Set the value itself\.$/;
  for (const [token, address, reason] of [
    ['secret', ' ', isAlone],
    ['', baseUrl, isAlone],
    ['Bearer ""', baseUrl, isAlone],
    [
      'secret Wörter',
      baseUrl,
      /^the token contains a space or a line break, which no token can have\. Copy it again\.$/,
    ],
    [
      'secretWörter',
      baseUrl,
      /^the token contains “ö” \(U\+00F6\), which no token can have\. Copy it again\.$/,
    ],
    ['sec\u200bret', baseUrl, /^the token contains U\+200B, /],
    ['secret'.repeat(3000), baseUrl, /^the token is too long\. Set the token alone\.$/],
    ['$(secret)', baseUrl, isUnfilled],
    ['"$SECRET"', baseUrl, isUnfilled],
    ['Bearer ${{ secrets.secret }}', baseUrl, isUnfilled],
    ['<your secret>', undefined, isUnfilled],
    [
      'secret',
      '"$(host.example)"',
      /^AUTOMATION_PLATFORM_BASE_URL holds a placeholder that was not filled in\./,
    ],
    [
      '%SECRET%',
      '%SECRET%',
      /^AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL hold placeholders that /,
    ],
    ['secret', '""', isAlone],
    [
      'secret',
      'https://host.example/\u200bapi/v1',
      /^the base URL contains U\+200B\. Remove or replace it\.$/,
    ],
    ['secret', 'https://https://other.example/api/v1', /two schemes/],
    ['secret', 'other.example/api/v1', /is not a full URL/],
    ['secret', 'https://user:pass@host.example/api/v1', /Remove them/],
  ] as const) {
    const tokenText = address === baseUrl || token !== 'secret' ? quoted(token) : '';
    const addressText = address === baseUrl ? '' : quoted(address);
    const values = [tokenText, addressText].filter(Boolean).join(' at ');

    it(`is refused with a fix for ${values}`, () => {
      const refusal = read(token, address);
      assert.ok(typeof refusal === 'string', JSON.stringify(refusal));
      assert.match(refusal, reason);
    });

    it(`is refused without values for ${values}`, () => {
      const refusal = read(token, address);
      assert.ok(typeof refusal === 'string', JSON.stringify(refusal));
      assert.doesNotMatch(refusal, /pass|secret|(host|other)\.example\/(?!api\/v1\.$)/i);
    });
  }
});

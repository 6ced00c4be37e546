import { strict as assert } from 'node:assert';
import { KnownSecrets } from '../../../../src/api/secrets.js';
import { candidatesIn } from '../../../../src/model/entered/candidates.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';
const secret = 'tok-1234567890,0987654321';

function read(text: string, listed: readonly string[] = [], secrets: readonly string[] = []) {
  const known = new KnownSecrets();
  for (const one of secrets) known.add(one);
  const { found, ...counts } = candidatesIn(text, listed, (one) => known.redact(one));
  return { ...counts, found, ids: found.map(({ id }) => id).join(' ') };
}

describe('candidates', () => {
  for (const [text, ids] of [
    ['dep_1 dep_2\n\tdep_1', 'dep_1 dep_2'],
    ['["dep_1","dep_2", \'dep_3\', `dep_4`]', 'dep_1 dep_2 dep_3 dep_4'],
    ['{dep_1}(dep_2)<dep_3> “dep_4”', 'dep_1 dep_2 dep_3 dep_4'],
    ['- id: dep_1\n- dep.2; dep/3. --- => . ..', 'id dep_1 dep.2 dep/3'],
    ['https://dash.example/deployments/dep_4?token=abc', 'dep_4'],
    ['https://dash.example/ \ud800', ''],
    ['a'.repeat(128), 'a'.repeat(128)],
  ] as const) {
    it(`are found in ${JSON.stringify(text.slice(0, 60))}`, () => {
      assert.equal(read(text).ids, ids);
    });
  }

  it('begin with IDs that look like listed ones, and leave out the listed ones', () => {
    const { ids } = read('word deploy dep_9 dep-3 flow-2 dep_1', ['dep_1', 'flow-1', 'plain']);
    assert.equal(ids, 'dep_9 flow-2 word deploy dep-3');
  });

  for (const [text, hasListedId] of [
    ['word dep_1', true],
    ['word dep_2', false],
  ] as const) {
    it(`have ${hasListedId ? 'a' : 'no'} listed ID beside them in "${text}"`, () => {
      assert.equal(read(text, ['dep_1']).hasListedId, hasListedId);
    });
  }

  describe('in a text with 301', () => {
    const many = Array.from({ length: 300 }, (_, index) => `x${index}`).join(' ');
    const text = `${many} dep_2`;

    it('are at most 200', () => assert.equal(read(text, ['dep_1']).found.length, 200));

    it('are all counted', () => assert.equal(read(text, ['dep_1']).total, 301));

    it('begin with the one that looks like a listed ID', () => {
      assert.equal(read(text, ['dep_1']).found[0]?.id, 'dep_2');
    });
  });

  for (const text of [
    secret,
    `x=${secret};`,
    `https://dash.example/${encodeURIComponent(secret)}`,
    Buffer.from(`me:${secret}`).toString('base64'),
    uuid.toUpperCase(),
    `https://dash.example/${uuid.replace('0', '%30')}`,
    'Bearer abc,def',
    '"bearer" "abc"',
    'Bearer >-\n  abc\n',
    'Bearer%20abc',
    'DB_PASSWORD=hunter2-Prod!',
    'ghp_0123456789abcdefghijABCDEFGHIJ012345',
    'https://user:pa55@host/x',
    'https://hooks.slack.com/services/T000/B000/XXXX',
    'a'.repeat(129),
  ]) {
    const part = JSON.stringify(text.slice(0, 50));

    it(`are not taken from ${part}`, () => {
      assert.equal(read(`dep_1 ${text} dep_2`, [], [secret, uuid]).ids, 'dep_1 dep_2');
    });

    it(`are counted as left out in ${part}`, () => {
      assert.equal(read(`dep_1 ${text} dep_2`, [], [secret, uuid]).leftOutCount, 1);
    });
  }

  describe('in a text with seven secrets', () => {
    const text = [
      'DB_PASSWORD=hunter2-Prod!',
      'ghp_0123456789abcdefghijABCDEFGHIJ012345',
      'xoxb-1234-5678-abcdef',
      'AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      'password: correcthorse',
      'https://user:pa55@host/x',
      'dep_new1',
    ].join('\n');

    it('are only the rest', () => assert.equal(read(text).ids, 'dep_new1'));

    it('leave out seven', () => assert.equal(read(text).leftOutCount, 7));
  });

  const awsLike = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

  it('include a word of 40 letters and digits when no AWS access key is beside it', () => {
    assert.equal(read(awsLike).ids, awsLike);
  });

  it('leave out a word of 40 letters and digits beside the ID of an AWS access key', () => {
    assert.equal(read(`ASIAIOSFODNN7EXAMPLE,${awsLike}`).ids, '');
  });

  it('are marked as a possible install token when they are a UUID of a URL', () => {
    const { found } = read(
      `https://dash.example/${uuid} ${uuid.replace('f', 'e')} https://dash.example/dep_9`,
    );
    assert.deepEqual(
      found.map(({ mayBeInstallToken }) => mayBeInstallToken),
      [true, false, false],
    );
  });

  describe('in a text of more than 300,000 characters', () => {
    const token = 'tok_'.repeat(20);
    const text = `${'- '.repeat(149_980)}dep_1 ${token}`;

    it('are those up to its last whole word that was read', () => {
      assert.equal(read(text, [], [token]).ids, 'dep_1');
    });

    it('are marked as cut', () => assert.equal(read(text, [], [token]).isCut, true));
  });

  it('are not marked as cut in a text of 300,000 characters', () => {
    assert.equal(read('- '.repeat(150_000)).isCut, false);
  });
});

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

describe('candidates for deployments', () => {
  for (const [text, ids] of [
    ['dep_1 dep_2\n\tdep_1', 'dep_1 dep_2'],
    ['["dep_1","dep_2", \'dep_3\', `dep_4`]', 'dep_1 dep_2 dep_3 dep_4'],
    ['{dep_1}(dep_2)<dep_3> “dep_4”', 'dep_1 dep_2 dep_3 dep_4'],
    ['- id: dep_1\n- dep.2; dep/3. --- => . ..', 'id dep_1 dep.2 dep/3'],
    ['https://dash.example/deployments/dep_4?token=abc', 'dep_4'],
    ['https://dash.example/ \ud800', ''],
    ['a'.repeat(128), 'a'.repeat(128)],
  ] as const) {
    it(`are found in ${JSON.stringify(text.slice(0, 80))}`, () =>
      assert.equal(read(text).ids, ids));
  }

  it('begin with those that look like the listed ones, which are left out', () => {
    const { ids } = read('word deploy dep_9 dep-3 flow-2 dep_1', ['dep_1', 'flow-1', 'plain']);
    assert.equal(ids, 'dep_9 flow-2 word deploy dep-3');
  });

  it('tell whether the text has a listed ID', () => {
    assert.deepEqual(
      [read('word dep_1', ['dep_1']).hasListedId, read('word dep_2', ['dep_1']).hasListedId],
      [true, false],
    );
  });

  it('are at most 200, the alike among them, and all are counted', () => {
    const many = Array.from({ length: 300 }, (_, index) => `x${index}`).join(' ');
    const { found, total } = read(`${many} dep_2`, ['dep_1']);
    assert.deepEqual([found.length, total, found[0]?.id], [200, 301, 'dep_2']);
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
    it(`are not in ${JSON.stringify(text.slice(0, 50))}, which is counted`, () => {
      const { ids, leftOutCount } = read(`dep_1 ${text} dep_2`, [], [secret, uuid]);
      assert.deepEqual([ids, leftOutCount], ['dep_1 dep_2', 1]);
    });
  }

  it('are few in a text full of secrets, which are counted', () => {
    const { ids, leftOutCount } = read(
      [
        'DB_PASSWORD=hunter2-Prod!',
        'ghp_0123456789abcdefghijABCDEFGHIJ012345',
        'xoxb-1234-5678-abcdef',
        'AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        'password: correcthorse',
        'https://user:pa55@host/x',
        'dep_new1',
      ].join('\n'),
    );
    assert.deepEqual([ids, leftOutCount], ['dep_new1', 7]);
  });

  it('of 40 letters and digits are left out only beside the ID of an AWS access key', () => {
    const word = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
    assert.deepEqual([read(word).ids, read(`ASIAIOSFODNN7EXAMPLE,${word}`).ids], [word, '']);
  });

  it('of a URL say that a UUID may be an install token', () => {
    const { found } = read(
      `https://dash.example/${uuid} ${uuid.replace('f', 'e')} https://dash.example/dep_9`,
    );
    assert.deepEqual(
      found.map(({ mayBeInstallToken }) => mayBeInstallToken),
      [true, false, false],
    );
  });

  it('of a huge text are those of its beginning, up to a whole word', () => {
    const token = 'tok_'.repeat(20);
    const text = `${'- '.repeat(149_980)}dep_1 ${token}`;
    const { ids, isCut } = read(text, [], [token]);
    assert.deepEqual([ids, isCut, read(text.slice(0, 300_000)).isCut], ['dep_1', true, false]);
  });
});

import { strict as assert } from 'node:assert';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { candidatesIn } from '../../../src/model/candidates.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';

function read(text: string, listed: readonly string[] = [], secrets: readonly string[] = []) {
  const known = new KnownSecrets();
  for (const secret of secrets) known.add(secret);
  const { found, ...counts } = candidatesIn(text, listed, (one) => known.redact(one));
  return { ...counts, found, ids: found.map(({ id }) => id) };
}

describe('candidates for deployments', () => {
  for (const [text, ids] of [
    ['dep_1 dep_2\n\tdep_1', ['dep_1', 'dep_2']],
    ['["dep_1","dep_2", \'dep_3\', `dep_4`]', ['dep_1', 'dep_2', 'dep_3', 'dep_4']],
    ['{dep_1}(dep_2)<dep_3> “dep_4”', ['dep_1', 'dep_2', 'dep_3', 'dep_4']],
    ['- id: dep_1\n- dep.2; dep/3. --- => . ..', ['id', 'dep_1', 'dep.2', 'dep/3']],
    ['https://me:secret@dash.example/deployments/dep_4?token=abc', ['dep_4']],
    ['https://dash.example/ \ud800', []],
    ['a'.repeat(128), ['a'.repeat(128)]],
  ] as const) {
    it(`in ${JSON.stringify(text.slice(0, 80))}`, () => assert.deepEqual(read(text).ids, ids));
  }

  it('begin with those that look like the listed ones, which are left out', () => {
    const { ids } = read('word deploy dep_9 dep-3 flow-2 dep_1', ['dep_1', 'flow-1', 'plain']);
    assert.deepEqual(ids, ['dep_9', 'flow-2', 'word', 'deploy', 'dep-3']);
  });

  it('are at most 200, the alike among them, and all are counted', () => {
    const many = Array.from({ length: 300 }, (_, index) => `x${index}`).join(' ');
    const { ids, total } = read(`${many} dep_2`, ['dep_1']);
    assert.deepEqual([ids.length, total, ids[0]], [200, 301, 'dep_2']);
  });

  const secret = 'tok-1234567890,0987654321';
  for (const [text, count] of [
    [secret, 1],
    [`x=${secret}; "${secret}"`, 2],
    [`https://dash.example/${encodeURIComponent(secret)}`, 1],
    [Buffer.from(`me:${secret}`).toString('base64'), 1],
    [uuid.toUpperCase(), 1],
    [`https://dash.example/${uuid.replace('0', '%30')}`, 1],
    ['Bearer abc,def', 1],
    ['"bearer" "abc"', 1],
    ['Bearer >-\n  abc\n', 1],
    ['Bearer%20abc', 1],
    ['a'.repeat(129), 1],
  ] as const) {
    it(`are not in ${JSON.stringify(text.slice(0, 50))}, which is counted`, () => {
      const { ids, leftOut } = read(`dep_1 ${text} dep_2`, [], [secret, uuid]);
      assert.deepEqual([ids, leftOut], [['dep_1', 'dep_2'], count]);
    });
  }

  it('of a URL say that a UUID may be an install token', () => {
    const { found } = read(`https://dash.example/${uuid} ${uuid.replace('f', 'e')}`);
    assert.deepEqual([found[0]?.mayBeToken, found[1]?.mayBeToken], [true, false]);
  });

  it('of a huge text are those of its beginning, up to a whole word', () => {
    const token = 'tok_'.repeat(20);
    const text = `${'- '.repeat(149_980)}dep_1 ${token}`;
    const { ids, isCut } = read(text, [], [token]);
    assert.deepEqual([ids, isCut], [['dep_1'], true]);
    assert.equal(read(text.slice(0, 300_000)).isCut, false);
  });
});

import { strict as assert } from 'node:assert';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { candidatesIn } from '../../../src/model/candidates.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';

function read(text: string, { listed = [] as readonly string[], secrets = [] as readonly string[] } = {}) {
  const known = new KnownSecrets();
  for (const secret of secrets) known.add(secret);
  return candidatesIn(text, listed, (one) => known.redact(one));
}
const idsIn = (text: string, ...listed: readonly string[]) => read(text, { listed }).found.map(({ id }) => id);

describe('candidates for deployments', () => {
  it('stand between white space, quotes, commas and brackets, each once', () => {
    const texts: readonly (readonly [string, readonly string[]])[] = [
      ['dep_1 dep_2\n\tdep_1', ['dep_1', 'dep_2']],
      ['["dep_1","dep_2", \'dep_3\', `dep_4`]', ['dep_1', 'dep_2', 'dep_3', 'dep_4']],
      ['{dep_1}(dep_2)<dep_3> “dep_4”', ['dep_1', 'dep_2', 'dep_3', 'dep_4']],
      ['- id: dep_1\n- dep.2; dep/3. --- => . ..', ['id', 'dep_1', 'dep.2', 'dep/3']],
      ['https://me:secret@dash.example/deployments/dep_4?token=abc', ['dep_4']],
      ['https://dash.example/ \ud800', []],
    ];
    for (const [text, ids] of texts) assert.deepEqual(idsIn(text), ids, text);
  });

  it('begin with those that look like the listed ones, which are left out', () => {
    assert.deepEqual(idsIn('word deploy dep_9 dep-3 flow-2 dep_1', 'dep_1', 'flow-1', 'plain'), [
      'dep_9',
      'flow-2',
      'word',
      'deploy',
      'dep-3',
    ]);
  });

  it('are at most 200, the alike among them, and all are counted', () => {
    const many = Array.from({ length: 300 }, (_, index) => `x${index}`).join(' ');
    const { found, total } = read(`${many} dep_2`, { listed: ['dep_1'] });
    assert.deepEqual([found.length, total, found[0]?.id], [200, 301, 'dep_2']);
  });

  it('are no secrets, however they are written, and what is left out is counted', () => {
    const secret = 'tok-1234567890,0987654321';
    const texts: readonly (readonly [string, number])[] = [
      [`dep_1 ${secret} dep_2`, 1],
      [`dep_1 x=${secret}; "${secret}" dep_2`, 2],
      [`dep_1 https://dash.example/${encodeURIComponent(secret)} dep_2`, 1],
      [`dep_1 ${Buffer.from(`me:${secret}`).toString('base64')} dep_2`, 1],
      [`dep_1 ${uuid.toUpperCase()} dep_2`, 1],
      [`dep_1 https://dash.example/?token=${uuid} dep_2`, 1],
      ['dep_1 Bearer abc,def dep_2', 1],
      ['dep_1 "bearer" "abc" dep_2', 1],
      ['dep_1 Bearer >-\n  abc\ndep_2', 1],
      ['dep_1 Bearer%20abc dep_2', 1],
      [`dep_1 ${'a'.repeat(129)} dep_2`, 1],
    ];
    for (const [text, count] of texts) {
      const { found, leftOut } = read(text, { secrets: [secret, uuid] });
      assert.deepEqual([found.map(({ id }) => id), leftOut], [['dep_1', 'dep_2'], count], text);
    }
    assert.deepEqual(idsIn('a'.repeat(128)), ['a'.repeat(128)]);
  });

  it('of a URL say that a UUID may be an install token', () => {
    const found = read(`https://dash.example/${uuid} ${uuid.replace('f', 'e')}`).found;
    assert.deepEqual(
      found.map(({ mayBeToken }) => mayBeToken),
      [true, false],
    );
  });

  it('of a huge text are those of its beginning, up to a whole word', () => {
    const secret = 'tok_'.repeat(20);
    const text = `${'- '.repeat(149_980)}dep_1 ${secret}`;
    const { found, isCut } = read(text, { secrets: [secret] });
    assert.deepEqual([found.map(({ id }) => id), isCut], [['dep_1'], true]);
    assert.equal(read(text.slice(0, 300_000)).isCut, false);
  });
});

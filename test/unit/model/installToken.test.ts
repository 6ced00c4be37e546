import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { installTokenIn } from '../../../src/model/input.js';

const token = '550e8400-e29b-41d4-a716-446655440000';
const other = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('installTokenIn', () => {
  for (const text of [
    `{${token.toUpperCase()}}`,
    `urn:uuid:${token}`,
    `https://host.example/installs/${token}?x=1`,
    `https://host.example/login?next=%2Finstalls%2F${token}`,
    `https://host.example/login?next=%252Finstalls%252F${token}%253Fa`,
    `https://host.example/?token=${token}&again=${token.toUpperCase()}`,
    `100% \u200B${token}\uFEFF`,
  ]) {
    it(`one in ${JSON.stringify(text)}`, () => assert.deepEqual(installTokenIn(text), { kind: 'one', token }));
  }

  for (const text of [
    '',
    token.slice(1),
    `${token}0`,
    `${token}-1`,
    `_${token}`,
    `é${token}`,
    token.replace('e', 'g'),
  ]) {
    it(`none in ${JSON.stringify(text)}`, () => assert.deepEqual(installTokenIn(text), { kind: 'none' }));
  }

  it('several distinct ones', () => {
    assert.deepEqual(installTokenIn(`${token} ${other} ${other}`), { kind: 'several', count: 2 });
  });

  it('finds any UUID between any other text', () => {
    const around = fc.string().map((text) => `${text.replace(/[0-9a-f%]/gi, '')} `);
    fc.assert(
      fc.property(fc.uuid(), around, (uuid, before) => {
        assert.deepEqual(installTokenIn(`${before}${uuid}, thanks`), { kind: 'one', token: uuid });
      }),
    );
  });
});

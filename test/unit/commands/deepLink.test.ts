import { strict as assert } from 'node:assert';
import { readDeepLink } from '../../../src/model/input.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';

describe('a deep link', () => {
  it('names a deployment, and is not decoded a second time', () => {
    for (const [query, expected] of [
      ['label=Billing sync&id=dep_1', { id: 'dep_1', label: 'Billing sync' }],
      ['id=a+b%2Fc=d', { id: 'a+b%2Fc=d' }],
      // VS Code's own parameter.
      ['windowId=_blank&id=dep_1', { id: 'dep_1' }],
    ] as const) {
      assert.deepEqual(readDeepLink('/deployment', query), { kind: 'deployment', ...expected });
    }
  });

  it('names an install', () => {
    assert.deepEqual(readDeepLink('/install', `token=${uuid.toUpperCase()}`), { kind: 'install', token: uuid });
  });

  // An unknown parameter may be the rest of an id with an & in it, and half an id is none.
  for (const [path, query, reason, parameter] of [
    ['/', 'id=dep_1', 'path'],
    ['/deployment/', 'id=dep_1', 'path'],
    ['/Deployment', 'id=dep_1', 'path'],
    ['/constructor', 'id=dep_1', 'path'],
    ['/deployment', 'id=&id=dep_1', 'repeated', 'id'],
    ['/deployment', `id=${'a'.repeat(501)}`, 'tooLong', 'id'],
    ['/deployment', `id=dep_1&label=${'a'.repeat(201)}`, 'tooLong', 'label'],
    ['/install', `token=${uuid}   ${'a'.repeat(500)}`, 'tooLong', 'token'],
    ['/deployment', 'id=a&b', 'unknownParameter'],
    ['/install', `token=${uuid}&id=dep_1`, 'unknownParameter'],
    ['/deployment', 'id= ', 'missing', 'id'],
    ['/install', 'token', 'missing', 'token'],
    ['/install', 'token=abc', 'noToken'],
    ['/install', `token=${uuid} ${uuid.replace('0a', '1a')}`, 'noToken'],
  ]) {
    it(`to ${path} with ${query!.slice(0, 60)} is refused`, () => {
      assert.deepEqual(readDeepLink(path!, query!), { kind: 'refused', reason, ...(parameter && { parameter }) });
    });
  }
});

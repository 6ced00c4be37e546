import assert from 'node:assert/strict';
import { readDeepLink } from '../../../src/model/deepLinks.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';
const another = uuid.replace('0a', '1a');

describe('a deep link', () => {
  for (const [path, query, expected] of [
    ['/deployment', 'label=Billing sync&id=dep_1', { kind: 'deployment', id: 'dep_1', label: 'Billing sync' }],
    // Not decoded a second time.
    ['/deployment', 'id=a+b%2Fc=d', { kind: 'deployment', id: 'a+b%2Fc=d' }],
    // VS Code's own parameter.
    ['/deployment', 'windowId=_blank&id=dep_1', { kind: 'deployment', id: 'dep_1' }],
    ['/deployment', `id=${'a'.repeat(500)}`, { kind: 'deployment', id: 'a'.repeat(500) }],
    ['/install', `token=${uuid.toUpperCase()}`, { kind: 'install', token: uuid }],
  ] as const) {
    it(`to ${path} with ${query.slice(0, 60)} is understood`, () =>
      assert.deepEqual(readDeepLink(path, query), expected));
  }

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
    ['/install', `token=${uuid} ${another}`, 'noToken'],
  ]) {
    it(`to ${path} with ${query!.slice(0, 60)} is refused`, () => {
      assert.deepEqual(readDeepLink(path!, query!), { kind: 'refused', reason, ...(parameter && { parameter }) });
    });
  }
});

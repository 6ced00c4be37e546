import { strict as assert } from 'node:assert';
import { readDeepLink } from '../../../src/model/input.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';
const refused = (reason: string, parameter?: string) => ({ kind: 'refused', reason, ...(parameter && { parameter }) });

describe('a deep link', () => {
  it('names a deployment, and is not decoded a second time', () => {
    const links: readonly (readonly [string, object])[] = [
      ['id=dep_1', { id: 'dep_1' }],
      ['label=Billing sync&id=dep_1', { id: 'dep_1', label: 'Billing sync' }],
      ['id=a+b%2Fc=d', { id: 'a+b%2Fc=d' }],
      // VS Code's own parameter.
      ['windowId=_blank&id=dep_1', { id: 'dep_1' }],
    ];
    for (const [query, expected] of links) {
      assert.deepEqual(readDeepLink('/deployment', query), { kind: 'deployment', ...expected });
    }
  });

  it('names an install', () => {
    assert.deepEqual(readDeepLink('/install', `token=${uuid.toUpperCase()}`), { kind: 'install', token: uuid });
  });

  it('to another path is refused', () => {
    for (const path of [
      '',
      '/',
      '/deployments',
      '/deployment/',
      '/Deployment',
      '/revoke',
      '/constructor',
      '/toString',
    ]) {
      assert.deepEqual(readDeepLink(path, `id=dep_1&token=${uuid}`), refused('path'), path);
    }
  });

  // An unknown parameter may be the rest of an id with an & in it, and half an id is none.
  for (const [path, query, expected] of [
    ['/deployment', 'id=dep_1&id=dep_2', refused('repeated', 'id')],
    ['/deployment', 'id=dep_1&id=dep_1', refused('repeated', 'id')],
    ['/deployment', 'id=&id=dep_1', refused('repeated', 'id')],
    ['/deployment', `id=${'a'.repeat(501)}`, refused('tooLong', 'id')],
    ['/deployment', `id=dep_1&label=${'a'.repeat(201)}`, refused('tooLong', 'label')],
    ['/install', `token=${uuid}   ${'a'.repeat(500)}`, refused('tooLong', 'token')],
    ['/deployment', 'id=a&b', refused('unknownParameter')],
    ['/deployment', 'id=dep_1&baseUrl=https://evil.example/api/v1', refused('unknownParameter')],
    ['/install', `token=${uuid}&id=dep_1`, refused('unknownParameter')],
    ['/deployment', '', refused('missing', 'id')],
    ['/deployment', 'id= ', refused('missing', 'id')],
    ['/install', 'token', refused('missing', 'token')],
    ['/install', 'token=abc', refused('noToken')],
    ['/install', `token=${uuid} ${uuid.replace('0a', '1a')}`, refused('noToken')],
  ] as const) {
    it(`to ${path} with ${query.slice(0, 60)} is refused`, () => {
      assert.deepEqual(readDeepLink(path, query), expected);
    });
  }
});

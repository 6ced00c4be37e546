import { strict as assert } from 'node:assert';
import { readDeepLink } from '../../../src/model/input.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';

describe('a deep link', () => {
  it('names a deployment', () => {
    assert.deepEqual(readDeepLink('/deployment', 'id=dep_1'), { kind: 'deployment', id: 'dep_1' });
    assert.deepEqual(readDeepLink('/deployment', 'label=Billing sync&id=dep_1'), {
      kind: 'deployment',
      id: 'dep_1',
      label: 'Billing sync',
    });
  });

  it('is not decoded a second time', () => {
    assert.deepEqual(readDeepLink('/deployment', 'id=a+b%2Fc=d'), { kind: 'deployment', id: 'a+b%2Fc=d' });
  });

  it('names an install', () => {
    assert.deepEqual(readDeepLink('/install', `token=${uuid.toUpperCase()}`), { kind: 'install', token: uuid });
  });

  it("ignores VS Code's own parameter", () => {
    assert.deepEqual(readDeepLink('/deployment', 'windowId=_blank&id=dep_1'), { kind: 'deployment', id: 'dep_1' });
  });

  for (const path of ['', '/', '/deployments', '/deployment/', '/Deployment', '/revoke', '/constructor', '/toString']) {
    it(`to ${JSON.stringify(path)} is refused`, () => {
      assert.deepEqual(readDeepLink(path, `id=dep_1&token=${uuid}`), { kind: 'refused', reason: 'path' });
    });
  }

  it('with a parameter twice is refused', () => {
    const refused = { kind: 'refused', reason: 'repeated', parameter: 'id' };
    assert.deepEqual(readDeepLink('/deployment', 'id=dep_1&id=dep_2'), refused);
    assert.deepEqual(readDeepLink('/deployment', 'id=dep_1&id=dep_1'), refused);
    assert.deepEqual(readDeepLink('/deployment', 'id=&id=dep_1'), refused);
  });

  it('with an over-long parameter is refused', () => {
    assert.deepEqual(readDeepLink('/deployment', `id=${'a'.repeat(501)}`), {
      kind: 'refused',
      reason: 'tooLong',
      parameter: 'id',
    });
    assert.deepEqual(readDeepLink('/deployment', `id=dep_1&label=${'a'.repeat(201)}`), {
      kind: 'refused',
      reason: 'tooLong',
      parameter: 'label',
    });
    assert.deepEqual(readDeepLink('/install', `token=${uuid}${' '.repeat(3)}${'a'.repeat(500)}`), {
      kind: 'refused',
      reason: 'tooLong',
      parameter: 'token',
    });
  });

  it('with a parameter that is not known is refused, so that half an id with an & is none', () => {
    const refused = { kind: 'refused', reason: 'unknownParameter' };
    assert.deepEqual(readDeepLink('/deployment', 'id=a&b'), refused);
    assert.deepEqual(readDeepLink('/deployment', 'id=dep_1&baseUrl=https://evil.example/api/v1'), refused);
    assert.deepEqual(readDeepLink('/install', `token=${uuid}&id=dep_1`), refused);
  });

  it('without what it is about is refused', () => {
    assert.deepEqual(readDeepLink('/deployment', ''), { kind: 'refused', reason: 'missing', parameter: 'id' });
    assert.deepEqual(readDeepLink('/deployment', 'id= '), { kind: 'refused', reason: 'missing', parameter: 'id' });
    assert.deepEqual(readDeepLink('/install', 'token'), { kind: 'refused', reason: 'missing', parameter: 'token' });
    assert.deepEqual(readDeepLink('/install', 'token=abc'), { kind: 'refused', reason: 'noToken' });
    assert.deepEqual(readDeepLink('/install', `token=${uuid} ${uuid.replace('0a', '1a')}`), {
      kind: 'refused',
      reason: 'noToken',
    });
  });
});

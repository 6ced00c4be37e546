import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { readDeepLink } from '../../../src/model/input.js';

function read(id: string) {
  const { path, query } = vscode.Uri.parse(`vscode://a.b/deployment?id=${encodeURIComponent(id)}`);
  return readDeepLink(path, query);
}

describe('a deep link as VS Code hands it over', () => {
  it('is decoded once; with an & in its id it is refused, not cut', () => {
    for (const id of ['a+b', 'a b', 'a/b', 'a%41', 'a%2Fb', '日本', 'a=b', 'a#b', '[x](y)']) {
      assert.deepEqual(read(id), { kind: 'deployment', id });
    }
    assert.deepEqual(read('a&b'), { kind: 'refused', reason: 'unknownParameter' });
  });
});

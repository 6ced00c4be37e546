import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { readDeepLink } from '../../../src/model/input.js';

function read(text: string) {
  const { path, query } = vscode.Uri.parse(
    `${vscode.env.uriScheme}://automation-platform-tools.automation-platform${text}`,
  );
  return readDeepLink(path, query);
}

describe('a deep link as VS Code hands it over', () => {
  it('is decoded once', () => {
    const ids = ['dep_1', 'a+b', 'a b', 'a/b', 'a%41', 'a%2Fb', '日本', 'a=b', 'a#b', '[x](y)'];
    for (const id of ids) {
      assert.deepEqual(read(`/deployment?id=${encodeURIComponent(id)}`), { kind: 'deployment', id });
    }
  });

  it('with an & in its id is refused, not cut', () => {
    assert.deepEqual(read('/deployment?id=a%26b'), { kind: 'refused', reason: 'unknownParameter' });
  });
});

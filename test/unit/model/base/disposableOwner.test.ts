import { strict as assert } from 'node:assert';
import { DisposableOwner } from '../../../../src/model/base/disposableOwner.js';

class Names extends DisposableOwner {
  readonly disposed: string[] = [];

  add(name: string): string {
    const disposable = { name, dispose: () => void this.disposed.push(name) };
    return this.own(disposable).name;
  }
}

describe('an owner', () => {
  it('disposes of what it owns once, the newest first, and at once of what comes too late', () => {
    const names = new Names();
    for (const name of ['a', 'b']) assert.equal(names.add(name), name);
    names.dispose();
    names.dispose();
    assert.deepEqual(names.disposed, ['b', 'a']);
    names.add('c');
    assert.deepEqual(names.disposed, ['b', 'a', 'c']);
  });
});

import { strict as assert } from 'node:assert';
import { DisposableOwner } from '../../../../src/model/base/disposableOwner.js';

/** Owns named disposables, and lists the names in the order in which they are disposed of. */
class NamedOwner extends DisposableOwner {
  readonly disposed: string[] = [];

  add(name: string): string {
    const dispose = (): void => {
      this.disposed.push(name);
    };
    return this.own({ name, dispose }).name;
  }
}

function ownerOf(...names: readonly string[]): NamedOwner {
  const owner = new NamedOwner();
  for (const name of names) owner.add(name);
  return owner;
}

describe('an owner', () => {
  it('returns what is given to it', () => assert.equal(new NamedOwner().add('a'), 'a'));

  it('disposes of the newest first', () => {
    const owner = ownerOf('a', 'b');
    owner.dispose();
    assert.deepEqual(owner.disposed, ['b', 'a']);
  });

  it('disposes of each disposable once when it is disposed of twice', () => {
    const owner = ownerOf('a');
    owner.dispose();
    owner.dispose();
    assert.deepEqual(owner.disposed, ['a']);
  });

  it('disposes at once of what is added after its own end', () => {
    const owner = ownerOf();
    owner.dispose();
    owner.add('late');
    assert.deepEqual(owner.disposed, ['late']);
  });
});

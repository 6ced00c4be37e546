import { strict as assert } from 'node:assert';
import { Turns } from '../../../src/views/turns.js';

/** Longer than a turn. */
function work(): void {
  const end = performance.now() + 12;
  while (performance.now() < end);
}

function all<T>(answers: readonly (T | Promise<T>)[]): Promise<T[]> {
  return Promise.all(answers.map(async (one) => one));
}

describe('answers in turns', () => {
  let turns: Turns;
  let order: string[];

  beforeEach(() => {
    turns = new Turns();
    order = [];
  });
  afterEach(() => turns.dispose());

  const answer = (name: string) =>
    turns.answer(() => {
      order.push(name);
      work();
      return name;
    });

  it('come at once while there is time', () => {
    assert.equal(
      turns.answer(() => 1),
      1,
    );
    assert.equal(
      turns.answer(() => 2),
      2,
    );
  });

  it('come later, one after the other and with room for others in between, when the time is used up', async () => {
    const answers = ['a', 'b', 'c'].map(answer);
    setImmediate(() => {
      order.push('somebody else');
      setImmediate(() => order.push('somebody else'));
    });
    assert.equal(answers[0], 'a');
    assert.deepEqual(order, ['a']);
    assert.deepEqual(await all(answers), ['a', 'b', 'c']);
    assert.deepEqual(order, ['a', 'b', 'somebody else', 'c']);
  });

  it('come at once again afterwards', async () => {
    await all(['a', 'b'].map(answer));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(answer('c'), 'c');
  });

  it('keep their places: who asks while others wait gets no answer before them', async () => {
    const first = ['a', 'b', 'c'].map(answer);
    await first[1];
    const late = answer('d');
    assert.ok(late instanceof Promise);
    await late;
    assert.deepEqual(order, ['a', 'b', 'c', 'd']);
  });

  it('fail alone', async () => {
    work();
    void answer('a');
    const failing = turns.answer(() => {
      throw new Error('no row');
    });
    const next = answer('b');
    await assert.rejects(async () => failing, /no row/);
    assert.equal(await next, 'b');
  });

  it('are all given before the end', async () => {
    const answers = ['a', 'b', 'c'].map(answer);
    turns.dispose();
    assert.deepEqual(order, ['a', 'b', 'c']);
    assert.deepEqual(await all(answers), ['a', 'b', 'c']);
  });
});

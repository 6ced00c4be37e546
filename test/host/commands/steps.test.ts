import { strict as assert } from 'node:assert';
import {
  askInSteps,
  askOneText,
  type Question,
  type TextQuestion,
} from '../../../src/commands/questions.js';
import { answeredBy, keys } from '../../support/window/quickInputKeys.js';

const { back, enter, escape } = keys;
const placeholder = 'Name';
const ask = (value: string, question: Partial<TextQuestion>) =>
  askOneText('Title', { prompt: 'Prompt', placeholder, ...question }, value);

describe('questions', () => {
  /** What was checked. */
  let checked: string[];
  beforeEach(() => {
    checked = [];
  });
  afterEach(escape);

  const refuse = (value: string) => (checked.push(value) < 3 ? 'Wrong.' : undefined);

  it('offer on the way back what was answered, and anew what depends on a changed answer', async () => {
    let times = 0;
    const draft = { before: 'kept', first: '', second: '' };
    const steps: readonly Question<keyof typeof draft>[] = [
      { field: 'before', question: () => ({ prompt: String(times++), placeholder }) },
      {
        field: 'first',
        question: () => ({
          prompt: 'first',
          placeholder,
          suggestedValue: times === 1 ? 'one' : 'another',
        }),
      },
      {
        field: 'second',
        question: () => ({ prompt: 'second', placeholder, suggestedValue: `after ${draft.first}` }),
      },
    ];
    const asking = askInSteps('Title', draft, steps);
    assert.equal(await answeredBy(asking, enter, enter, back, back, enter, enter, enter), true);
    assert.deepEqual(draft, { before: 'kept', first: 'another', second: 'after another' });
    assert.equal(times, 2);
  });

  it('without steps have no Back button, and stay open for a wrong answer, which they say at once', async () => {
    const given = ask('wrong', { validate: refuse });
    assert.deepEqual(checked, ['wrong']);
    assert.equal(await answeredBy(given, back, enter, enter), 'wrong');
    assert.equal(checked.length, 3);
  });

  it('abort their onEnter with Back', async () => {
    let signal: AbortSignal | undefined;
    const hold = (_: string, given: AbortSignal) => {
      signal = given;
      return new Promise<undefined>(() => {});
    };
    const draft = { first: 'one', second: 'two' };
    const asking = askInSteps('Title', draft, [
      { field: 'first', question: () => ({ prompt: 'first', placeholder }) },
      { field: 'second', question: () => ({ prompt: 'second', placeholder, onEnter: hold }) },
    ]);
    // A second Enter begins nothing.
    assert.equal(await answeredBy(asking, enter, enter, enter, back, escape), false);
    assert.equal(signal?.aborted, true);
  });
});

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

/** Answers two questions, goes back to the start, and answers all of them. Returns the answers, and how often the first question was shown. */
const answersAfterBack = async () => {
  let timesShown = 0;
  const draft = { before: 'kept', first: '', second: '' };
  const steps: readonly Question<keyof typeof draft>[] = [
    {
      field: 'before',
      question: () => {
        timesShown += 1;
        return { prompt: 'before', placeholder };
      },
    },
    {
      field: 'first',
      question: () => ({
        prompt: 'first',
        placeholder,
        suggestedValue: timesShown === 1 ? 'one' : 'another',
      }),
    },
    {
      field: 'second',
      question: () => ({ prompt: 'second', placeholder, suggestedValue: `after ${draft.first}` }),
    },
  ];
  const asking = askInSteps('Title', draft, steps);
  const isDone = await answeredBy(asking, enter, enter, back, back, enter, enter, enter);
  assert.equal(isDone, true);
  return { draft, timesShown };
};

describe('questions in steps', () => {
  afterEach(escape);

  it('are shown again after Back', async () => {
    const { timesShown } = await answersAfterBack();

    assert.equal(timesShown, 2);
  });

  it('offer the given answer again after Back', async () => {
    const { draft } = await answersAfterBack();

    assert.equal(draft.before, 'kept');
  });

  it('offer a new suggestion when the answers before have changed', async () => {
    const { draft } = await answersAfterBack();

    assert.equal(draft.first, 'another');
    assert.equal(draft.second, 'after another');
  });

  it('abort their onEnter with Back', async () => {
    let signal: AbortSignal | undefined;
    const hold = (_: string, signalOfStep: AbortSignal) => {
      signal = signalOfStep;
      return new Promise<undefined>(() => {});
    };
    const draft = { first: 'one', second: 'two' };
    const asking = askInSteps('Title', draft, [
      { field: 'first', question: () => ({ prompt: 'first', placeholder }) },
      { field: 'second', question: () => ({ prompt: 'second', placeholder, onEnter: hold }) },
    ]);

    // The third Enter, while onEnter runs, begins nothing.
    const isDone = await answeredBy(asking, enter, enter, enter, back, escape);

    assert.equal(isDone, false);
    assert.equal(signal?.aborted, true);
  });
});

describe('a question without steps', () => {
  let validated: string[];
  beforeEach(() => {
    validated = [];
  });
  afterEach(escape);

  /** Asks with a value that is refused twice. */
  const ask = () => {
    const question: TextQuestion = {
      prompt: 'Prompt',
      placeholder,
      validate: (value) => {
        validated.push(value);
        return validated.length < 3 ? 'Wrong.' : undefined;
      },
    };
    return askOneText('Title', question, 'wrong');
  };

  it('validates its value at once', async () => {
    const asking = ask();

    assert.deepEqual(validated, ['wrong']);
    await answeredBy(asking, escape);
  });

  it('has no Back button', async () => {
    assert.equal(await answeredBy(ask(), back, enter, enter), 'wrong');
  });

  it('stays open on Enter when its value is refused', async () => {
    await answeredBy(ask(), enter, enter);

    assert.deepEqual(validated, ['wrong', 'wrong', 'wrong']);
  });
});

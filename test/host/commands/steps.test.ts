import { strict as assert } from 'node:assert';
import { askInSteps, askText, type Question } from '../../../src/commands/questions.js';
import { accept, dismiss, goBack, turn } from './quickInput.js';

interface Draft {
  readonly first: string;
  readonly second: string;
}

const start: Draft = { first: 'one', second: 'two' };

describe('questions in steps', () => {
  let asked: string[];
  const ask = (field: keyof Draft): Question<Draft> => ({
    field,
    question: (draft) => {
      asked.push(`${field} ${draft[field]}`);
      return { prompt: field };
    },
  });
  beforeEach(() => {
    asked = [];
  });
  afterEach(dismiss);

  it('can be answered again, with what was answered as the start', async () => {
    const answers = askInSteps('Title', start, [ask('first'), ask('second')]);
    await turn();
    await accept();
    await goBack();
    await accept();
    await accept();
    assert.deepEqual(await answers, { first: 'one', second: 'two' });
    assert.deepEqual(asked, ['first one', 'second two', 'first one', 'second two']);
  });

  it('come to nothing when one is dismissed', async () => {
    const answers = askInSteps('Title', start, [ask('first'), ask('second')]);
    await turn();
    await accept();
    await dismiss();
    assert.equal(await answers, undefined);
  });

  it('leave out what the draft makes needless, in both directions, and do not turn in circles', async () => {
    const draft = { ...start, third: 'three', last: 'four' };
    const steps = (['first', 'second', 'third', 'last'] as const).map((field) => ({
      field,
      question: () => (field === 'first' || field === 'third' ? undefined : { prompt: field }),
    }));
    const answers = askInSteps('Title', draft, steps);
    await turn();
    await goBack();
    await accept();
    await goBack();
    await accept();
    await accept();
    assert.deepEqual(await answers, draft);
  });

  it('offer anew what hangs on an answer that was changed', async () => {
    const steps: readonly Question<Draft>[] = [
      { field: 'first', question: () => ({ prompt: 'first', offered: asked.length === 0 ? 'one' : 'another' }) },
      {
        field: 'second',
        question: (draft) => {
          asked.push(draft.first);
          return { prompt: 'second', offered: `after ${draft.first}` };
        },
      },
    ];
    const answers = askInSteps('Title', { first: '', second: '' }, steps);
    await turn();
    await accept();
    await goBack();
    await accept();
    await accept();
    assert.deepEqual(await answers, { first: 'one', second: 'after one' });
    assert.deepEqual(asked, ['one', 'one']);
  });

  it('have no way back when there is one only', async () => {
    const given = askText({ title: 'Title' }, { prompt: 'Prompt', value: 'x' });
    await turn();
    await goBack();
    await accept();
    assert.deepEqual(await given, { kind: 'answer', value: 'x' });
  });
});

describe('an answer', () => {
  afterEach(dismiss);

  it('that is wrong keeps the question open', async () => {
    const checked: string[] = [];
    const given = askText(
      { title: 'Title' },
      {
        prompt: 'Prompt',
        value: 'wrong',
        validate: (value) => {
          checked.push(value);
          return checked.length < 3 ? 'Wrong.' : undefined;
        },
      },
    );
    await turn();
    assert.deepEqual(checked, ['wrong'], 'said at once');
    await accept();
    assert.deepEqual(checked, ['wrong', 'wrong']);
    await accept();
    assert.deepEqual(await given, { kind: 'answer', value: 'wrong' });
  });

  it('that is empty is one only where it may be', async () => {
    const optional = askText({ title: 'Title' }, { prompt: 'Prompt' });
    await turn();
    await accept();
    assert.deepEqual(await optional, { kind: 'answer', value: '' });

    const needed = askText({ title: 'Title' }, { prompt: 'Prompt', validate: () => 'Needed.' });
    await turn();
    await accept();
    await dismiss();
    assert.equal(await needed, undefined);
  });

  it('that is compared on Enter is not scolded before', async () => {
    const checked: string[] = [];
    const given = askText(
      { title: 'Title' },
      {
        prompt: 'Prompt',
        value: 'wrong',
        validateOnEnter: (value) => {
          checked.push(value);
          return 'Different.';
        },
      },
    );
    await turn();
    assert.deepEqual(checked, []);
    await accept();
    assert.deepEqual(checked, ['wrong']);
    await dismiss();
    assert.equal(await given, undefined);
  });
});

import { strict as assert } from 'node:assert';
import { askInSteps, askText, type Question, type TextQuestion } from '../../../src/commands/questions.js';
import { accept, answering, dismiss, goBack } from './quickInput.js';

interface Draft {
  readonly first: string;
  readonly second: string;
}

const start: Draft = { first: 'one', second: 'two' };

describe('questions in steps', () => {
  let asked: string[];
  const about = (field: keyof Draft): Question<Draft> => ({
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
    const answers = askInSteps('Title', start, [about('first'), about('second')]);
    assert.deepEqual(await answering(answers, accept, goBack, accept, accept), start);
    assert.deepEqual(asked, ['first one', 'second two', 'first one', 'second two']);
  });

  it('come to nothing when one is dismissed', async () => {
    const answers = askInSteps('Title', start, [about('first'), about('second')]);
    assert.equal(await answering(answers, accept, dismiss), undefined);
  });

  it('leave out what the draft makes needless, in both directions, and do not turn in circles', async () => {
    const draft = { ...start, third: 'three', last: 'four' };
    const steps = (['first', 'second', 'third', 'last'] as const).map((field) => ({
      field,
      question: () => (field === 'first' || field === 'third' ? undefined : { prompt: field }),
    }));
    const answers = askInSteps('Title', draft, steps);
    assert.deepEqual(await answering(answers, goBack, accept, goBack, accept, accept), draft);
  });

  it('offer anew what hangs on an answer that was changed', async () => {
    const steps: readonly Question<Draft & { readonly before: string }>[] = [
      { field: 'before', question: () => ({ prompt: String(asked.push('before')) }) },
      { field: 'first', question: () => ({ prompt: 'first', offered: asked.length === 1 ? 'one' : 'another' }) },
      { field: 'second', question: ({ first }) => ({ prompt: 'second', offered: `after ${first}` }) },
    ];
    const answers = askInSteps('Title', { before: '', first: '', second: '' }, steps);
    const given = await answering(answers, accept, accept, goBack, goBack, accept, accept, accept);
    assert.deepEqual(given, { before: '', first: 'another', second: 'after another' });
  });
});

const ask = (question: Partial<TextQuestion>) => askText({ title: 'Title' }, { prompt: 'Prompt', ...question });

describe('an answer', () => {
  let checked: string[];
  beforeEach(() => {
    checked = [];
  });
  afterEach(dismiss);

  it('that is the only one has no way back', async () => {
    assert.deepEqual(await answering(ask({ value: 'x' }), goBack, accept), { kind: 'answer', value: 'x' });
  });

  it('that is wrong keeps the question open, and is said at once', async () => {
    const validate = (value: string) => (checked.push(value) < 3 ? 'Wrong.' : undefined);
    const given = ask({ value: 'wrong', validate });
    assert.deepEqual(checked, ['wrong']);
    assert.deepEqual(await answering(given, accept, accept), { kind: 'answer', value: 'wrong' });
    assert.equal(checked.length, 3);
  });

  it('that is empty is judged on Enter only, and may be one', async () => {
    assert.deepEqual(await answering(ask({}), accept), { kind: 'answer', value: '' });
    const validate = (value: string) => (checked.push(value) > 0 ? 'Needed.' : undefined);
    const needed = ask({ validate });
    assert.deepEqual(checked, []);
    assert.equal(await answering(needed, accept, dismiss), undefined);
    assert.deepEqual(checked, ['']);
  });

  it('that is compared on Enter is not scolded before', async () => {
    const validateOnEnter = (value: string) => (checked.push(value) > 0 ? 'Different.' : undefined);
    const given = ask({ value: 'wrong', validateOnEnter });
    assert.deepEqual(checked, []);
    assert.equal(await answering(given, accept, dismiss), undefined);
    assert.deepEqual(checked, ['wrong']);
  });
});

import { strict as assert } from 'node:assert';
import { askInSteps, askText, back, type Given, type Place, type Step } from '../../../src/commands/steps.js';
import { accept, dismiss, goBack, turn } from './quickInput.js';

interface Draft {
  readonly first: string;
  readonly second: string;
}

const start: Draft = { first: 'one', second: 'two' };

describe('questions in steps', () => {
  let asked: string[];
  const ask =
    (key: keyof Draft): Step<Draft> =>
    async (draft: Draft, place: Place): Promise<Given<Partial<Draft>>> => {
      asked.push(`${place.step}/${place.totalSteps} ${draft[key]}`);
      const given = await askText(place, { prompt: key, value: draft[key] });
      return typeof given === 'string' ? { [key]: `${given}!` } : given;
    };
  beforeEach(() => {
    asked = [];
  });
  afterEach(dismiss);

  it('come to what was answered', async () => {
    const answers = askInSteps('Title', start, [ask('first'), ask('second')]);
    await turn();
    await accept();
    await accept();
    assert.deepEqual(await answers, { first: 'one!', second: 'two!' });
    assert.deepEqual(asked, ['1/2 one', '2/2 two']);
  });

  it('can be answered again, with what was answered as the start', async () => {
    const answers = askInSteps('Title', start, [ask('first'), ask('second')]);
    await turn();
    await accept();
    await goBack();
    await accept();
    await accept();
    assert.deepEqual(await answers, { first: 'one!!', second: 'two!' });
    assert.deepEqual(asked, ['1/2 one', '2/2 two', '1/2 one!', '2/2 two']);
  });

  it('come to nothing when one is dismissed', async () => {
    const answers = askInSteps('Title', start, [ask('first'), ask('second')]);
    await turn();
    await accept();
    await dismiss();
    assert.equal(await answers, undefined);
  });

  it('stay where they are at the first', async () => {
    const answers = askInSteps('Title', start, [ask('first'), ask('second')]);
    await turn();
    await goBack();
    await accept();
    await accept();
    assert.deepEqual(await answers, { first: 'one!', second: 'two!' });
  });

  it('have no way back when there is one only', async () => {
    const given = askText({ title: 'Title' }, { prompt: 'Prompt', value: 'x' });
    await turn();
    await goBack();
    await accept();
    assert.equal(await given, 'x');
    assert.notEqual(back, undefined);
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
    assert.equal(await given, 'wrong');
  });

  it('that is empty is one only where it may be', async () => {
    const optional = askText({ title: 'Title' }, { prompt: 'Prompt' });
    await turn();
    await accept();
    assert.equal(await optional, '');

    const needed = askText({ title: 'Title' }, { prompt: 'Prompt', required: 'Needed.' });
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

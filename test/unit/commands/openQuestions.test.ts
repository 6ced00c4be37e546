import { strict as assert } from 'node:assert';
import { OpenQuestions } from '../../../src/model/toolResult.js';

const input = { deploymentId: 'dep_1' };
const acme = { about: 'Acme' };
const other = { about: 'Other' };

describe('open questions', () => {
  it('give back the one that was agreed to', () => {
    const questions = new OpenQuestions();
    questions.add(input, acme);
    questions.add({}, other);
    assert.equal(questions.take(input), acme);
    assert.equal(questions.take({}), other);
  });

  it('are one, if all ask for the same', () => {
    const questions = new OpenQuestions();
    questions.add(input, acme);
    questions.add(input, { ...acme });
    assert.deepEqual([questions.take(input), questions.take(input)], [acme, acme]);
  });

  it('are none, as long as one of those that differ is open', () => {
    const questions = new OpenQuestions();
    questions.add(input, acme);
    questions.add(input, other);
    assert.equal(questions.take(input), undefined);
    assert.equal(questions.take(input), undefined);
    questions.add(input, other);
    assert.equal(questions.take(input), other);
  });

  it('are none, if nobody was asked or it was long ago', () => {
    const questions = new OpenQuestions();
    assert.equal(questions.take(input), undefined);
    questions.add(input, acme);
    for (let index = 0; index < 100; index++) questions.add({ index }, acme);
    assert.equal(questions.take(input), undefined);
    assert.equal(questions.take({ index: 0 }), acme);
  });
});

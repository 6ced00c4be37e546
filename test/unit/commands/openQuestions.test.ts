import { strict as assert } from 'node:assert';
import { OpenQuestions } from '../../../src/model/toolResult.js';

const input = { deploymentId: 'dep_1' };
const acme = { about: 'Acme' };
const other = { about: 'Other' };

describe('open questions', () => {
  let questions: OpenQuestions<{ readonly about: string }>;
  beforeEach(() => {
    questions = new OpenQuestions();
    questions.add(input, acme);
  });

  it('give back the one that was agreed to', () => {
    questions.add({}, other);
    assert.deepEqual([questions.take(input), questions.take({})], [acme, other]);
  });

  it('are one, if all ask for the same', () => {
    questions.add(input, { ...acme });
    assert.deepEqual([questions.take(input), questions.take(input)], [acme, acme]);
  });

  it('are none, as long as one of those that differ is open', () => {
    questions.add(input, other);
    assert.deepEqual([questions.take(input), questions.take(input)], [undefined, undefined]);
    questions.add(input, other);
    assert.equal(questions.take(input), other);
  });

  it('are none, if nobody was asked or it was long ago', () => {
    assert.equal(questions.take({}), undefined);
    for (let index = 0; index < 100; index++) questions.add({ index }, acme);
    assert.deepEqual([questions.take(input), questions.take({ index: 0 })], [undefined, acme]);
  });
});

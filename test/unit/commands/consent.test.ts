import { strict as assert } from 'node:assert';
import { Consent } from '../../../src/commands/tools/consent.js';

const input = { deploymentId: 'dep_1' };
const [acme, other] = [{ about: 'Acme' }, { about: 'Other' }];

describe('consent to a tool', () => {
  let consent: Consent<typeof acme>;
  beforeEach(() => {
    consent = new Consent();
  });
  const ask = (...questions: readonly (typeof acme)[]) => {
    for (const question of questions) consent.ask(input, question);
  };
  const taken = (count: number) => Array.from({ length: count }, () => consent.take(input)?.about);

  for (const [what, questions, expected] of [
    ['is for the question of its input', [acme], ['Acme', undefined]],
    ['is given once for each question', [acme, acme], ['Acme', 'Acme', undefined]],
    ['is for none of two unanswered questions about different things', [acme, other], [undefined, undefined]],
    ['is for none of three of which the first was another', [other, acme, acme], [undefined, undefined]],
  ] as const) {
    it(what, () => {
      consent.ask({}, other);
      ask(...questions);
      assert.deepEqual([...taken(expected.length), consent.take({})], [...expected, other]);
    });
  }

  it('is for the next question after one that was answered, whatever that was about', () => {
    for (const question of [acme, other]) {
      ask(question);
      assert.deepEqual(taken(1), [question.about]);
    }
  });

  it('is for the next question after one refusal, although a declined one is never answered', () => {
    ask(acme, other);
    assert.deepEqual(taken(1), [undefined]);
    ask(other);
    assert.deepEqual(taken(1), ['Other']);
  });

  it('is remembered for the latest hundred inputs', () => {
    ask(acme);
    for (let index = 0; index < 100; index++) consent.ask({ index }, acme);
    assert.deepEqual([...taken(1), consent.take({ index: 0 })], [undefined, acme]);
  });
});

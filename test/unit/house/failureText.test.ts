import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { failureText } from '../../support/failureText.js';

/** The error of an assertion, as a test and Mocha's report have it. */
function failureOf(assertion: () => void): Error {
  try {
    assertion();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('the assertion did not fail');
}

describe('the text of a failed test', () => {
  it('shows the statement that failed with its place in the source', () => {
    const found = [1, 2];

    const text = failureText(
      failureOf(() => {
        assert.equal(found.at(-1), 3);
      }),
    );

    assert.match(text, /failureText\.test\.ts:\d+\n +assert\.equal\(found\.at\(-1\), 3\);$/);
  });

  it('shows the found value when the message is the test’s own', () => {
    const text = failureText(
      failureOf(() => {
        assert.match('two words', /three/, 'the first row');
      }),
    );

    assert.match(text, /the first row/);
    assert.match(text, /actual: 'two words'/);
  });

  it('shows each value once when the message has both', () => {
    const text = failureText(
      failureOf(() => {
        assert.equal('found value', 'expected value');
      }),
    );

    assert.equal(text.split("'found value'").length - 1, 2, 'in the message and in the statement');
  });

  it('shows both values of the counterexample when a property failed', () => {
    const text = failureText(
      failureOf(() => {
        fc.assert(fc.property(fc.constant('found'), (word) => assert.equal(word, 'wanted')));
      }),
    );

    assert.match(text, /actual: 'found'\nexpected: 'wanted'/);
  });

  it('leaves out the frames of Node', () => {
    const stack = 'Error: gone\n    at read (file:///a.js:1:2)\n    at run (node:internal/x:3:4)';

    assert.equal(failureText({ stack }), 'Error: gone\n    at read (file:///a.js:1:2)');
  });
});

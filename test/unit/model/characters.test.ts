import { strict as assert } from 'node:assert';
import { nameCharacter } from '../../../src/model/characters.js';

describe('the name of a character', () => {
  for (const [character, name] of [
    ['ü', '“ü” (U+00FC)'],
    ['\\', '“\\” (U+005C)'],
    ['😀', '“😀” (U+1F600)'],
    ['\u0000', 'U+0000'],
    ['\u00a0', 'U+00A0'],
    ['\u0301', 'U+0301'],
    ['\u200b', 'U+200B'],
    ['\u202e', 'U+202E'],
    ['\ud800', 'U+D800'],
  ] as const) {
    it(`is ${name}`, () => assert.equal(nameCharacter(character), name));
  }
});

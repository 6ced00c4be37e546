import { visibleControls } from './invisibleCharacters.js';

/**
 * Names a character in a sentence: "“ü” (U+00FC)" as `named` writes it, which is given the code
 * "U+00FC". Returns only the code for a character without a shape, or for half of one: "U+200B".
 */
export function nameCharacter(
  character: string,
  named = (code: string) => `“${character}” (${code})`,
): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  const hasShape = visibleControls(character) === character;
  const isSpaceOrMark = /^[\s\p{M}]/u.test(character);
  return hasShape && !isSpaceOrMark ? named(code) : code;
}

import { visibleControls } from './invisibleCharacters.js';

/** "“ü” (U+00FC)" as `named` writes it; of a character without a shape, or of half of one, "U+200B". */
export function nameCharacter(
  character: string,
  named = (code: string) => `“${character}” (${code})`,
): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const isVisible = visibleControls(character) === character && !/^[\s\p{M}]/u.test(character);
  return isVisible ? named(code) : code;
}

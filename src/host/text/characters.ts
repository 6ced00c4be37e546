import { l10n } from 'vscode';
import { visibleControls } from '../../model/inertText.js';

/** "“ü” (U+00FC)"; of a character without a shape, or of half of one, "U+200B". */
export function characterName(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const isVisible = visibleControls(character) === character && !/^[\s\p{M}]/u.test(character);
  return isVisible ? l10n.t('“{character}” ({code})', { character, code }) : code;
}

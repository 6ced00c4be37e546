import { l10n } from 'vscode';
import { nameCharacter } from '../../model/characters.js';

/**
 * "“ü” (U+00FC)" in the user's language; "U+200B" for a character without a shape, or for half of a
 * character.
 */
export function characterName(character: string): string {
  return nameCharacter(character, (code) => l10n.t('“{character}” ({code})', { character, code }));
}

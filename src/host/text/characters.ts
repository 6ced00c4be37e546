import { l10n } from 'vscode';
import { nameCharacter } from '../../model/characters.js';

/** "“ü” (U+00FC)" in the user's language; of a character without a shape, or of half of one, "U+200B". */
export function characterName(character: string): string {
  return nameCharacter(character, (code) => l10n.t('“{character}” ({code})', { character, code }));
}

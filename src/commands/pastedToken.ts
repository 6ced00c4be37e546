import * as vscode from 'vscode';
import { confirm } from '../host/messages.js';
import { characterName } from '../host/text/characters.js';
import { readToken } from '../model/entered/tokens.js';
import { type Message, note, warning } from './questions.js';

/** As it is sent and saved; `undefined` if it cannot be a token. */
export function tokenIn(value: string): string | undefined {
  const pasted = readToken(value);
  const isUsable = pasted.kind === 'token' || (pasted.kind === 'placeholder' && pasted.isUsable);
  return isUsable ? pasted.token : undefined;
}

/** Asks before a placeholder is used as a token: once for each, so not again for another try. */
export function placeholderQuestion(): (value: string) => Promise<boolean> {
  let confirmed: string | undefined;
  return async (value) => {
    const { kind, token } = readToken(value);
    if (kind !== 'placeholder' || token === confirmed) return true;
    const isConfirmed = await confirm(
      vscode.l10n.t('This looks like a placeholder that was not filled in. Use it anyway?'),
      [],
      vscode.l10n.t('Use Anyway'),
    );
    if (isConfirmed) confirmed = token;
    return isConfirmed;
  };
}

/** What is wrong with a token while it is being entered. The token itself is never in the message. */
export function validateToken(value: string): Message {
  const pasted = readToken(value);
  switch (pasted.kind) {
    case 'token':
      if (!pasted.isCleaned) return undefined;
      return note(vscode.l10n.t('Only the token is used, without the text around it.'));
    case 'empty':
      return vscode.l10n.t('Paste an access token.');
    case 'tooLong':
      return vscode.l10n.t('This is too long for a token. Paste only the token.');
    case 'placeholder':
      return pasted.isUsable
        ? warning(vscode.l10n.t('This looks like a placeholder that was not filled in.'))
        : vscode.l10n.t('This is a placeholder that was not filled in. Paste the token itself.');
    case 'wrongCharacter':
      return wrongCharacterText(pasted.character);
  }
}

/** "A token cannot contain “ü” (U+00FC). Copy it again." */
function wrongCharacterText(character: string): string {
  if (/\s/.test(character)) {
    return vscode.l10n.t('A token has no spaces or line breaks. Paste only the token.');
  }
  const values = { character: characterName(character) };
  return vscode.l10n.t('A token cannot contain {character}. Copy it again.', values);
}

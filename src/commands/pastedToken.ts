import * as vscode from 'vscode';
import { confirm } from '../host/messages.js';
import { characterName } from '../host/text/characters.js';
import { readToken } from '../model/entered/tokens.js';
import { note, type ValidationMessage, warning } from './questions.js';

/**
 * Returns the token of a pasted text as it is sent and saved; `undefined` if the text contains no
 * usable token.
 */
export function usableToken(text: string): string | undefined {
  const pasted = readToken(text);
  const isUsable = pasted.kind === 'token' || (pasted.kind === 'placeholder' && pasted.isUsable);
  return isUsable ? pasted.token : undefined;
}

/**
 * Returns a function that asks the user before a placeholder is used as a token, and resolves with
 * whether it may be used. It does not ask about other texts, nor about the placeholder that was
 * confirmed last.
 */
export function placeholderConfirmation(): (text: string) => Promise<boolean> {
  let confirmedToken: string | undefined;
  return async (text) => {
    const { kind, token } = readToken(text);
    if (kind !== 'placeholder' || token === confirmedToken) return true;
    const isConfirmed = await confirm(
      vscode.l10n.t('This looks like a placeholder that was not filled in. Use it anyway?'),
      [],
      vscode.l10n.t('Use Anyway'),
    );
    if (isConfirmed) confirmedToken = token;
    return isConfirmed;
  };
}

/**
 * Returns the message below the box in which the user enters a token; `undefined` for a usable
 * token alone that is no placeholder. The message never contains the token itself. "This is too
 * long for a token. Paste only the token."
 */
export function validateToken(text: string): ValidationMessage {
  const pasted = readToken(text);
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

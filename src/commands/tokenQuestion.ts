import * as vscode from 'vscode';
import { readToken } from './bearerToken.js';
import { note, type TextQuestion } from './steps.js';

/** What is wrong with a token while it is being entered. The token itself is never in the message. */
export function validateToken(value: string): ReturnType<NonNullable<TextQuestion['validate']>> {
  const pasted = readToken(value);
  switch (pasted.kind) {
    case 'token':
      return pasted.cleaned
        ? note(vscode.l10n.t('Only the token itself is used, without the spaces and words around it.'))
        : undefined;
    case 'empty':
      return vscode.l10n.t('There is no token in this text yet.');
    case 'gaps':
      return vscode.l10n.t('There are spaces or line breaks within this text. Paste the token alone.');
    case 'illegal':
      return vscode.l10n.t(
        'This text has characters that no token can have. Copy the token again, and paste it alone.',
      );
    case 'tooLong':
      return vscode.l10n.t('This text is too long for a token. Paste the token alone.');
    default:
      return pasted satisfies never;
  }
}

import * as vscode from 'vscode';
import type { Organizations } from '../host/organizations/organizations.js';
import { idProblem } from './idProblem.js';

/** Why this can't be an id, for whoever enters it; what is to be entered, and what a token in its place means, is the caller's. */
export function idProblemText(
  organizations: Pick<Organizations, 'holdsToken'>,
  id: string,
  words: { readonly empty: string; readonly token: string },
): string | undefined {
  const problem = idProblem(id, (text) => organizations.holdsToken(text));
  switch (problem) {
    case 'empty':
      return words.empty;
    case 'token':
      return words.token;
    case 'tooLong':
      return vscode.l10n.t('This is far too long for an id.');
    case 'dotSegment':
      return vscode.l10n.t('“.” and “..” are no ids: they would change the address of the request.');
    case 'loneSurrogate':
      return vscode.l10n.t('There is a broken character in this id. Copy it again.');
    case undefined:
      return undefined;
    default:
      return problem satisfies never;
  }
}

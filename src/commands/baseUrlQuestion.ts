import * as vscode from 'vscode';
import { type BaseUrlProblem, parseBaseUrl, versionPrefix } from '../api/baseUrl.js';

/** Why a base URL can't be used, and what to change. */
export function validateBaseUrl(value: string): string | undefined {
  const parsed = parseBaseUrl(value);
  return parsed.ok ? undefined : problemText(parsed.problem);
}

function problemText(problem: BaseUrlProblem): string {
  switch (problem) {
    case 'notAUrl':
      return vscode.l10n.t('This is not a whole URL. Enter one like {example}.', {
        example: `https://host.example${versionPrefix}`,
      });
    case 'scheme':
      return vscode.l10n.t('Only https can be used here. Begin with {scheme}.', { scheme: 'https://' });
    case 'insecure':
      return vscode.l10n.t(
        'http would send the token unprotected; it can be used for this machine only. Begin with {scheme}.',
        {
          scheme: 'https://',
        },
      );
    case 'credentials':
      return vscode.l10n.t('Take the user name and the password out of the URL. The token is asked for next.');
    case 'query':
      return vscode.l10n.t('Take the question mark, and what comes after it, off the URL.');
    case 'fragment':
      return vscode.l10n.t('Take the #, and what comes after it, off the URL.');
    case 'path':
      return vscode.l10n.t('The URL has to end in the version prefix: {prefix}.', { prefix: versionPrefix });
    default:
      return problem satisfies never;
  }
}

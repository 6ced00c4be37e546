import * as vscode from 'vscode';
import { type BaseUrlProblem, parseBaseUrl, versionPrefix } from '../api/baseUrl.js';

/** Why a base URL can't be used, and what to change. */
export function validateBaseUrl(value: string): string | undefined {
  const parsed = parseBaseUrl(value);
  return parsed.ok ? undefined : problemText(parsed.problem);
}

function problemText(problem: BaseUrlProblem): string {
  const t = vscode.l10n.t;
  switch (problem) {
    case 'notAUrl':
      return t('This is not a whole URL. Enter one like {example}.', {
        example: `https://host.example${versionPrefix}`,
      });
    case 'scheme':
      return t('Only https can be used here. Begin with {scheme}.', { scheme: 'https://' });
    case 'insecure':
      return t('http would send the token unprotected; it can be used for this machine only. Begin with {scheme}.', {
        scheme: 'https://',
      });
    case 'credentials':
      return t('Take the user name and the password out of the URL. The token is asked for next.');
    case 'query':
      return t('Take the question mark, and what comes after it, off the URL.');
    case 'fragment':
      return t('Take the #, and what comes after it, off the URL.');
    case 'path':
      return t('The URL has to end in the version prefix: {prefix}.', { prefix: versionPrefix });
    default:
      return problem satisfies never;
  }
}

import * as vscode from 'vscode';
import type { NameProblem } from './organizationName.js';
import { environmentName } from './organizationOrder.js';
import { hostOf } from './text/names.js';

/** Why this name can't be used and what to do, for the sign-in's input box. Plain text, not yet inert. */
export function nameProblemSentence(problem: NameProblem): string {
  switch (problem.kind) {
    case 'empty':
      return vscode.l10n.t('Enter a name.');
    case 'tooLong':
      return vscode.l10n.t('Enter a shorter name.');
    case 'reserved':
      return vscode.l10n.t(
        '“{name}” is reserved for the organization of the environment variables. Enter another name.',
        {
          name: environmentName,
        },
      );
    case 'taken':
      return vscode.l10n.t('“{name}” is already the name of an organization on {host}. Enter another name.', {
        name: problem.organization.name,
        host: hostOf(problem.organization.baseUrl),
      });
    default:
      return problem satisfies never;
  }
}

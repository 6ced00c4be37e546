import * as vscode from 'vscode';
import { productName } from '../../host/ids.js';
import type { DiagnosticLevel, Settings } from '../../host/settings.js';
import { numberText, plural, problemSentence } from '../../host/text.js';
import type { Problem } from '../../model/findings.js';
import { inertPlain } from '../../model/inertText.js';
import { settingsResource } from './documentKinds.js';

/** The levels that count in one document. */
export type Levels = Readonly<Record<Problem['kind'], DiagnosticLevel>>;

export function levelsIn(
  document: Pick<vscode.TextDocument, 'uri'>,
  settings: Pick<Settings, 'failedAccounts' | 'unsatisfiedRequirements'>,
): Levels {
  const resource = settingsResource(document);
  return {
    failedAccount: settings.failedAccounts(resource),
    unsatisfiedRequirement: settings.unsatisfiedRequirements(resource),
  };
}

/** A diagnostic without its place: the same wherever its id stands in a document. */
export type Note = Pick<vscode.Diagnostic, 'message' | 'severity' | 'code'>;

/** Room for a sentence, its notes and the step; the hover has more. */
const longestMessage = 1000;
const longestCode = 100;

const severities: Readonly<Record<Exclude<DiagnosticLevel, 'off'>, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

export function problemNote(problem: Problem, level: Exclude<DiagnosticLevel, 'off'>, now: number): Note {
  return {
    message: inertPlain(problemSentence(problem, now), longestMessage),
    severity: severities[level],
    code: codeOf(problem),
  };
}

function codeOf(problem: Problem): string {
  const code = problem.kind === 'failedAccount' ? problem.finding.account.error?.code : undefined;
  return inertPlain(code || 'not-satisfied', longestCode);
}

/** The last one of a document that has too many. */
export function moreNote(count: number): Note {
  const values = { count: numberText(count) };
  return {
    message: plural(
      count,
      vscode.l10n.t('{count} more problem in this document is not shown.', values),
      vscode.l10n.t('{count} more problems in this document are not shown.', values),
    ),
    severity: vscode.DiagnosticSeverity.Information,
  };
}

export function placed({ message, severity, code }: Note, range: vscode.Range): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = productName;
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

export function saysTheSame(a: readonly vscode.Diagnostic[], b: readonly vscode.Diagnostic[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, index) => {
      const other = b[index];
      return (
        other?.range.isEqual(one.range) === true &&
        other.message === one.message &&
        other.severity === one.severity &&
        other.code === one.code
      );
    })
  );
}

import * as vscode from 'vscode';
import { configurationSection, productName } from '../../host/ids.js';
import type { DiagnosticLevel, Settings } from '../../host/settings.js';
import { numberText, plural } from '../../host/text/format.js';
import { problemSentence } from '../../host/text/problem.js';
import type { Problem } from '../../model/findings.js';
import { inertPlain } from '../../model/inertText.js';
import type { LineReference } from '../../model/references/document.js';
import type { ReferenceTargets } from '../../model/references/known.js';

/** The levels that count in one document. */
type Levels = Readonly<Record<Problem['kind'], DiagnosticLevel>>;

function levelsIn(
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
type Note = Pick<vscode.Diagnostic, 'message' | 'severity' | 'code'>;

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

/** Stands last in a document that has too many. */
function moreNote(count: number): Note {
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

function placed({ message, severity, code }: Note, range: vscode.Range): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = productName;
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

function saysTheSame(a: readonly vscode.Diagnostic[], b: readonly vscode.Diagnostic[]): boolean {
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

/** More in one document help nobody (contract, "In editors"). */
const most = 200;
/** References looked at before a pause may come. */
const atATime = 2000;

/** What one id says wherever it stands in a document. */
interface Notes {
  /** No more than can be shown. */
  readonly shown: readonly Note[];
  readonly count: number;
}

const nothing: Notes = { shown: [], count: 0 };

/** The diagnostics of the open documents. */
export class EditorDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection(configurationSection);
  private readonly shown = new Map<vscode.TextDocument, readonly vscode.Diagnostic[]>();

  constructor(private readonly settings: Pick<Settings, 'failedAccounts' | 'unsatisfiedRequirements'>) {}

  /** Replaces those of one document; returns the ids that stand in it. */
  *report(
    document: vscode.TextDocument,
    references: Iterable<LineReference>,
    targets: ReferenceTargets,
  ): Generator<void, Iterable<string>, void> {
    const now = Date.now();
    const notes = new Map<string, Notes>();
    const diagnostics: vscode.Diagnostic[] = [];
    let levels: Levels | undefined;
    let looked = 0;
    let more = 0;
    let end: vscode.Range | undefined;
    for (const { id, line, start, end: endColumn } of references) {
      if (++looked % atATime === 0) yield;
      let own = notes.get(id);
      if (own === undefined) {
        const problems = targets.problemsOf(id);
        // Reading the settings of a resource takes time, so it is done only if there is something to report.
        if (problems.length > 0) levels ??= levelsIn(document, this.settings);
        own = levels === undefined ? nothing : notesOf(problems, levels, now);
        notes.set(id, own);
      }
      if (own.count === 0) continue;
      const range = new vscode.Range(line, start, line, endColumn);
      const shown = own.shown.slice(0, most - diagnostics.length);
      for (const note of shown) diagnostics.push(placed(note, range));
      if (shown.length === own.count) continue;
      end ??= range;
      more += own.count - shown.length;
    }
    if (end !== undefined) diagnostics.push(placed(moreNote(more), end));
    this.show(document, diagnostics);
    return notes.keys();
  }

  close(document: vscode.TextDocument): void {
    this.show(document, []);
  }

  dispose(): void {
    this.collection.dispose();
  }

  private show(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): void {
    const before = this.shown.get(document) ?? [];
    // Most passes find what is shown already, and setting it again would have VS Code draw all marks again.
    if (saysTheSame(before, diagnostics)) return;
    if (diagnostics.length > 0) this.shown.set(document, diagnostics);
    else this.shown.delete(document);
    this.collection.set(document.uri, diagnostics);
  }
}

function notesOf(problems: ReturnType<ReferenceTargets['problemsOf']>, levels: Levels, now: number): Notes {
  const shown: Note[] = [];
  let count = 0;
  for (const { problem } of problems) {
    const level = levels[problem.kind];
    if (level === 'off') continue;
    count++;
    if (shown.length < most) shown.push(problemNote(problem, level, now));
  }
  return count === 0 ? nothing : { shown, count };
}

/** Whose settings count for a document. A cell's own address is in no workspace folder: its notebook's is. */
function settingsResource({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.Uri {
  if (uri.scheme !== 'vscode-notebook-cell') return uri;
  const cell = uri.toString();
  const notebook = vscode.workspace.notebookDocuments.find((candidate) =>
    candidate.getCells().some(({ document }) => document.uri.toString() === cell),
  );
  return notebook?.uri ?? uri;
}

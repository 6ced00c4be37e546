import * as vscode from 'vscode';
import { configurationSection, productName } from '../../host/ids.js';
import type { DiagnosticLevel, Settings } from '../../host/settings.js';
import { failedAccountId } from '../../host/text/deployment.js';
import { clockTime, numberText, plural, sentences } from '../../host/text/format.js';
import { problemMessage } from '../../host/text/problem.js';
import { inertPlain } from '../../model/inertText.js';
import { lazy } from '../../model/lazy.js';
import type { Problem } from '../../model/problems/findings.js';
import type { Impact } from '../../model/problems/impact.js';
import type { LineReference } from '../../model/references/document.js';
import type { ReferenceTargets } from '../../model/references/known.js';

/** A diagnostic without its place: the same wherever its id stands in a document. */
type Note = Pick<vscode.Diagnostic, 'message' | 'severity' | 'code'>;

const longestSentence = 850;
const longestCode = 100;

type Severity = Exclude<DiagnosticLevel, 'off'>;

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** `receivedAt`: when the answer came that says so; `shared`: in how many listed deployments a failed account is. */
export function problemNote(problem: Problem, receivedAt: number, level: Severity, now: number, shared = 0): Note {
  const code = problem.kind === 'failedAccount' ? problem.finding.account.error?.code : undefined;
  return {
    message: sentences(sentenceOf(problem), othersText(shared - 1), readText(receivedAt, now)),
    severity: severities[level],
    code: inertPlain(code || 'not-satisfied', longestCode),
  };
}

function sentenceOf(problem: Problem): string {
  return inertPlain(problemMessage(problem), longestSentence);
}

function othersText(count: number): string | undefined {
  if (count < 1) return undefined;
  const values = { count: numberText(count) };
  return plural(
    count,
    vscode.l10n.t('Also in {count} other deployment.', values),
    vscode.l10n.t('Also in {count} other deployments.', values),
  );
}

/** No age, because a diagnostic is written again only if it says something else. */
function readText(at: number, now: number): string {
  return new Date(at).toDateString() === new Date(now).toDateString()
    ? vscode.l10n.t('Read at {time}. State of the service, not of this file.', { time: clockTime(at, at) })
    : vscode.l10n.t('Read on {time}. State of the service, not of this file.', { time: clockTime(at, Infinity) });
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

/** More in one document help nobody. */
const most = 200;
/** References looked at before a pause may come. */
const atATime = 2000;

/** What one id says wherever it stands in a document. */
interface Notes {
  /** No more than can be shown. */
  readonly shown: readonly Note[];
  readonly count: number;
}

/** The diagnostics of the open documents. */
export class EditorDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection(configurationSection);
  private readonly shown = new Map<vscode.TextDocument, readonly vscode.Diagnostic[]>();

  constructor(
    private readonly settings: Pick<Settings, 'failedAccounts' | 'unsatisfiedRequirements'>,
    private readonly impact: Pick<Impact, 'count'>,
  ) {}

  /** Replaces those of one document; returns the ids that stand in it. */
  *report(
    document: vscode.TextDocument,
    references: Iterable<LineReference>,
    targets: ReferenceTargets,
  ): Generator<void, Iterable<string>, void> {
    const now = Date.now();
    const notes = new Map<string, Notes>();
    const diagnostics: vscode.Diagnostic[] = [];
    // Reading the settings of a resource takes time, so it is done only if there is something to report.
    const levels = lazy((): Readonly<Record<Problem['kind'], DiagnosticLevel>> => {
      const resource = settingsResource(document);
      return {
        failedAccount: this.settings.failedAccounts(resource),
        unsatisfiedRequirement: this.settings.unsatisfiedRequirements(resource),
      };
    });
    let looked = 0;
    let more = 0;
    let end: vscode.Range | undefined;
    for (const { id, line, start, end: endColumn } of references) {
      if (++looked % atATime === 0) yield;
      let own = notes.get(id);
      if (own === undefined) {
        own = notesOf(targets.problemsOf(id), (kind) => levels()[kind], now, this.impact);
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

  /**
   * Tells which problems VS Code itself shows where the pointer is, because a hover there repeats nothing of them. It shows none
   * while `problems.visibility` is off, and none on the left side of a diff.
   */
  visibleAt(document: vscode.TextDocument, range: vscode.Range): (problem: Problem) => boolean {
    const isVisible = vscode.workspace.getConfiguration('problems', document).get('visibility', true);
    const diagnostics = isVisible && !isOriginal(document) ? (this.shown.get(document) ?? []) : [];
    const messages = diagnostics.filter((one) => one.range.isEqual(range)).map(({ message }) => message);
    return (problem) => messages.some((message) => message.startsWith(sentenceOf(problem)));
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
    if (JSON.stringify(before) === JSON.stringify(diagnostics)) return;
    if (diagnostics.length > 0) this.shown.set(document, diagnostics);
    else this.shown.delete(document);
    this.collection.set(document.uri, diagnostics);
  }
}

function notesOf(
  problems: ReturnType<ReferenceTargets['problemsOf']>,
  levelOf: (kind: Problem['kind']) => DiagnosticLevel,
  now: number,
  impact: Pick<Impact, 'count'>,
): Notes {
  const shown: Note[] = [];
  let count = 0;
  for (const { deployment, problem } of problems) {
    const level = levelOf(problem.kind);
    if (level === 'off') continue;
    count++;
    if (shown.length === most) continue;
    const shared = impact.count(failedAccountId(problem));
    shown.push(problemNote(problem, deployment.answer?.receivedAt ?? now, level, now, shared));
  }
  return { shown, count };
}

/** Whether a diff in front has the document on its left side, which can't be edited and therefore has no marks. */
function isOriginal({ uri }: vscode.TextDocument): boolean {
  return vscode.window.tabGroups.all.some(
    ({ activeTab }) =>
      activeTab?.input instanceof vscode.TabInputTextDiff && activeTab.input.original.toString() === uri.toString(),
  );
}

/** Whose settings count for a document. A cell's own address is in no workspace folder: its notebook's is. */
function settingsResource({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.Uri {
  if (uri.scheme !== 'vscode-notebook-cell') return uri;
  const notebook = vscode.workspace.notebookDocuments.find((candidate) =>
    candidate.getCells().some(({ document }) => document.uri.toString() === uri.toString()),
  );
  return notebook?.uri ?? uri;
}

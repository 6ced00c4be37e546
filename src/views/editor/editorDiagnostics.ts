import * as vscode from 'vscode';
import { configurationSection } from '../../host/ids.js';
import type { Settings } from '../../host/settings.js';
import type { LineReference } from '../../model/references/document.js';
import type { ReferenceTargets } from '../../model/referenceTargets.js';
import { type Levels, levelsIn, moreNote, type Note, placed, problemNote, saysTheSame } from './problemDiagnostics.js';

/** More in one document help nobody (contract, "In editors"). */
const most = 200;
/** References looked at before a pause may come. */
const atATime = 2000;

/** What one id says wherever it stands in a document. */
interface Notes {
  /** As many as can be shown. */
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
        // Asked for only if there is something to report: settings of a resource are not for free.
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
    // Most passes find what is there: the window need not be told, nor the marks be drawn again.
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

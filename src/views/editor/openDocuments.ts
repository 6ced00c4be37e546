import * as vscode from 'vscode';
import { type Pass, TrackedDocument } from '../../model/references/document.js';
import { Slices } from '../../model/slices.js';
import { isDiagnosed } from './documentKinds.js';

/** The open documents whose references are kept, for as long as they are open. */
export class OpenDocuments implements vscode.Disposable {
  private readonly tracked = new Map<vscode.TextDocument, TrackedDocument<vscode.TextDocument>>();
  private readonly slices = new Slices();
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly pass: Omit<Pass<vscode.TextDocument>, 'slices'>,
    private readonly closed: (document: vscode.TextDocument) => void,
  ) {
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.open(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.close(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.tracked.get(document)?.edit(contentChanges),
      ),
    );
    for (const document of vscode.workspace.textDocuments) this.open(document);
  }

  /** What the ids mean, or how it is reported, has changed. */
  requestAll(): void {
    for (const document of this.tracked.values()) document.request();
  }

  /** They mean something else altogether: another organization is current. */
  restartAll(): void {
    for (const document of this.tracked.values()) document.restart();
  }

  dispose(): void {
    this.subscriptions.dispose();
    for (const document of this.tracked.values()) document.dispose();
    this.slices.dispose();
  }

  private open(document: vscode.TextDocument): void {
    if (!isDiagnosed(document) || this.tracked.has(document)) return;
    this.tracked.set(document, new TrackedDocument(document, { ...this.pass, slices: this.slices }));
  }

  private close(document: vscode.TextDocument): void {
    this.tracked.get(document)?.dispose();
    if (this.tracked.delete(document)) this.closed(document);
  }
}

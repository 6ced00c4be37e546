import * as vscode from 'vscode';
import { DisposableOwner } from '../model/base/disposableOwner.js';

const scheme = 'automation-platform-text';

/**
 * Shows texts of commands in an editor, where keyboards and screen readers reach them, without a
 * file and without anything to save. Owns each text until VS Code closes its document. A link can
 * name any URI of this scheme: VS Code then shows a fixed sentence, and nothing that the link says.
 */
export class ReadOnlyTexts extends DisposableOwner {
  /** By the whole URI, which contains the title, so that no text appears under another title. */
  private readonly texts = new Map<string, string>();

  constructor() {
    super();
    const provider = { provideTextDocumentContent: (uri: vscode.Uri) => this.textOf(uri) };
    this.own(vscode.workspace.registerTextDocumentContentProvider(scheme, provider));
    this.own(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  /** Opens the text in an editor, with the cursor at the start of `line`, counted from 0. */
  async show(title: string, text: string, line: number): Promise<void> {
    // VS Code restores editors after a reload, so a counter could meet a URI that is open already.
    const uri = vscode.Uri.from({ scheme, path: `/${title}`, query: crypto.randomUUID() });
    this.texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    const selection = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(document, { preview: true, selection });
  }

  /**
   * Without a text for this URI (after a reload of the window): "Run Check Connection again to see
   * its result." No other command shows texts here.
   */
  private textOf(uri: vscode.Uri): string {
    return (
      this.texts.get(uri.toString()) ??
      vscode.l10n.t('Run Check Connection again to see its result.')
    );
  }
}

import * as vscode from 'vscode';

const scheme = 'automation-platform-text';

/** Shows a text to read and copy: no file, nothing to save, reached with the keyboard and a screen reader like any editor. */
export class ReadOnlyText implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: this.changed.event,
    provideTextDocumentContent: (uri) => this.texts.get(uri.path),
  });

  /** `title`: the name on its tab. Showing the same title again replaces the text. */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', '-')}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.provider.dispose();
    this.changed.dispose();
  }
}

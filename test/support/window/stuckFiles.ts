import * as vscode from 'vscode';
import { until } from './editors.js';
import { atEndOfTest } from './endOfTest.js';

/** A file system with one file, as another extension brings it, that leaves some calls unanswered until the test ends. */
export class StuckFiles {
  readonly uri: vscode.Uri;
  hangs: 'stat' | 'readFile' | 'writeFile' | undefined;
  /** Whether a call is unanswered. */
  isAsked = false;
  private release = (): void => undefined;
  private readonly released = new Promise<void>((resolve) => {
    this.release = resolve;
  });

  constructor(
    public content: string,
    name = 'list.jsonc',
  ) {
    // Each test has its own scheme, since VS Code keeps the text of an open file for a while.
    const scheme = `stuck-${crypto.randomUUID()}`;
    this.uri = vscode.Uri.from({ scheme, path: `/folder/${name}` });
    const changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
    const files: vscode.FileSystemProvider = {
      onDidChangeFile: changes.event,
      watch: () => new vscode.Disposable(() => {}),
      stat: (uri) => this.answer('stat', () => this.statOf(uri)),
      readDirectory: () => [[name, vscode.FileType.File]],
      readFile: () => this.answer('readFile', () => Buffer.from(this.content)),
      writeFile: (_, written) => this.answer('writeFile', () => this.keep(written)),
      createDirectory: () => undefined,
      delete: () => undefined,
      rename: () => undefined,
    };
    const registration = vscode.workspace.registerFileSystemProvider(scheme, files);
    const ofTest = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme);
    atEndOfTest(async () => {
      this.answerAll();
      await until('the file to be saved', () => ofTest().every(({ isDirty }) => !isDirty));
      registration.dispose();
    });
  }

  answerAll(): void {
    this.release();
  }

  private async answer<R>(call: NonNullable<typeof this.hangs>, result: () => R): Promise<R> {
    if (this.hangs === call) {
      this.isAsked = true;
      await this.released;
    }
    return result();
  }

  private keep(written: Uint8Array): void {
    this.content = Buffer.from(written).toString();
  }

  private statOf(uri: vscode.Uri): vscode.FileStat {
    const isFile = uri.path === this.uri.path;
    if (!isFile && !this.uri.path.startsWith(uri.path))
      throw vscode.FileSystemError.FileNotFound(uri);
    const type = isFile ? vscode.FileType.File : vscode.FileType.Directory;
    return { type, ctime: 0, mtime: 0, size: Buffer.byteLength(this.content) };
  }
}

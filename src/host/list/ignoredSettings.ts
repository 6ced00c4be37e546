import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import {
  type Ignored,
  ignoredEntries,
  type SettingsText,
} from '../../model/entered/ignoredEntries.js';
import { configurationSection } from '../ids.js';
import type { DeploymentList } from './deploymentList.js';
import { isUntrusted, type ScopeFile, workspaceScopes } from './settingsScope.js';

const maxFileBytes = 1024 * 1024;

/**
 * How many entries of `deployments` and `owners` stand in the files of an untrusted workspace. VS Code hides their
 * values, so the text of the files is read, only to count: no ID, label, or owner is kept. What user settings list,
 * too, is in use, and not ignored. In a trusted window it does nothing.
 */
export class IgnoredSettings extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  private ignored: Ignored = {};
  private hasRead = false;
  /** Of the window, and of the files that it has now. */
  private listener = vscode.Disposable.from();
  private watcher = vscode.Disposable.from();
  /** The number of the read that began last, whose result alone counts. */
  private lastRead = 0;

  constructor(
    private readonly list: Pick<DeploymentList, 'listed' | 'onDidChange'>,
    window: Pick<typeof vscode.window, 'onDidChangeWindowState'> = vscode.window,
  ) {
    super();
    this.hasRead = !isUntrusted();
    if (vscode.workspace.isTrusted) return;
    this.listener = vscode.Disposable.from(
      list.onDidChange(() => void this.read()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.trusted()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.watch()),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.read();
      }),
    );
    this.own({ dispose: () => this.stop() });
    this.watch();
  }

  get current(): Ignored {
    return this.ignored;
  }

  /** Until then a file may have a list, and it is not known that nothing is ignored. */
  get isRead(): boolean {
    return this.hasRead;
  }

  private watch(): void {
    this.watcher.dispose();
    const watchers = filesOfWorkspace().map(({ uri, isWorkspaceFile }) => {
      // As a part of a pattern, a name would need escapes.
      const [folder, pattern] = isWorkspaceFile
        ? ['..', '*.code-workspace']
        : ['../..', '.vscode/settings.json'];
      const base = vscode.Uri.joinPath(uri, folder);
      return vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(base, pattern));
    });
    const read = () => void this.read();
    for (const { onDidChange, onDidCreate, onDidDelete } of watchers) {
      onDidChange(read);
      onDidCreate(read);
      onDidDelete(read);
    }
    this.watcher = vscode.Disposable.from(...watchers);
    read();
  }

  private async read(): Promise<void> {
    this.lastRead++;
    const read = this.lastRead;
    const texts = await Promise.all(filesOfWorkspace().map(readText));
    if (read !== this.lastRead) return;
    const inUse = new Set(this.list.listed.map(({ id }) => id));
    const found = texts.flatMap((text) => text ?? []);
    this.set(ignoredEntries(found, configurationSection, (id) => inUse.has(id)));
  }

  private set(ignored: Ignored): void {
    if (this.hasRead && isDeepStrictEqual(ignored, this.ignored)) return;
    this.hasRead = true;
    this.ignored = ignored;
    this.changed.fire();
  }

  private trusted(): void {
    this.stop();
    this.set({});
  }

  private stop(): void {
    this.lastRead++;
    this.listener.dispose();
    this.watcher.dispose();
  }
}

/** VS Code alone knows the file of a workspace that is not saved yet. */
function filesOfWorkspace(): readonly ScopeFile[] {
  return workspaceScopes().flatMap(({ file }) => file ?? []);
}

/** Resolves with `undefined` where VS Code reads no settings either: there is no such file, or it cannot be read. */
async function readText({
  uri,
  name,
  isWorkspaceFile,
}: ScopeFile): Promise<SettingsText | undefined> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    const isFile = (type & vscode.FileType.File) !== 0;
    if (!isFile) return undefined;
    if (size > maxFileBytes) return { name, isWorkspaceFile, text: undefined };
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { name, isWorkspaceFile, text: new TextDecoder().decode(bytes) };
  } catch {
    return undefined;
  }
}

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
 * Counts the entries of `deployments`, `owners`, and `mutes` in the files of an untrusted
 * workspace, for views and commands that say that they are ignored. VS Code hides the values of
 * these settings, so the text of the files is read, only to count: no ID, label, owner, or reason
 * is kept. Deployments that user settings list too are in use, and not counted. In a trusted window
 * it does nothing.
 */
export class IgnoredSettings extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  private ignored: Ignored = {};
  /** Whether `ignored` is true of the files. In a trusted window nothing is ignored. */
  private isKnown: boolean;
  /** Listens to the window, the list, and the workspace's trust and folders. */
  private listeners = vscode.Disposable.from();
  /** Watches the settings files that the workspace has now. */
  private fileWatchers = vscode.Disposable.from();
  /** The number of the read whose result counts: the last one, none after `stopWatching`. */
  private currentReadNumber = 0;

  constructor(
    private readonly list: Pick<DeploymentList, 'listed' | 'onDidChange'>,
    window: Pick<typeof vscode.window, 'onDidChangeWindowState'> = vscode.window,
  ) {
    super();
    this.isKnown = !isUntrusted();
    if (vscode.workspace.isTrusted) return;
    this.listeners = vscode.Disposable.from(
      list.onDidChange(() => {
        void this.read();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.trustGranted()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.watchFiles()),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.read();
      }),
    );
    this.own({ dispose: () => this.stopWatching() });
    this.watchFiles();
  }

  /** The counts of the last read; empty before the first one has ended. */
  get current(): Ignored {
    return this.ignored;
  }

  /** Whether `current` is known. Before the first read has ended, a file may have a list. */
  get isRead(): boolean {
    return this.isKnown;
  }

  private watchFiles(): void {
    this.fileWatchers.dispose();
    const watchers = filesOfWorkspace().map(watcherOf);
    const read = (): void => {
      void this.read();
    };
    for (const { onDidChange, onDidCreate, onDidDelete } of watchers) {
      onDidChange(read);
      onDidCreate(read);
      onDidDelete(read);
    }
    this.fileWatchers = vscode.Disposable.from(...watchers);
    read();
  }

  private async read(): Promise<void> {
    this.currentReadNumber += 1;
    const readNumber = this.currentReadNumber;
    const texts = await Promise.all(filesOfWorkspace().map(readText));
    if (readNumber !== this.currentReadNumber) return;

    const textsRead = texts.filter((text) => text !== undefined);
    const listedIds = new Set(this.list.listed.map(({ id }) => id));
    this.set(ignoredEntries(textsRead, configurationSection, (id) => listedIds.has(id)));
  }

  private set(ignored: Ignored): void {
    if (this.isKnown && isDeepStrictEqual(ignored, this.ignored)) return;
    this.isKnown = true;
    this.ignored = ignored;
    this.changed.fire();
  }

  private trustGranted(): void {
    this.stopWatching();
    this.set({});
  }

  private stopWatching(): void {
    // Drops the result of a read that has not ended.
    this.currentReadNumber += 1;
    this.listeners.dispose();
    this.fileWatchers.dispose();
  }
}

function watcherOf({ uri, isWorkspaceFile }: ScopeFile): vscode.FileSystemWatcher {
  // As a part of a pattern, the name of a folder or workspace file would need escapes.
  const folder = isWorkspaceFile ? '..' : '../..';
  const pattern = isWorkspaceFile ? '*.code-workspace' : '.vscode/settings.json';
  const base = vscode.Uri.joinPath(uri, folder);
  return vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(base, pattern));
}

/** Leaves out the file of a workspace that is not saved yet: only VS Code knows where it is. */
function filesOfWorkspace(): readonly ScopeFile[] {
  const files = workspaceScopes().map(({ file }) => file);
  return files.filter((file) => file !== undefined);
}

/**
 * Resolves with `undefined` if there is no such file, or it cannot be read: then VS Code reads no
 * settings either.
 */
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

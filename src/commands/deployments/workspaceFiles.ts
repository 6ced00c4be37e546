import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../api/decode.js';
import { Slices } from '../../model/base/slices.js';
import { globsOf, maxGlobs } from '../../model/globs.js';
import { IgnoreFiles, parentOf } from '../../model/ignoreFiles.js';
import { readTextFile } from '../../model/textFile.js';

const maxFileBytes = 1024 * 1024;
/** How many folders are looked through for ignored ones before the search. */
const maxFoldersBefore = 1000;
/** Sorted in a few milliseconds. */
const pathsInChunk = 5000;

/**
 * The files of a workspace folder that VS Code's own search sees. `findFiles` does not apply what
 * `search.exclude` and ignore files say, so this does.
 */
export class WorkspaceFiles {
  /** Patterns of `search.exclude` that are not applied, because of their braces. */
  readonly unreadPatterns: readonly string[];
  private readonly excludes: string[];
  /** Undefined if ignore files are not used. */
  private readonly ignoreFiles: IgnoreFiles | undefined;
  /** By its path, whether a folder is a link or is below one. */
  private readonly linked = new Map<string, Promise<boolean>>();
  /** By how many folders there are above them: the paths of files, in no order. */
  private readonly paths = new Map<number, string[]>();

  constructor(
    private readonly folder: vscode.WorkspaceFolder,
    private readonly slices: Slices,
  ) {
    const search = vscode.workspace.getConfiguration('search', folder.uri);
    const exclude = search.get<unknown>('exclude');
    const patterns = isRecord(exclude)
      ? Object.keys(exclude).filter((pattern) => exclude[pattern] === true)
      : [];
    const { globs, unread } = globsOf(patterns);
    this.unreadPatterns = unread;
    // A comma would separate two patterns of the braces that join them.
    this.excludes = globs.map((glob) => glob.replaceAll(',', '[,]'));
    if (search.get('useIgnoreFiles') !== true) return;
    const useParents = search.get('useParentIgnoreFiles') === true;
    const useGlobal = search.get('useGlobalIgnoreFiles') === true;
    this.ignoreFiles = new IgnoreFiles(folder.uri.fsPath, { useParents, useGlobal });
  }

  get depths(): readonly number[] {
    return [...this.paths.keys()];
  }

  /** Lists the files, before those of ignored folders are left out where that spares VS Code work. */
  async list(cancellation: vscode.CancellationToken): Promise<void> {
    const ignored = await this.ignoredFolders(cancellation);
    const globs = [...this.excludes, ...ignored.map((path) => `${path}/**`)];
    const exclude = globs.length > 1 ? `{${globs.join(',')}}` : globs[0];
    const include = new vscode.RelativePattern(this.folder, '**/*');
    const found = await vscode.workspace.findFiles(include, exclude, undefined, cancellation);
    const rootChars = this.folder.uri.path.replace(/\/$/, '').length + 1;
    for (const { path } of found) {
      const file = path.slice(rootChars);
      const depth = file.split('/').length;
      const paths = this.paths.get(depth);
      if (paths) paths.push(file);
      else this.paths.set(depth, [file]);
      await this.slices.next();
    }
  }

  /** The files that have this depth, by their paths. */
  async *inOrder(depth: number): AsyncGenerator<string> {
    const paths = this.paths.get(depth) ?? [];
    const chunks: string[][] = [];
    for (let start = 0; start < paths.length; start += pathsInChunk) {
      chunks.push(
        paths
          .slice(start, start + pathsInChunk)
          .toSorted()
          .toReversed(),
      );
      await this.slices.next();
    }
    for (let count = 0; count < paths.length; count++) {
      await this.slices.next();
      const first = chunks.reduce((one, other) =>
        isBefore(other.at(-1), one.at(-1)) ? other : one,
      );
      yield first.pop()!;
    }
  }

  uriOf(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder.uri, path);
  }

  /** Undefined if the search does not read the file: it is ignored, a link, not text, too large, or may hold secrets. */
  async read(path: string): Promise<string | undefined> {
    if (basename(path).startsWith('.env')) return undefined;
    if (await this.ignoreFiles?.ignores(path)) return undefined;
    // It is found in this folder, too, where one folder of the workspace is in another.
    const innermost = vscode.workspace.getWorkspaceFolder(this.uriOf(path));
    if (innermost?.index !== this.folder.index) return undefined;
    try {
      if (await this.isLinked(parentOf(path))) return undefined;
      const file = join(this.folder.uri.fsPath, path);
      const found = await lstat(file);
      if (!found.isFile() || found.size > maxFileBytes) return undefined;
      return await readTextFile(file, maxFileBytes);
    } catch {
      return undefined;
    }
  }

  private isLinked(path: string): Promise<boolean> {
    const known = this.linked.get(path);
    if (known) return known;
    const isLinked = this.findLink(path);
    this.linked.set(path, isLinked);
    return isLinked;
  }

  private async findLink(path: string): Promise<boolean> {
    if (path === '') return false;
    if (await this.isLinked(parentOf(path))) return true;
    return (await lstat(join(this.folder.uri.fsPath, path))).isSymbolicLink();
  }

  /** The folders near the root that are ignored as a whole. Others can be ignored, too. */
  private async ignoredFolders(cancellation: vscode.CancellationToken): Promise<readonly string[]> {
    const ignored: string[] = [];
    const waiting = [''];
    for (let at = 0; at < Math.min(waiting.length, maxFoldersBefore); at++) {
      const above = waiting[at]!;
      if (!this.ignoreFiles || cancellation.isCancellationRequested) break;
      const entries = await readdir(join(this.folder.uri.fsPath, above), {
        withFileTypes: true,
      }).catch(() => []);
      for (const entry of entries) {
        if (!entry.isDirectory() || entry.name === '.git') continue;
        const path = above === '' ? entry.name : `${above}/${entry.name}`;
        if (!(await this.ignoreFiles.ignoresFolder(path))) waiting.push(path);
        else if (isPlain(path) && this.excludes.length + ignored.length < maxGlobs)
          ignored.push(path);
      }
    }
    return ignored;
  }
}

function isBefore(path: string | undefined, other: string | undefined): boolean {
  return path !== undefined && (other === undefined || path < other);
}

/** Whether a path means the same as a glob. */
function isPlain(path: string): boolean {
  return /^[\p{L}\p{N}_./@+ -]+$/u.test(path);
}

import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../api/decode.js';
import { Slices } from '../../model/base/slices.js';
import { globsOf, maxGlobs } from '../../model/globs.js';
import { IgnoreFiles, parentOf } from '../../model/ignoreFiles.js';
import { readTextFile } from '../../model/textFile.js';

const maxFileBytes = 1024 * 1024;
/** In so many folders, subfolders are checked for being ignored before VS Code lists the files. */
const maxFoldersChecked = 1000;
/** Few enough to be sorted in a few milliseconds. */
const pathsInChunk = 5000;

/**
 * The files of one workspace folder that VS Code's own search sees. `findFiles` does not apply
 * `search.exclude` and ignore files, so this class does. The command Find Deployments in Workspace
 * makes one for each folder, lists its files, and reads them one after the other.
 *
 * Paths are relative to the folder, with `/` between their parts.
 */
export class WorkspaceFiles {
  /** Patterns of `search.exclude` that are not applied, because of their braces. */
  readonly unreadPatterns: readonly string[];
  private readonly excludes: readonly string[];
  /** `undefined` if the user's settings do not use ignore files. */
  private readonly ignoreFiles: IgnoreFiles | undefined;
  /** By the path of a folder: whether it is a link or is below a link. */
  private readonly linkedFolders = new Map<string, Promise<boolean>>();
  /** By depth (1 in the workspace folder itself): the paths of files, in no order. */
  private readonly pathsByDepth = new Map<number, string[]>();

  constructor(
    private readonly folder: vscode.WorkspaceFolder,
    private readonly slices: Slices,
  ) {
    const search = vscode.workspace.getConfiguration('search', folder.uri);
    const { globs, unread } = globsOf(excludePatterns(search));
    this.unreadPatterns = unread;
    // In the braces that join the patterns, a comma would separate two patterns.
    this.excludes = globs.map((glob) => glob.replaceAll(',', '[,]'));
    this.ignoreFiles = ignoreFilesOf(folder, search);
  }

  get depths(): readonly number[] {
    return [...this.pathsByDepth.keys()];
  }

  /**
   * Lists the files for `depths` and `sortedPaths`. Ignored files may be among them: only folders
   * near the root that are ignored as a whole are left out, which spares VS Code work.
   */
  async list(cancellation: vscode.CancellationToken): Promise<void> {
    const ignored = await this.ignoredFolders(cancellation);
    const globs = [...this.excludes, ...ignored.map((path) => `${path}/**`)];
    const exclude = globs.length > 1 ? `{${globs.join(',')}}` : globs[0];
    const include = new vscode.RelativePattern(this.folder, '**/*');
    const uris = await vscode.workspace.findFiles(include, exclude, undefined, cancellation);

    const rootChars = this.folder.uri.path.replace(/\/$/, '').length + 1;
    for (const uri of uris) {
      const path = uri.path.slice(rootChars);
      const depth = path.split('/').length;
      const paths = this.pathsByDepth.get(depth);
      if (paths) paths.push(path);
      else this.pathsByDepth.set(depth, [path]);
      await this.slices.next();
    }
  }

  /** Yields the paths of this depth in ascending order. */
  async *sortedPaths(depth: number): AsyncGenerator<string> {
    const paths = this.pathsByDepth.get(depth) ?? [];
    // Sorting all paths at once would block the editor, so chunks are sorted, and then merged. Each
    // chunk is in descending order, so that `pop` takes its first path.
    const chunks: string[][] = [];
    for (let start = 0; start < paths.length; start += pathsInChunk) {
      const chunk = paths.slice(start, start + pathsInChunk);
      chunks.push(chunk.toSorted().toReversed());
      await this.slices.next();
    }
    for (let count = 0; count < paths.length; count++) {
      await this.slices.next();
      const chunk = chunks.reduce((first, other) =>
        isBefore(other.at(-1), first.at(-1)) ? other : first,
      );
      yield chunk.pop()!;
    }
  }

  uriOf(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder.uri, path);
  }

  /**
   * Resolves with `undefined` if the search does not read the file: it is ignored, a link, no
   * text, not readable, too large, in another workspace folder, or may hold secrets.
   */
  async read(path: string): Promise<string | undefined> {
    if (basename(path).startsWith('.env')) return undefined;
    if (await this.ignoreFiles?.ignores(path)) return undefined;
    // A file of a workspace folder within this one is read by the WorkspaceFiles of that folder.
    const innermostFolder = vscode.workspace.getWorkspaceFolder(this.uriOf(path));
    if (innermostFolder?.index !== this.folder.index) return undefined;
    try {
      if (await this.isLinked(parentOf(path))) return undefined;
      const file = join(this.folder.uri.fsPath, path);
      const stats = await lstat(file);
      if (!stats.isFile() || stats.size > maxFileBytes) return undefined;
      return await readTextFile(file, maxFileBytes);
    } catch {
      return undefined;
    }
  }

  /** Whether a folder is a link or is below a link. Each folder is looked up once. */
  private isLinked(path: string): Promise<boolean> {
    const lookedUp = this.linkedFolders.get(path);
    if (lookedUp) return lookedUp;
    const isLinked = this.lookUpLink(path);
    this.linkedFolders.set(path, isLinked);
    return isLinked;
  }

  private async lookUpLink(path: string): Promise<boolean> {
    if (path === '') return false;
    if (await this.isLinked(parentOf(path))) return true;
    const stats = await lstat(join(this.folder.uri.fsPath, path));
    return stats.isSymbolicLink();
  }

  /**
   * Returns the folders near the root that are ignored as a whole. Other folders may be ignored as
   * well: only those directly in the first `maxFoldersChecked` are checked, nearest first, and at
   * most `maxGlobs` globs are made.
   */
  private async ignoredFolders(cancellation: vscode.CancellationToken): Promise<readonly string[]> {
    const { ignoreFiles } = this;
    if (!ignoreFiles) return [];
    const ignored: string[] = [];
    const folders = [''];
    for (let index = 0; index < Math.min(folders.length, maxFoldersChecked); index++) {
      if (cancellation.isCancellationRequested) break;
      const parent = folders[index]!;
      const entries = await readdir(join(this.folder.uri.fsPath, parent), {
        withFileTypes: true,
      }).catch(() => []);
      const subfolders = entries.filter((entry) => entry.isDirectory() && entry.name !== '.git');
      for (const { name } of subfolders) {
        const path = parent === '' ? name : `${parent}/${name}`;
        const isIgnored = await ignoreFiles.ignoresFolder(path);
        const hasRoom = this.excludes.length + ignored.length < maxGlobs;
        if (!isIgnored) folders.push(path);
        else if (hasRoom && isLiteralGlob(path)) ignored.push(path);
      }
    }
    return ignored;
  }
}

/** The patterns of `search.exclude` that are turned on. */
function excludePatterns(search: vscode.WorkspaceConfiguration): readonly string[] {
  const exclude = search.get<unknown>('exclude');
  if (!isRecord(exclude)) return [];
  return Object.keys(exclude).filter((pattern) => exclude[pattern] === true);
}

/** `undefined` if the settings say that VS Code's search does not use ignore files. */
function ignoreFilesOf(
  { uri }: vscode.WorkspaceFolder,
  search: vscode.WorkspaceConfiguration,
): IgnoreFiles | undefined {
  if (search.get('useIgnoreFiles') !== true) return undefined;
  return new IgnoreFiles(uri.fsPath, {
    useParents: search.get('useParentIgnoreFiles') === true,
    useGlobal: search.get('useGlobalIgnoreFiles') === true,
  });
}

/** Whether the path comes before the other one. `undefined`, the end of a chunk, comes last. */
function isBefore(path: string | undefined, other: string | undefined): boolean {
  if (path === undefined) return false;
  return other === undefined || path < other;
}

/** Whether this path, taken as a glob, matches only itself, as "src/node_modules" does. */
function isLiteralGlob(path: string): boolean {
  return /^[\p{L}\p{N}_./@+ -]+$/u.test(path);
}

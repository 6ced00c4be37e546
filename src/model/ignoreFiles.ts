import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readRegularFile } from './regularFile.js';

const maxFileBytes = 1024 * 1024;

/** The rules of one ignore file. */
interface FileRules {
  /** The folder whose files the rules are for, with `/` at its end. */
  readonly base: string;
  readonly rules: Ignore;
}

/** The rules that apply in a folder. In each list, the rules of deeper folders come first. */
interface FolderRules {
  readonly rgignore: readonly FileRules[];
  readonly ignore: readonly FileRules[];
  /**
   * Those of folders above a nested repository, too, as in VS Code's search; git reads none of
   * these.
   */
  readonly gitignore: readonly FileRules[];
  /** Of the repository: `.git/info/exclude`. */
  readonly exclude: readonly FileRules[];
  /** Of the user. */
  readonly global: readonly FileRules[];
}

/** As VS Code's settings `search.useParentIgnoreFiles` and `search.useGlobalIgnoreFiles`. */
export interface IgnoreOptions {
  readonly useParents: boolean;
  readonly useGlobal: boolean;
}

/**
 * Decides which files of a folder ignore files leave out, as VS Code's search does. The search of a
 * workspace asks it for each file and folder. It reads the ignore files of each folder once, when
 * it is asked about something there, and none in an ignored folder, so that nothing in it can be
 * brought back. Paths are relative to the folder, with `/`.
 */
export class IgnoreFiles {
  private readonly root: string;
  /** By the path of a folder; resolves with `undefined` if the folder is ignored. */
  private readonly rulesByFolder = new Map<string, Promise<FolderRules | undefined>>();

  /** `root`: the absolute path of the folder. */
  constructor(
    root: string,
    private readonly options: IgnoreOptions,
  ) {
    this.root = withSlashes(root);
  }

  async ignores(file: string): Promise<boolean> {
    const rules = await this.rulesIn(parentOf(file));
    return rules === undefined || isIgnored(rules, `${this.root}/${file}`);
  }

  /** Does not read the ignore files of the folder itself. */
  async ignoresFolder(folder: string): Promise<boolean> {
    const rules = await this.rulesIn(parentOf(folder));
    return rules === undefined || isIgnored(rules, `${this.root}/${folder}/`);
  }

  /** Resolves with `undefined` if the folder is ignored. */
  private rulesIn(folder: string): Promise<FolderRules | undefined> {
    const known = this.rulesByFolder.get(folder);
    if (known) return known;
    const rules = folder === '' ? this.rulesOfRoot() : this.rulesOfFolder(folder);
    this.rulesByFolder.set(folder, rules);
    return rules;
  }

  private async rulesOfFolder(folder: string): Promise<FolderRules | undefined> {
    const rulesAbove = await this.rulesIn(parentOf(folder));
    const path = `${this.root}/${folder}`;
    if (rulesAbove === undefined || isIgnored(rulesAbove, `${path}/`)) return undefined;
    return withFilesOf(path, rulesAbove);
  }

  /**
   * The user has opened this folder, so that it is not ignored, whatever the ignore files above it
   * say.
   */
  private async rulesOfRoot(): Promise<FolderRules> {
    const { useParents, useGlobal } = this.options;
    let rules: FolderRules = { rgignore: [], ignore: [], gitignore: [], exclude: [], global: [] };
    const parentNames = useParents ? this.root.split('/').slice(0, -1) : [];
    for (const depth of parentNames.keys()) {
      const path = parentNames.slice(0, depth + 1).join('/');
      rules = await withFilesOf(path, rules);
    }
    rules = await withFilesOf(this.root, rules);
    if (!useGlobal) return rules;
    const global = await readRules(await globalIgnoreFile(), this.root);
    return { ...rules, global };
  }
}

/** On Windows, "C:/web" for "C:\web\". */
function withSlashes(path: string): string {
  const withForwardSlashes = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return withForwardSlashes.replace(/\/$/, '');
}

/** "src" for "src/a.ts", and "" for "a.ts". */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * The first file with a rule for the path decides. `path`: absolute, with `/` at its end if it is a
 * folder.
 */
function isIgnored(folderRules: FolderRules, path: string): boolean {
  for (const { base, rules } of inOrder(folderRules)) {
    const { ignored, unignored } = rules.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** Returns the rules of all files, those first that count first. */
function inOrder(rules: FolderRules): readonly FileRules[] {
  return [
    ...rules.rgignore,
    ...rules.ignore,
    ...rules.gitignore,
    ...rules.exclude,
    ...rules.global,
  ];
}

/** Adds the ignore files of a folder, which is not ignored, to the rules that apply above it. */
async function withFilesOf(folder: string, above: FolderRules): Promise<FolderRules> {
  for (const rules of inOrder(above)) keepFolder(rules, folder);
  const [rgignore, ignored, gitignore, exclude] = await Promise.all([
    readRules(`${folder}/.rgignore`, folder),
    readRules(`${folder}/.ignore`, folder),
    readRules(`${folder}/.gitignore`, folder),
    repositoryRules(folder),
  ]);
  return {
    rgignore: [...rgignore, ...above.rgignore],
    ignore: [...ignored, ...above.ignore],
    gitignore: [...gitignore, ...above.gitignore],
    exclude: [...exclude, ...above.exclude],
    global: above.global,
  };
}

/**
 * Makes an exception for a folder in rules that ignore it, if other rules have brought the folder
 * back, or the user opened it. The package `ignore` would ignore everything in the folder.
 */
function keepFolder({ base, rules }: FileRules, folder: string): void {
  const relative = folder.slice(base.length);
  if (!rules.test(`${relative}/`).ignored) return;
  const escaped = relative.replace(/[\\*?[\] ]/g, '\\$&');
  rules.add(`!/${escaped}/`);
}

/**
 * Resolves with one element, or none if the file is empty, too large, or cannot be read. `folder`:
 * where the rules apply.
 */
async function readRules(file: string, folder: string): Promise<readonly FileRules[]> {
  const text = await readText(file);
  if (text === '') return [];
  // As VS Code and git by default.
  const ignoreCase = process.platform !== 'linux';
  return [{ base: `${folder}/`, rules: ignore({ ignoreCase }).add(text) }];
}

/** Resolves with `''` if the file cannot be read, or if it is too large. */
async function readText(file: string): Promise<string> {
  try {
    const content = await readRegularFile(file, maxFileBytes);
    return typeof content === 'string' ? '' : content.toString('utf8');
  } catch {
    return '';
  }
}

/**
 * Resolves with the rules of `info/exclude` of the repository that begins in this folder, with none
 * if none begins there.
 */
async function repositoryRules(folder: string): Promise<readonly FileRules[]> {
  const git = `${folder}/.git`;
  try {
    const isRepository = (await stat(git)).isDirectory();
    if (isRepository) return await readRules(`${git}/info/exclude`, folder);
  } catch {
    return [];
  }
  // In a worktree or a submodule, `.git` is a file that names the folder with its data:
  // "gitdir: ../.git/worktrees/web".
  const target = /^gitdir: (.+)/.exec(await readText(git))?.[1]?.trim();
  if (target === undefined) return [];
  const dataFolder = resolve(folder, target);
  // A worktree shares `info/exclude` with its repository. A submodule has its own.
  const commonFolder = (await readText(`${dataFolder}/commondir`)).trim();
  return readRules(`${resolve(dataFolder, commonFolder)}/info/exclude`, folder);
}

/** `excludesFile = "~/.gitignore"` in a configuration of git. */
const excludesFileLine = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im;

/** Resolves with the path that `core.excludesFile` names, or with git's default. */
async function globalIgnoreFile(): Promise<string> {
  const { XDG_CONFIG_HOME = `${homedir()}/.config` } = process.env;
  const configs = [`${homedir()}/.gitconfig`, `${XDG_CONFIG_HOME}/git/config`];
  for (const config of configs) {
    const path = excludesFileLine.exec(await readText(config))?.[1];
    if (path !== undefined) return path.replace(/^~(?=\/)/, () => homedir());
  }
  return `${XDG_CONFIG_HOME}/git/ignore`;
}

import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readRegularFile } from './regularFile.js';

const maxFileBytes = 1024 * 1024;

/** The rules of one file, for the paths below `base`, which ends with `/`. */
interface Rules {
  readonly base: string;
  readonly rules: Ignore;
}

/** What applies in a folder. In each list, the rules of deeper folders come first. */
interface FolderRules {
  readonly rgignore: readonly Rules[];
  readonly ignore: readonly Rules[];
  /** Also of folders above a nested repository, as in VS Code's search; git reads none of those. */
  readonly gitignore: readonly Rules[];
  /** Of the repository: `.git/info/exclude`. */
  readonly exclude: readonly Rules[];
  /** Of the user. */
  readonly global: readonly Rules[];
}

/** As VS Code's settings `search.useParentIgnoreFiles` and `search.useGlobalIgnoreFiles`. */
export interface IgnoreOptions {
  readonly useParents: boolean;
  readonly useGlobal: boolean;
}

/**
 * Tells what ignore files leave out of a folder, as VS Code's search does. Reads those of each
 * folder once, when it is asked about something there, and none in an ignored folder, so that
 * nothing in it can be brought back. Paths are relative to the folder, with `/`.
 */
export class IgnoreFiles {
  private readonly root: string;
  /** By the path of a folder; `undefined` if it is ignored. */
  private readonly folders = new Map<string, Promise<FolderRules | undefined>>();

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

  /** Does not read the ignore files in it. */
  async ignoresFolder(folder: string): Promise<boolean> {
    const above = await this.rulesIn(parentOf(folder));
    return above === undefined || isIgnored(above, `${this.root}/${folder}/`);
  }

  private rulesIn(folder: string): Promise<FolderRules | undefined> {
    const known = this.folders.get(folder);
    if (known) return known;
    const rules = folder === '' ? this.rulesOfRoot() : this.rulesOfFolder(folder);
    this.folders.set(folder, rules);
    return rules;
  }

  private async rulesOfFolder(folder: string): Promise<FolderRules | undefined> {
    const above = await this.rulesIn(parentOf(folder));
    const path = `${this.root}/${folder}`;
    return above && !isIgnored(above, `${path}/`) ? rulesBelow(above, path) : undefined;
  }

  /** The user has opened this folder, so that it is not ignored, whatever its parents say. */
  private async rulesOfRoot(): Promise<FolderRules> {
    const { useParents, useGlobal } = this.options;
    let rules: FolderRules = { rgignore: [], ignore: [], gitignore: [], exclude: [], global: [] };
    const parents = useParents ? this.root.split('/').slice(0, -1) : [];
    for (const at of parents.keys()) {
      const path = parents.slice(0, at + 1).join('/');
      rules = await rulesBelow(rules, path);
    }
    rules = await rulesBelow(rules, this.root);
    return useGlobal
      ? { ...rules, global: await readRules(await globalIgnoreFile(), this.root) }
      : rules;
  }
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', process.platform === 'win32' ? '/' : '\\').replace(/\/$/, '');
}

/** "src" for "src/a.ts", and "" for "a.ts". */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The first rules that name a path count, which ends with `/` if it is a folder. */
function isIgnored(rules: FolderRules, path: string): boolean {
  for (const { base, rules: one } of inOrder(rules)) {
    const { ignored, unignored } = one.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function inOrder(rules: FolderRules): readonly Rules[] {
  return [
    ...rules.rgignore,
    ...rules.ignore,
    ...rules.gitignore,
    ...rules.exclude,
    ...rules.global,
  ];
}

/** Adds the ignore files of a folder, which is not ignored. */
async function rulesBelow(above: FolderRules, path: string): Promise<FolderRules> {
  for (const rules of inOrder(above)) keepFolder(rules, path);
  const [rgignore, ignored, gitignore, exclude] = await Promise.all([
    readRules(`${path}/.rgignore`, path),
    readRules(`${path}/.ignore`, path),
    readRules(`${path}/.gitignore`, path),
    repositoryRules(path),
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
 * Other rules have brought this folder back, or the user opened it. To the package `ignore`, what is
 * in an ignored folder is ignored, too, so these rules get an exception.
 */
function keepFolder({ base, rules }: Rules, path: string): void {
  const folder = path.slice(base.length);
  if (!rules.test(`${folder}/`).ignored) return;
  rules.add(`!/${folder.replace(/[\\*?[\] ]/g, '\\$&')}/`);
}

async function readRules(file: string, folder: string): Promise<readonly Rules[]> {
  const text = await readText(file);
  if (text === '') return [];
  // As VS Code and git by default.
  const ignoreCase = process.platform !== 'linux';
  return [{ base: `${folder}/`, rules: ignore({ ignoreCase }).add(text) }];
}

/** Empty if there is no such file. */
async function readText(file: string): Promise<string> {
  try {
    const content = await readRegularFile(file, maxFileBytes);
    return typeof content === 'string' ? '' : content.toString('utf8');
  } catch {
    return '';
  }
}

/** Of the repository that begins in this folder, if one does. */
async function repositoryRules(folder: string): Promise<readonly Rules[]> {
  const git = `${folder}/.git`;
  try {
    if ((await stat(git)).isDirectory()) return await readRules(`${git}/info/exclude`, folder);
  } catch {
    return [];
  }
  // A worktree shares this file with its repository. A submodule has its own.
  const target = /^gitdir: (.+)/.exec(await readText(git))?.[1]?.trim();
  if (target === undefined) return [];
  const own = resolve(folder, target);
  const common = (await readText(`${own}/commondir`)).trim();
  return readRules(`${resolve(own, common)}/info/exclude`, folder);
}

/** The file that `core.excludesFile` names, or git's default. */
async function globalIgnoreFile(): Promise<string> {
  const { XDG_CONFIG_HOME = `${homedir()}/.config` } = process.env;
  const configs = [`${homedir()}/.gitconfig`, `${XDG_CONFIG_HOME}/git/config`];
  for (const config of configs) {
    const name = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(await readText(config))?.[1];
    if (name !== undefined) return name.replace(/^~(?=\/)/, () => homedir());
  }
  return `${XDG_CONFIG_HOME}/git/ignore`;
}

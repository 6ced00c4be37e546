import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep, win32 } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { lastUpTo } from '../api/binarySearch.js';
import { isRecord } from '../api/decode.js';
import { listText, numberText } from '../host/text/format.js';
import { mergeEntries, readEntry } from '../model/entered/listEntries.js';
import { maxOwnerChars, readOwners } from '../model/entered/owners.js';
import { propertiesOf, settingNode } from '../model/entered/settingsText.js';
import type { ListedDeployment } from '../model/findings/deployment.js';
import { type NoContent, readRegularFile } from '../model/regularFile.js';
import { decodeTextFile } from '../model/textFile.js';
import { isWorkspaceFile, settingsFile, workspaceFiles } from './defaultFiles.js';
import type { Exit } from './exit.js';
import { RefusedCheck } from './refusal.js';

const section = 'automationPlatform';
const parseOptions = { allowTrailingComma: true, allowEmptyContent: true };
/** A settings file with 10,000 deployments has about 1 MB. */
const maxFileMegabytes = 4;
/** How many sentences there are at most about the entries, and about the owners, of one file. */
const maxMalformed = 100;
/** How many values of a file are read before timers and signals have their turn. */
const valuesPerTurn = 1000;
const noContentReasons: Readonly<Record<NoContent, string>> = {
  notRegular: 'is not a regular file',
  tooLarge: `is larger than ${maxFileMegabytes} MB`,
};

/** Where an entry stands in a file. */
export interface EntryPosition {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** "deploy/list.txt:3:5" */
export function positionText({ file, line, column }: EntryPosition): string {
  return `${file}:${line}:${column}`;
}

interface ListOptions {
  readonly exit: Pick<Exit, 'trackFileWork'>;
  /** Replaces the token in a text. */
  readonly redact: (text: string) => string;
  /** `false` if only the owners of the files are wanted. */
  readonly takesEntries?: boolean;
}

/** The owners that one settings file names, by the ID of an account, deployment, or service. */
type OwnersById = ReadonlyMap<string, string>;

/**
 * The deployments to check, where their entries stand, who owns them, and what could not be read.
 * main.ts makes one and reads it once.
 */
export class List {
  /** Each ID once; empty until all is read. */
  listed: readonly ListedDeployment[] = [];
  /** By deployment ID; only of entries in files. */
  readonly positions = new Map<string, EntryPosition>();
  /** Those of each settings file that was read, in the order in which they count. */
  readonly owners: OwnersById[] = [];
  /** The files that name an owner. */
  private readonly filesWithOwners: string[] = [];
  /**
   * The settings files from which owners were taken, although the list is not from there;
   * `undefined` if there are none.
   */
  settingsFrom: readonly string[] | undefined;
  /** Sentences that say why entries may be missing, without the token. */
  readonly errors: string[] = [];
  /** How many of these sentences say of a file that it lists no deployments. */
  filesWithoutEntries = 0;
  /** Sentences about what is left out, and may be: an owner, or a folder that no CI has. */
  readonly notes: string[] = [];
  /** The usable entries: IDs, or objects with an ID and a label. */
  private readonly entries: unknown[] = [];
  /** Whether one of the files that were read holds settings. */
  private hasReadSettings = false;

  constructor(private readonly options: ListOptions) {}

  /** "Owners are read from .vscode/settings.json."; `undefined` without `settingsFrom`. */
  get settingsText(): string | undefined {
    const { settingsFrom } = this;
    return settingsFrom && `Owners are read from ${listText(settingsFrom)}.`;
  }

  /**
   * Reads the IDs and files of the arguments, or without any the settings of the current folder.
   * Rejects with `RefusedCheck` if one of the files does not exist.
   */
  async read(ids: readonly string[], files: readonly string[]): Promise<void> {
    for (const id of ids) {
      const problem = this.addEntry(id);
      if (problem !== undefined) this.reportError(problem);
    }
    for (const file of files) {
      const exists = await this.readFile(file, (text) => this.addListOf(file, text));
      if (!exists) throw new RefusedCheck(3, `${file} does not exist.`);
    }
    const isFromArguments = ids.length > 0 || files.length > 0;
    if (!isFromArguments) await this.readDefaultFiles();
    else if (!this.hasReadSettings) await this.readOwnersOfDefaultFiles();
    this.listed = mergeEntries([this.entries]);
  }

  /** Never rejects: a file that cannot be read names no owners, and is no part of the list. */
  private async readOwnersOfDefaultFiles(): Promise<void> {
    const settings = new List({ ...this.options, takesEntries: false });
    try {
      await settings.readDefaultFiles();
    } catch (error) {
      this.notes.push(`The settings of this folder were not read (${reasonOf(error)}).`);
    }
    this.owners.push(...settings.owners);
    this.notes.push(...settings.notes, ...settings.errors);
    const { filesWithOwners } = settings;
    if (filesWithOwners.length > 0) this.settingsFrom = filesWithOwners;
  }

  /**
   * Reads in the order in which labels and owners count in VS Code: the folders of a workspace file
   * as it names them, then the workspace file. The settings of the current folder come first if no
   * workspace file names it.
   */
  private async readDefaultFiles(): Promise<void> {
    const workspaces = await this.readWorkspaces();
    const isNamed = workspaces.some(({ settingsFiles }) => settingsFiles.includes(settingsFile));
    const settingsFilesRead = new Set<string>();
    const readOnce = async (file: string): Promise<void> => {
      if (settingsFilesRead.has(file)) return;
      settingsFilesRead.add(file);
      await this.readFile(file);
    };
    if (!isNamed) await readOnce(settingsFile);
    for (const { file, text, settingsFiles } of workspaces) {
      for (const named of settingsFiles) await readOnce(named);
      await this.addEntriesOf(file, text);
    }
  }

  /** Resolves with the workspace files of the current folder that can be read, by name. */
  private async readWorkspaces(): Promise<readonly Workspace[]> {
    const workspaces: Workspace[] = [];
    for (const file of await this.track(workspaceFiles())) {
      await this.readFile(file, async (text) => {
        const settingsFiles = await this.settingsFilesOfFolders(file, text);
        workspaces.push({ file, text, settingsFiles });
      });
    }
    return workspaces;
  }

  /**
   * Resolves with the settings files of the folders that a workspace file names by a relative path,
   * whether or not the folders have such a file.
   */
  private async settingsFilesOfFolders(
    workspaceFile: string,
    text: string,
  ): Promise<readonly string[]> {
    const positionAt = positionsIn(workspaceFile, text);
    const files: string[] = [];
    for (const { offset, path } of foldersIn(text)) {
      const position = positionAt(offset);
      if (path === undefined || win32.isAbsolute(path)) {
        this.notes.push(
          `${positionText(position)}: The settings of this folder were not read, because its path is not relative.`,
        );
        continue;
      }
      const problem = await this.track(folderProblem(path || '.'));
      // The path of the current folder becomes empty, however it is spelled.
      const settings = join(relative('', path), settingsFile).replaceAll(sep, '/');
      if (problem === undefined) files.push(settings);
      else this.reportError(`${problem}, so its settings were not read.`, position);
    }
    return files;
  }

  /**
   * Reads a file and gives its text to `useText`. Resolves with `false` if there is no such file,
   * else with `true`; reports why it could not be read.
   */
  private async readFile(
    file: string,
    useText: (text: string) => Promise<unknown> = (text) => this.addEntriesOf(file, text),
  ): Promise<boolean> {
    try {
      const content = await this.track(readRegularFile(file, maxFileMegabytes * 1024 * 1024));
      if (typeof content === 'string') {
        this.reportError(`${file} ${noContentReasons[content]}, so it was not read.`);
        return true;
      }
      const text = this.decode(file, content);
      if (text !== undefined) await useText(text);
    } catch (error) {
      if (isMissing(error) && !(await this.track(isBehindBrokenLink(file)))) return false;
      this.reportError(unreadText(file, error));
    }
    return true;
  }

  /** Returns `undefined` for a text that cannot be decoded, after it is reported. */
  private decode(file: string, content: Buffer): string | undefined {
    const text = decodeTextFile(content);
    if (!text.includes('\0')) return text;
    // The file is UTF-16 without a byte order mark.
    this.reportError(`${file} contains NUL characters, so it was not read. Save it as UTF-8.`);
    return undefined;
  }

  private track<T>(fileWork: Promise<T>): Promise<T> {
    return this.options.exit.trackFileWork(fileWork);
  }

  /** Reports a file that should list deployments and does not. Default files may do without. */
  private async addListOf(file: string, text: string): Promise<void> {
    const emptyReason = await this.addEntriesOf(file, text);
    if (emptyReason === undefined) return;
    this.filesWithoutEntries += 1;
    this.reportError(`${file} ${emptyReason}.`);
  }

  /**
   * Resolves with "lists no deployments: it has no automationPlatform.deployments" for a file
   * without a list; with `undefined` for other files.
   */
  private async addEntriesOf(file: string, text: string): Promise<string | undefined> {
    const positionAt = positionsIn(file, text);
    if (!isSettingsText(file, text)) {
      await this.addEntries(file, linesIn(text), positionAt);
      const hasLine = /\S/.test(text);
      return hasLine ? undefined : 'lists no deployments';
    }
    this.hasReadSettings = true;
    const hasList = await this.addSettings(file, text, positionAt);
    if (hasList) return undefined;
    const whatHasNone = isWorkspaceFile(file) ? 'its settings have' : 'it has';
    return `lists no deployments: ${whatHasNone} no ${section}.deployments`;
  }

  /** Resolves with whether there is a list, or may be one in what is not valid JSON. */
  private async addSettings(file: string, text: string, positionAt: PositionAt): Promise<boolean> {
    const { takesEntries = true } = this.options;
    const parseErrors: ParseError[] = [];
    const root = parseTree(text, parseErrors, parseOptions);
    const [firstError] = parseErrors;
    if (firstError) {
      this.reportError(
        `This is not valid JSON, so ${takesEntries ? 'entries' : 'owners'} may be missing.`,
        positionAt(firstError.offset),
      );
    }

    // As in VS Code, the settings of a workspace file are those below `settings` only.
    const settings = isWorkspaceFile(file) ? propertiesOf(root).get('settings') : root;
    await this.addOwners(file, settingNode(settings, { section, key: 'owners' }), positionAt);
    const list = settingNode(settings, { section, key: 'deployments' });
    if (takesEntries && list) await this.addEntriesOfSetting(file, list, positionAt);
    return firstError !== undefined || list !== undefined;
  }

  /** `list`: the value of the setting `deployments` in a file. */
  private async addEntriesOfSetting(
    file: string,
    list: Node,
    positionAt: PositionAt,
  ): Promise<void> {
    if (list.type === 'array') {
      await this.addEntries(file, valuesIn(list), positionAt);
    } else {
      this.reportError(`${section}.deployments is not a list.`, positionAt(list.offset));
    }
  }

  /** Reports the malformed ones among the entries of a file. */
  private async addEntries(
    file: string,
    entries: Iterable<PlacedValue>,
    positionAt: PositionAt,
  ): Promise<void> {
    let malformedCount = 0;
    for await (const { value, offset } of inTurns(entries)) {
      const problem = this.addEntry(value, () => positionAt(offset));
      if (problem === undefined) continue;
      malformedCount += 1;
      if (malformedCount <= maxMalformed) this.reportError(problem, positionAt(offset));
    }
    const moreCount = malformedCount - maxMalformed;
    if (moreCount > 0) this.reportError(moreMalformedText(moreCount, 'entry', file));
  }

  /** `table`: the value of the setting `owners` in a file; `undefined` if it has none. */
  private async addOwners(
    file: string,
    table: Node | undefined,
    positionAt: PositionAt,
  ): Promise<void> {
    if (!table) return;
    const { owners, malformed } = readOwners(getNodeValue(table));
    const nodes = propertiesOf(table);
    for (const id of malformed.slice(0, maxMalformed)) {
      const { offset } = nodes.get(id ?? '') ?? table;
      this.notes.push(`${positionText(positionAt(offset))}: ${malformedOwnerText(id)}`);
    }
    const moreCount = malformed.length - maxMalformed;
    if (moreCount > 0) this.notes.push(moreMalformedText(moreCount, 'owner', file));
    if (owners.size === 0) return;

    const redactedOwners = new Map<string, string>();
    for await (const [id, owner] of inTurns(owners))
      redactedOwners.set(id, this.options.redact(owner));
    this.filesWithOwners.push(file);
    this.owners.push(redactedOwners);
  }

  /**
   * Adds an entry, or returns why it is not usable. `findPosition` is called for the first entry of
   * an ID.
   */
  private addEntry(value: unknown, findPosition?: () => EntryPosition): string | undefined {
    const enteredId = isRecord(value) ? value['id'] : value;
    if (typeof enteredId === 'string' && /\p{Cc}/u.test(enteredId))
      return 'This contains a control character, so it is not sent as an ID.';
    const entry = readEntry(value);
    if (!entry) return 'This is neither an ID nor { "id": "...", "label": "..." }.';
    const { id, label } = entry;
    const { redact } = this.options;
    if (redact(id) !== id) return 'This contains the token, so it is not sent as an ID.';
    if (id.includes('\uFFFD'))
      return 'This contains bytes that are not UTF-8, so it is not sent as an ID.';

    this.entries.push(label === undefined ? id : { id, label: redact(label) });
    if (findPosition && !this.positions.has(id)) this.positions.set(id, findPosition());
    return undefined;
  }

  /** "deploy/list.txt:3:5: This contains the token, so it is not sent as an ID." */
  private reportError(sentence: string, position?: EntryPosition): void {
    const placed = position ? `${positionText(position)}: ${sentence}` : sentence;
    // Redacted here, because the summary cuts it: a token that is cut would not be found.
    this.errors.push(this.options.redact(placed));
  }
}

/** `id`: the key of the malformed owner; `undefined` if the whole setting is malformed. */
function malformedOwnerText(id: string | undefined): string {
  if (id === undefined) return `${section}.owners is not an object, so it names no owners.`;
  if (id.trim() === '') return 'This is no owner, because its ID is blank.';
  return `This is no owner, because it is not a text of 1 to ${maxOwnerChars} characters.`;
}

/** "list.json was not read (EACCES: permission denied)." */
function unreadText(file: string, error: unknown): string {
  if (isMissing(error))
    return `${file} is a link to a file that does not exist, so it was not read.`;
  // The parser calls itself for each level, until the stack of calls is full.
  if (error instanceof RangeError) return `${file} is nested too deeply, so it was not read.`;
  return `${file} was not read (${reasonOf(error)}).`;
}

/** Node's message without what Node did: `EACCES: permission denied, open 'list.txt'`. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, .*/s, '');
}

/** Whether Node has found no such file or folder. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Whether a missing file, or its folder, is a link to what does not exist. */
async function isBehindBrokenLink(file: string): Promise<boolean> {
  const areLinks = await Promise.all([file, dirname(file)].map(isBrokenLink));
  return areLinks.includes(true);
}

async function isBrokenLink(path: string): Promise<boolean> {
  const [link, target] = await Promise.allSettled([lstat(path), stat(path)]);
  return link.status === 'fulfilled' && target.status === 'rejected';
}

/** "1 more entry of list.json is malformed.", "9,900 more owners of list.json are malformed." */
function moreMalformedText(count: number, kind: 'entry' | 'owner', file: string): string {
  const kinds = { entry: 'entries', owner: 'owners' }[kind];
  const subject = count === 1 ? kind : kinds;
  const verb = count === 1 ? 'is' : 'are';
  return `${numberText(count)} more ${subject} of ${file} ${verb} malformed.`;
}

/** A value in the text of a file. */
interface PlacedValue {
  readonly value: unknown;
  readonly offset: number;
}

/** Yields each line that is not blank, without the white space around it. */
function* linesIn(text: string): Iterable<PlacedValue> {
  for (const { 0: value, index } of text.matchAll(/\S(?:.*\S)?/g)) yield { value, offset: index };
}

/** Yields the values of an array. */
function* valuesIn(list: Node): Iterable<PlacedValue> {
  for (const node of list.children ?? []) yield { value: getNodeValue(node), offset: node.offset };
}

/** Yields the values, and lets timers and signals have their turn in between. */
async function* inTurns<T>(values: Iterable<T>): AsyncIterable<T> {
  let count = 0;
  for (const value of values) {
    yield value;
    count += 1;
    if (count % valuesPerTurn === 0) await setImmediate();
  }
}

/**
 * Whether a file holds settings rather than lines with one ID each. No ID begins with `{`, `["`,
 * `//`, or `/*`.
 */
function isSettingsText(file: string, text: string): boolean {
  return /\.(?:jsonc?|code-workspace)$/i.test(file) || /^\s*(?:\{|\[\s*["{\]]|\/[/*])/.test(text);
}

/** A workspace file that was read. */
interface Workspace {
  readonly file: string;
  readonly text: string;
  /** Those of its folders, in their order. */
  readonly settingsFiles: readonly string[];
}

/** A folder that a workspace file names. */
interface WorkspaceFolder {
  /** Where the path or URI stands in the text. */
  readonly offset: number;
  /** `undefined` if the folder has a URI instead of a path. */
  readonly path: string | undefined;
}

/** Returns the folders of a workspace file, as VS Code reads them. */
function foldersIn(text: string): readonly WorkspaceFolder[] {
  const list = propertiesOf(parseTree(text, [], parseOptions)).get('folders');
  const entries: readonly Node[] = list?.type === 'array' ? (list.children ?? []) : [];
  const folders: WorkspaceFolder[] = [];
  for (const entry of entries) {
    const properties = propertiesOf(entry);
    const path = properties.get('path');
    const pathOrUri = path ?? properties.get('uri');
    if (pathOrUri?.type !== 'string') continue;
    folders.push({ offset: pathOrUri.offset, path: path && String(path.value) });
  }
  return folders;
}

/** "This folder is empty, …"; `undefined` for a folder that may have settings. */
async function folderProblem(path: string): Promise<string | undefined> {
  try {
    const names = await readdir(path);
    const isEmpty = names.length === 0;
    return isEmpty ? 'This folder is empty, as after a checkout without submodules' : undefined;
  } catch (error) {
    // Of a folder that cannot be listed, the settings may be read.
    return isMissing(error) ? 'This folder was not found' : undefined;
  }
}

type PositionAt = (offset: number) => EntryPosition;

/**
 * Returns a function that finds the position of an offset. A file can have too many lines to go
 * through all of them for each of its entries.
 */
function positionsIn(file: string, text: string): PositionAt {
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    lineStarts.push(at + 1);
  return (offset) => {
    const lineIndex = lastUpTo(offset, lineStarts, (start) => start);
    return { file, line: lineIndex + 1, column: offset - lineStarts[lineIndex]! + 1 };
  };
}

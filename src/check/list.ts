import { readdir, stat } from 'node:fs/promises';
import { join, sep, win32 } from 'node:path';
import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser';
import { lastUpTo } from '../api/binarySearch.js';
import { isRecord } from '../api/decode.js';
import { mergeEntries, readEntry } from '../model/entered/listEntries.js';
import { propertiesOf, settingNode } from '../model/entered/settingsText.js';
import type { ListedDeployment } from '../model/findings/deployment.js';
import { type NoContent, readRegularFile } from '../model/regularFile.js';
import { decodeTextFile } from '../model/textFile.js';
import { Refusal } from './refusal.js';

const section = 'automationPlatform';
const key = 'deployments';
const settingsFile = '.vscode/settings.json';
const parseOptions = { allowTrailingComma: true, allowEmptyContent: true };
/** A settings file with 10,000 deployments has about one. */
const maxFileMegabytes = 4;
const noContentReasons: Readonly<Record<NoContent, string>> = {
  notRegular: 'is not a regular file',
  tooLarge: `is larger than ${maxFileMegabytes} MB`,
};

/** Where an entry stands; line and column from 1. */
export type Place = readonly [file: string, line: number, column: number];

/** What is to be checked, where each entry of it stands, and what of it could not be read. `main.ts` fills it once. */
export class List {
  readonly places = new Map<string, Place>();
  /** Why entries may be missing. */
  readonly errors: string[] = [];
  /** Which folders are left out, because their paths are those of one machine. */
  readonly notes: string[] = [];
  private readonly entries: unknown[] = [];

  constructor(private readonly redact: (text: string) => string) {}

  get listed(): readonly ListedDeployment[] {
    return mergeEntries([this.entries]);
  }

  async read(ids: readonly string[], files: readonly string[]): Promise<void> {
    for (const id of ids) this.take(id);
    for (const file of files) {
      const exists = await this.readFile(file);
      if (!exists) throw new Refusal(3, `${file} does not exist.`);
    }
    if (ids.length > 0 || files.length > 0) return;
    await this.readDefaultFiles();
  }

  private async readDefaultFiles(): Promise<void> {
    const settingsFiles = new Set<string>([settingsFile]);
    await this.readFile(settingsFile);
    for (const workspace of await workspaceFiles()) {
      await this.readFile(workspace, async (text) => {
        // In VS Code, too, the labels of folders count before those of the workspace.
        for (const file of await this.settingsFilesIn(workspace, text)) {
          if (!settingsFiles.has(file)) await this.readFile(file);
          settingsFiles.add(file);
        }
        this.takeText(workspace, text);
      });
    }
  }

  /** Of the folders that a workspace file names by a relative path, also of those that have no settings. */
  private async settingsFilesIn(workspace: string, text: string): Promise<readonly string[]> {
    const placeOf = placesIn(workspace, text);
    const files: string[] = [];
    for (const { offset, path } of foldersIn(text)) {
      const place = placeOf(offset).join(':');
      if (path === undefined || win32.isAbsolute(path)) {
        this.notes.push(
          `${place}: The settings of this folder were not read, because its path is not relative.`,
        );
      } else if (await isFolder(path || '.')) {
        files.push(join(path, settingsFile).replaceAll(sep, '/'));
      } else {
        this.errors.push(`${place}: This folder was not found, so its settings were not read.`);
      }
    }
    return files;
  }

  /** @returns `false` if there is no such file. */
  private async readFile(file: string, take?: (text: string) => Promise<void>): Promise<boolean> {
    try {
      const content = await readRegularFile(file, maxFileMegabytes * 1024 * 1024);
      const text = typeof content === 'string' ? undefined : this.decode(file, content);
      if (typeof content === 'string')
        this.report(`${file} ${noContentReasons[content]}, so it was not read.`);
      if (text !== undefined) await (take ? take(text) : this.takeText(file, text));
    } catch (error) {
      const { code = '', message }: Partial<NodeJS.ErrnoException> = Object(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return false;
      // Node ends with what it did: `EACCES: permission denied, open 'list.txt'`.
      this.report(`${file} was not read (${String(message).replace(/, .*/s, '')}).`);
    }
    return true;
  }

  private decode(file: string, content: Buffer): string | undefined {
    const text = decodeTextFile(content);
    if (!text.includes('\0')) return text;
    // It is UTF-16 without a mark.
    this.report(`${file} contains NUL characters, so it was not read. Save it as UTF-8.`);
    return undefined;
  }

  private takeText(file: string, text: string): void {
    const placeOf = placesIn(file, text);
    // No ID begins as a settings file does.
    if (!/\.(?:jsonc?|code-workspace)$/i.test(file) && !/^\s*(?:\{|\/[/*])/.test(text)) {
      for (const { 0: id, index } of text.matchAll(/\S(?:.*\S)?/g)) this.take(id, placeOf(index));
      return;
    }
    const problems: ParseError[] = [];
    const root = parseTree(text, problems, parseOptions);
    if (problems[0])
      this.report(
        'This is not valid JSON, so entries may be missing.',
        placeOf(problems[0].offset),
      );
    // As VS Code does, elsewhere in such a file no settings are read.
    const settings = isWorkspaceFile(file) ? propertiesOf(root).get('settings') : root;
    const list = settingNode(settings, { section, key });
    if (list?.type === 'array') {
      for (const one of list.children ?? []) this.take(getNodeValue(one), placeOf(one.offset));
    } else if (list) {
      this.report(`${section}.${key} is not a list.`, placeOf(list.offset));
    }
  }

  private take(value: unknown, place?: Place): void {
    const { id, label } = readEntry(value) ?? {};
    const given = isRecord(value) ? value['id'] : value;
    if (typeof given === 'string' && /\p{Cc}/u.test(given)) {
      return this.report('This contains a control character, so it is not sent as an ID.', place);
    }
    if (id === undefined)
      return this.report('This is neither an ID nor { "id": "...", "label": "..." }.', place);
    if (this.redact(id) !== id)
      return this.report('This contains the token, so it is not sent as an ID.', place);
    if (id.includes('\uFFFD')) {
      return this.report(
        'This contains bytes that are not UTF-8, so it is not sent as an ID.',
        place,
      );
    }
    this.entries.push(label === undefined ? id : { id, label: this.redact(label) });
    if (place && !this.places.has(id)) this.places.set(id, place);
  }

  private report(sentence: string, place?: Place): void {
    this.errors.push(place ? `${place.join(':')}: ${sentence}` : sentence);
  }
}

function isWorkspaceFile(name: string): boolean {
  return name.endsWith('.code-workspace');
}

async function workspaceFiles(): Promise<readonly string[]> {
  const names = await readdir('.');
  return names.filter(isWorkspaceFile).toSorted();
}

/** The folders of a workspace file, as VS Code reads them. `path`: `undefined` where an address stands in its place. */
function foldersIn(text: string) {
  const folders = propertiesOf(parseTree(text, [], parseOptions)).get('folders');
  const entries = folders?.type === 'array' ? (folders.children ?? []) : [];
  return entries.flatMap((entry) => {
    const properties = propertiesOf(entry);
    const place = properties.get('path') ?? properties.get('uri');
    if (place?.type !== 'string') return [];
    const path: unknown = properties.has('path') ? place.value : undefined;
    return { offset: place.offset, path: typeof path === 'string' ? path : undefined };
  });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** A file can have more lines than can be gone through for each of its entries. */
function placesIn(file: string, text: string): (offset: number) => Place {
  const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    const line = lastUpTo(offset, lineStarts, (start) => start);
    return [file, line + 1, offset - lineStarts[line]! + 1];
  };
}

import { createScanner } from 'jsonc-parser';
import type { Span } from './borders.js';
import { positionsOf, type ReferenceInLine, type TextPosition } from './textPositions.js';

const section = 'automationPlatform';
/** In which IDs are meant to stand. */
const keys: ReadonlySet<string> = new Set(['deployments', 'owners', 'mutes']);
const dottedKeys: ReadonlySet<string> = new Set(Array.from(keys, (key) => `${section}.${key}`));

const maxSettingsChars = 2 * 1024 * 1024;

/** `workspace`: its settings are below the key `settings`. */
export type SettingsFileKind = 'settings' | 'workspace';

/**
 * Returns what VS Code reads a file as, by the path of its URI: settings of a folder, of the user, of a profile or of
 * a remote machine, or a workspace, saved or not. `undefined` for any other file, also one that is called
 * settings.json: there our names are those of an application.
 */
export function settingsFileKind(path: string): SettingsFileKind | undefined {
  if (/\.code-workspace$|\/Workspaces\/\d+\/workspace\.json$/.test(path)) return 'workspace';
  return /\/(?:\.vscode|User|User\/profiles\/[^/]+|Machine)\/settings\.json$/.test(path) ? 'settings' : undefined;
}

/**
 * Returns the references that stand outside of our own settings, where an ID needs neither a diagnostic nor a hint;
 * none in a settings file that is too large to be read. `textOf` is asked only if it is needed.
 */
export function outsideOwnSettings(
  references: readonly ReferenceInLine[],
  path: string,
  textOf: () => string,
): readonly ReferenceInLine[] {
  const kind = settingsFileKind(path);
  if (kind === undefined || references.length === 0) return references;
  const text = textOf();
  if (text.length > maxSettingsChars) return [];
  const own = ownSettings(text, kind);
  if (own.length === 0) return references;
  const starts = positionsOf(
    own.map(({ start }) => start),
    text,
  );
  const ends = positionsOf(
    own.map(({ end }) => end),
    text,
  );
  let passed = 0;
  return references.filter(({ line, start: character }) => {
    const place = { line, character };
    while (passed < own.length && !isBefore(place, ends[passed]!)) passed++;
    return passed === own.length || isBefore(place, starts[passed]!);
  });
}

function isBefore(a: TextPosition, b: TextPosition): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/**
 * Returns where our own settings stand in the text of a settings file, with their names, in order and none inside
 * another. While someone edits the text, brackets may not match: then a setting is found at any depth, and one that
 * is not closed ends where the next name of its object begins, or with the text.
 */
export function ownSettings(text: string, kind: SettingsFileKind): readonly Span[] {
  if (!text.includes(section)) return [];
  const reader = new SettingsReader(kind);
  const scanner = createScanner(text, true);
  scanner.scan();
  // At the end of the text the scanner gives tokens without characters.
  while (scanner.getTokenLength() > 0) {
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    reader.add({ mark: text.charAt(start), value: scanner.getTokenValue(), start, end });
    scanner.scan();
  }
  return apart(reader.finish(text.length));
}

interface Token extends Span {
  /** Its first character: that of a string is a quotation mark. */
  readonly mark: string;
  readonly value: string;
}

/** One of our settings, from its name on. */
interface OwnSetting {
  readonly start: number;
  /** Moves on while its value is read. */
  end: number;
  /** Whether it stands where VS Code reads it. */
  readonly isRead: boolean;
}

/** A bracket that is open. */
interface Frame {
  readonly isList: boolean;
  /** `undefined` for the outermost one, and in a list. */
  readonly name: string | undefined;
  readonly own: OwnSetting | undefined;
}

/** Finds our own settings token by token, because a parser gives up where brackets do not match. */
class SettingsReader {
  private readonly found: OwnSetting[] = [];
  private readonly open: Frame[] = [];
  private openLists = 0;
  private areBracketsMatched = true;
  /** A string that may still turn out to be a name. */
  private text: Token | undefined;
  /** Where the token before that ends. */
  private lastEnd = 0;
  /** The name before the last token. */
  private name: string | undefined;
  /** The setting whose value goes on until the next name. */
  private own: OwnSetting | undefined;

  constructor(private readonly kind: SettingsFileKind) {}

  add(token: Token): void {
    const { mark } = token;
    const text = this.text;
    this.text = undefined;
    if (mark === ':' && text) {
      this.begin(text, token.end);
    } else {
      if (text) this.readValue(text);
      if (mark === '"') this.text = token;
      else if (mark === '[' || mark === '{') this.push(mark === '[');
      else if (mark === ']' || mark === '}') this.close(mark === ']', token);
      else if (mark !== ',') this.readValue(token);
    }
    if (!this.text) this.lastEnd = token.end;
  }

  finish(end: number): readonly OwnSetting[] {
    if (this.text) this.readValue(this.text);
    if (this.open.length > 0) this.dropTo(0, end);
    const own = this.found.filter(({ isRead }) => isRead || !this.areBracketsMatched);
    return own.toSorted((a, b) => a.start - b.start);
  }

  private readValue({ end }: Token): void {
    if (this.own) this.own.end = end;
    this.lastEnd = end;
    this.name = undefined;
  }

  private begin({ value: name, start }: Token, end: number): void {
    const top = this.open.at(-1);
    if (top?.isList === true) this.beginInList(top, name);
    const depth = this.depthOf(name);
    this.own = depth === undefined ? undefined : { start, end, isRead: this.isRead(depth) };
    if (this.own) this.found.push(this.own);
    this.name = name;
  }

  /** No name stands in a list, so a bracket is missing: that of an entry, or that which ends the list. */
  private beginInList({ own }: Frame, name: string): void {
    this.areBracketsMatched = false;
    if (own && isFieldName(name)) this.open.push({ isList: false, name: undefined, own });
    else while (this.open.at(-1)?.isList === true) this.dropTo(this.open.length - 1, this.lastEnd);
  }

  private push(isList: boolean): void {
    this.open.push({ isList, name: this.name, own: this.own });
    if (isList) this.openLists++;
    this.name = undefined;
  }

  private close(isList: boolean, { start, end }: Token): void {
    const count = isList ? this.openLists : this.open.length - this.openLists;
    if (count === 0) {
      this.areBracketsMatched = false;
      return;
    }
    const at = this.open.findLastIndex((frame) => frame.isList === isList);
    if (at < this.open.length - 1) this.dropTo(at + 1, start);
    this.pop(end);
  }

  /** Ends what no bracket has closed. */
  private dropTo(depth: number, end: number): void {
    this.areBracketsMatched = false;
    while (this.open.length > depth) this.pop(end);
  }

  private pop(end: number): void {
    const { isList, own } = this.open.pop()!;
    if (isList) this.openLists--;
    if (own) own.end = end;
    this.own = own;
  }

  /** How many brackets are open around the setting of this name, dotted or nested; `undefined` if it is not ours. */
  private depthOf(name: string): number | undefined {
    if (dottedKeys.has(name)) return this.open.length;
    return keys.has(name) && this.open.at(-1)?.name === section ? this.open.length - 1 : undefined;
  }

  private isRead(depth: number): boolean {
    if (depth > 2) return false;
    const around = this.open.slice(0, depth);
    const names = around.flatMap(({ name }) => name ?? []);
    return !around.some(({ isList }) => isList) && names.join('.') === (this.kind === 'workspace' ? 'settings' : '');
  }
}

/** The names of other settings have a dot, or stand in brackets. */
function isFieldName(name: string): boolean {
  return name !== section && !/^\[|\./.test(name);
}

function apart(inOrder: readonly Span[]): readonly Span[] {
  let passed = 0;
  return inOrder.flatMap(({ start, end }) => {
    if (start < passed) return [];
    passed = end;
    return { start, end };
  });
}

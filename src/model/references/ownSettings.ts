import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Span } from './borders.js';
import { positionsOf, type ReferenceInLine, type TextPosition } from './textPositions.js';

const section = 'automationPlatform';
/** The names of settings that hold IDs. */
const keys: ReadonlySet<string> = new Set(['deployments', 'owners', 'mutes']);
const dottedKeys: ReadonlySet<string> = new Set(Array.from(keys, (key) => `${section}.${key}`));

const maxSettingsChars = 2 * 1024 * 1024;

/** `workspace`: the settings of the file are below the key `settings`. */
export type SettingsFileKind = 'settings' | 'workspace';

/** "web.code-workspace", or a workspace that is not saved. */
const workspacePath = /\.code-workspace$|\/Workspaces\/\d+\/workspace\.json$/;
/** The settings of a folder, of the user, of a profile, or of a remote machine. */
const settingsPath = /\/(?:\.vscode|User|User\/profiles\/[^/]+|Machine)\/settings\.json$/;

/**
 * Returns what VS Code reads a file as, by the path of its URI. `undefined` for any other file,
 * even if its name is settings.json: there our names are those of an application.
 */
export function settingsFileKind(path: string): SettingsFileKind | undefined {
  if (workspacePath.test(path)) return 'workspace';
  return settingsPath.test(path) ? 'settings' : undefined;
}

/**
 * Returns the references outside of our own settings, where an ID needs neither a
 * diagnostic nor a hint. Returns none for a settings file that is too large to be read.
 * `references` are in order, `path` is that of the file's URI, and `textOf` is called only if the
 * text is needed.
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
  const settings = ownSettings(text, kind);
  if (settings.length === 0) return references;

  const startOffsets = settings.map(({ start }) => start);
  const endOffsets = settings.map(({ end }) => end);
  const starts = positionsOf(startOffsets, text);
  const ends = positionsOf(endOffsets, text);
  const found: ReferenceInLine[] = [];
  /** How many settings end before this reference. */
  let passed = 0;
  for (const reference of references) {
    const position = { line: reference.line, character: reference.start };
    while (passed < settings.length && !isBefore(position, ends[passed]!)) passed += 1;
    const isOutside = passed === settings.length || isBefore(position, starts[passed]!);
    if (isOutside) found.push(reference);
  }
  return found;
}

function isBefore(a: TextPosition, b: TextPosition): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/**
 * Returns the spans of our own settings in the text of a settings file, in order and with their
 * names. While the text is not valid JSON, as during an edit, the end of a setting is unknown: then
 * the span is the whole text.
 */
export function ownSettings(text: string, kind: SettingsFileKind): readonly Span[] {
  if (!text.includes(section)) return [];
  const { isValid, root } = parse(text);
  if (!isValid) return [{ start: 0, end: text.length }];
  const objects = kind === 'workspace' ? valuesOf(root, 'settings') : [root];
  const properties = objects.flatMap(ownPropertiesOf);
  return properties.map(({ offset, length }) => ({ start: offset, end: offset + length }));
}

interface ParsedSettings {
  readonly root: Node | undefined;
  readonly isValid: boolean;
}

function parse(text: string): ParsedSettings {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    return { root, isValid: errors.length === 0 };
  } catch (error) {
    // The parser throws it if brackets are nested deeper than Node's stack.
    if (error instanceof RangeError) return { root: undefined, isValid: false };
    throw error;
  }
}

/**
 * Returns the properties of our own settings, dotted or nested. A key that the text has twice
 * counts twice.
 */
function ownPropertiesOf(settings: Node | undefined): readonly Node[] {
  return propertiesOf(settings).flatMap((property) => {
    const name = nameOf(property);
    if (dottedKeys.has(name)) return [property];
    if (name !== section) return [];
    const nested = propertiesOf(valueOf(property));
    return nested.filter((nestedProperty) => keys.has(nameOf(nestedProperty)));
  });
}

/** Returns all values of a key, in order. */
function valuesOf(object: Node | undefined, name: string): readonly Node[] {
  const properties = propertiesOf(object).filter((property) => nameOf(property) === name);
  return properties.map(valueOf).filter((value) => value !== undefined);
}

/** Returns the properties of an object, none for any other node. */
function propertiesOf(object: Node | undefined): readonly Node[] {
  return object?.type === 'object' ? (object.children ?? []) : [];
}

function nameOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

function valueOf(property: Node): Node | undefined {
  return property.children?.[1];
}

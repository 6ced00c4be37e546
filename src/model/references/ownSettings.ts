import { type Node, type ParseError, parseTree } from 'jsonc-parser';
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
  return /\/(?:\.vscode|User|User\/profiles\/[^/]+|Machine)\/settings\.json$/.test(path)
    ? 'settings'
    : undefined;
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
 * Returns where our own settings stand in the text of a settings file, with their names. While the text is
 * not valid JSON, as in the middle of an edit, where a setting ends is unknown: then that is all of the text.
 */
export function ownSettings(text: string, kind: SettingsFileKind): readonly Span[] {
  if (!text.includes(section)) return [];
  const { errors, root } = parse(text);
  if (errors > 0) return [{ start: 0, end: text.length }];
  const settings = kind === 'workspace' ? valuesOf(root, 'settings') : [root];
  return settings
    .flatMap((one) => ownIn(one))
    .map(({ offset, length }) => ({ start: offset, end: offset + length }));
}

/** `errors`: how many. The parser throws where brackets are nested deeper than Node's stack. */
function parse(text: string): { readonly root: Node | undefined; readonly errors: number } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    return { root, errors: errors.length };
  } catch (error) {
    if (error instanceof RangeError) return { root: undefined, errors: 1 };
    throw error;
  }
}

/** The properties of our own settings, dotted or nested. A key that stands twice counts twice. */
function ownIn(settings: Node | undefined): readonly Node[] {
  return propertiesOf(settings).flatMap((property) => {
    const name = nameOf(property);
    if (dottedKeys.has(name)) return property;
    if (name !== section) return [];
    return propertiesOf(property.children?.[1]).filter((nested) => keys.has(nameOf(nested)));
  });
}

function valuesOf(object: Node | undefined, name: string): readonly Node[] {
  const properties = propertiesOf(object).filter((property) => nameOf(property) === name);
  return properties.flatMap(({ children }) => children?.[1] ?? []);
}

function propertiesOf(object: Node | undefined): readonly Node[] {
  return object?.type === 'object' ? (object.children ?? []) : [];
}

function nameOf({ children }: Node): string {
  return String(children?.[0]?.value);
}

import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { lazy } from '../../model/base/lazy.js';
import { propertiesOf, settingNode } from '../../model/entered/settingsText.js';
import { type EntryPosition, type FindPosition, type PlacedText, positionsIn } from './position.js';

export const section = 'automationPlatform';
export const parseOptions = { allowTrailingComma: true, allowEmptyContent: true };

/** A value in a file, and where it stands. */
export interface PlacedValue {
  readonly value: unknown;
  readonly position: EntryPosition;
}

/** What the value of one setting in a file says. */
export interface ReadSetting<Usable> {
  readonly usable: Usable;
  /** Why its other parts cannot be used. */
  readonly malformed: readonly PlacedText[];
}

interface FileName {
  /** The name that positions have. */
  readonly file: string;
  readonly isOfWorkspaceFile: boolean;
}

/** The settings of this extension in the text of one file, as VS Code reads them. */
export class FileSettings {
  /** Where the text stops being valid JSON; `undefined` if it is valid. */
  readonly invalidAt: EntryPosition | undefined;
  /** The name that positions have. */
  readonly file: string;
  readonly isOfWorkspaceFile: boolean;
  private readonly settings: Node | undefined;
  private readonly findPosition: FindPosition;

  /** Throws `RangeError` for a text that is nested too deeply. */
  constructor(text: string, { file, isOfWorkspaceFile }: FileName) {
    this.file = file;
    this.isOfWorkspaceFile = isOfWorkspaceFile;
    const parseErrors: ParseError[] = [];
    const root = parseTree(text, parseErrors, parseOptions);
    this.findPosition = positionsIn(file, text);
    const [firstError] = parseErrors;
    this.invalidAt = firstError && this.findPosition(firstError.offset);
    // As in VS Code, the settings of a workspace file are those below `settings` only.
    this.settings = isOfWorkspaceFile ? propertiesOf(root).get('settings') : root;
  }

  /** Returns the value of a setting; `undefined` if the file has none. */
  get(key: 'deployments' | 'mutes' | 'owners'): PlacedSetting | undefined {
    const node = settingNode(this.settings, { section, key });
    return node && new PlacedSetting(node, this.findPosition);
  }
}

/** The value of one setting in a file, and where its parts stand. */
export class PlacedSetting {
  private readonly properties = lazy(() => propertiesOf(this.node));

  constructor(
    private readonly node: Node,
    private readonly findPosition: FindPosition,
  ) {}

  get value(): unknown {
    return getNodeValue(this.node);
  }

  get isList(): boolean {
    return this.node.type === 'array';
  }

  /** The entries of a list; none for any other value. */
  *entries(): Iterable<PlacedValue> {
    if (!this.isList) return;
    for (const node of this.node.children ?? [])
      yield { value: getNodeValue(node), position: this.findPosition(node.offset) };
  }

  /** Returns where the value of a key of an object stands; by default that of the whole value. */
  positionOf(key?: string): EntryPosition {
    const part = key === undefined ? undefined : this.properties().get(key);
    return this.findPosition((part ?? this.node).offset);
  }
}

/**
 * Whether a file holds settings rather than lines with one ID each. No ID begins with `{`, `["`,
 * `//`, or `/*`.
 */
export function isSettingsText(file: string, text: string): boolean {
  return /\.(?:jsonc?|code-workspace)$/i.test(file) || /^\s*(?:\{|\[\s*["{\]]|\/[/*])/.test(text);
}

/** Yields each line that is not blank, without the white space around it. */
export function* linesIn(file: string, text: string): Iterable<PlacedValue> {
  const findPosition = positionsIn(file, text);
  for (const { 0: value, index } of text.matchAll(/\S(?:.*\S)?/g))
    yield { value, position: findPosition(index) };
}

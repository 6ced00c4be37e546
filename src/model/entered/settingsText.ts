import { getNodePath, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** The two parts of a setting's name: "automationPlatform" and "deployments". */
export interface SettingName {
  readonly section: string;
  readonly key: string;
}

/** What the text of a settings file holds of a setting. */
export interface FoundSetting {
  /** `undefined` if the text has no value. */
  readonly value: unknown;
  /**
   * The keys that lead to the value, which is dotted, nested, or below the `settings` of a
   * workspace file.
   */
  readonly path?: readonly string[];
  /**
   * A key that the text has twice on the way to the value: VS Code changes the first and reads the
   * last.
   */
  readonly duplicateKey?: string;
  /** The section, if it is an object after a dotted value, which VS Code then does not read. */
  readonly replacedBy?: string;
}

/**
 * Returns `undefined` for a text that is not valid JSON with comments, to which VS Code writes
 * nothing.
 */
export function findSetting(
  text: string,
  isWorkspaceFile: boolean,
  name: SettingName,
): FoundSetting | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) return undefined;
  if (isWorkspaceFile && valuesOf(root, 'settings').length > 1)
    return { value: undefined, duplicateKey: 'settings' };

  const settings = isWorkspaceFile ? propertiesOf(root).get('settings') : root;
  const duplicateKey = isSetTwice(settings, name) ? `${name.section}.${name.key}` : undefined;
  const node = settingNode(settings, name);
  if (!node) {
    const replacedBy = isReplaced(settings, name) ? name.section : undefined;
    return { value: undefined, duplicateKey, replacedBy };
  }
  const path = getNodePath(node).map(String);
  return { value: getNodeValue(node), path, duplicateKey };
}

/**
 * Returns the value of a setting as VS Code finds it, `undefined` if it finds none. VS Code goes
 * through the keys in their order: a dotted key changes one value of its section, a nested one
 * replaces the whole section, and a section that is no object takes no dotted key.
 */
export function settingNode(
  settings: Node | undefined,
  { section, key }: SettingName,
): Node | undefined {
  let found: Node | undefined;
  for (const [name, value] of propertiesOf(settings)) {
    if (name === `${section}.${key}`) found = value;
    if (name === section) {
      found = propertiesOf(value).get(key);
      if (value.type !== 'object') break;
    }
  }
  return found;
}

/** Whether a setting has more than one value in the text, dotted or nested. */
function isSetTwice(settings: Node | undefined, { section, key }: SettingName): boolean {
  const dotted = valuesOf(settings, `${section}.${key}`);
  const nested = valuesOf(settings, section).flatMap((value) => valuesOf(value, key));
  return dotted.length + nested.length > 1;
}

/**
 * Whether the section, an object, hides the dotted value of a setting that VS Code does not find.
 */
function isReplaced(settings: Node | undefined, { section, key }: SettingName): boolean {
  const properties = propertiesOf(settings);
  return properties.has(`${section}.${key}`) && properties.get(section)?.type === 'object';
}

/**
 * Returns the properties of an object, none for any other node. A key that the text has twice has
 * its last value, in the position of the first, as in an object of JavaScript.
 */
export function propertiesOf(node: Node | undefined): ReadonlyMap<string, Node> {
  return new Map(pairsOf(node));
}

/** All values of a key, in the order of the text. */
function valuesOf(node: Node | undefined, key: string): readonly Node[] {
  const pairs = pairsOf(node).filter(([name]) => name === key);
  return pairs.map(([, value]) => value);
}

function pairsOf(node: Node | undefined): readonly (readonly [name: string, value: Node])[] {
  if (node?.type !== 'object') return [];
  const pairs: (readonly [name: string, value: Node])[] = [];
  for (const property of node.children ?? []) {
    const [name, value] = property.children ?? [];
    // A property that is being typed has no value yet.
    if (name && value) pairs.push([String(name.value), value]);
  }
  return pairs;
}

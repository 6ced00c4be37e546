import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser';
import { mergeEntries } from './listEntries.js';
import { readMuteEntries } from './muteEntries.js';
import { readOwners } from './owners.js';
import { propertiesOf, settingNode } from './settingsText.js';

/** The settings that VS Code hides in an untrusted workspace. */
const restrictedKeys = ['deployments', 'owners', 'mutes'] as const;

export type RestrictedKey = (typeof restrictedKeys)[number];

/** Mutes are counted whether they count today, or on a later day. */
const atAnyTime = { now: Infinity, hasToken: () => false };

type IsInUse = (deploymentId: string) => boolean;

/**
 * Returns how many entries of a setting's values would count in a trusted workspace. Deployments
 * that are in use anyway do not count.
 */
function countEntries(key: RestrictedKey, values: readonly unknown[], isInUse: IsInUse): number {
  switch (key) {
    case 'deployments':
      return mergeEntries(values).filter(({ id }) => !isInUse(id)).length;
    case 'owners':
      return new Set(values.flatMap((value) => [...readOwners(value).owners.keys()])).size;
    case 'mutes':
      return values.flatMap((value) => readMuteEntries(value, atAnyTime).entries).length;
  }
}

/** How many entries the files of a workspace have of one setting, and which files have some. */
interface IgnoredEntries {
  /** `undefined` if one of the files is not valid JSON, or too large to be read. */
  readonly count: number | undefined;
  /** "web/.vscode/settings.json" */
  readonly files: readonly string[];
}

/** By setting. Settings without an entry are missing. */
export type Ignored = Readonly<Partial<Record<RestrictedKey, IgnoredEntries>>>;

/** A settings file of the workspace. */
export interface SettingsText {
  /** "web/.vscode/settings.json" */
  readonly name: string;
  /** `undefined` if the file is too large to be read. */
  readonly text: string | undefined;
  /** Its settings are below the key `settings`. */
  readonly isWorkspaceFile: boolean;
}

/**
 * Counts the entries that VS Code would read from these texts in a trusted workspace. `section`:
 * what the names of our settings begin with. `isInUse`: whether the user's own list has a
 * deployment, too. The result holds nothing of the entries themselves.
 */
export function ignoredEntries(
  texts: readonly SettingsText[],
  section: string,
  isInUse: IsInUse,
): Ignored {
  const readFiles = texts
    .map((text) => readValues(text, section))
    .filter((file) => file !== undefined);
  const unreadFiles = texts.filter(({ text }) => text === undefined);
  const ignored: Partial<Record<RestrictedKey, IgnoredEntries>> = {};
  for (const key of restrictedKeys) {
    const filesWithEntries = readFiles.filter(
      ({ values }) => countEntries(key, [values.get(key)], isInUse) > 0,
    );
    // A file that is too large may have a list, and the user has to know of a list.
    const possibleFiles = key === 'deployments' ? unreadFiles : [];
    const files = [...filesWithEntries, ...possibleFiles];
    if (files.length === 0) continue;

    const areAllValid = filesWithEntries.every(({ isValid }) => isValid);
    const canCount = possibleFiles.length === 0 && areAllValid;
    const allValues = filesWithEntries.map(({ values }) => values.get(key));
    ignored[key] = {
      count: canCount ? countEntries(key, allValues, isInUse) : undefined,
      files: files.map(({ name }) => name),
    };
  }
  return ignored;
}

/** The values of the restricted settings in one file. */
interface FileValues {
  readonly name: string;
  readonly values: ReadonlyMap<RestrictedKey, unknown>;
  /** Whether the text is valid JSON with comments. VS Code reads what it can of an invalid text. */
  readonly isValid: boolean;
}

/**
 * Returns `undefined` for a file without a text, and for a text that is nested too deep to be
 * parsed.
 */
function readValues(
  { name, text, isWorkspaceFile }: SettingsText,
  section: string,
): FileValues | undefined {
  if (text === undefined) return undefined;
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const settings = isWorkspaceFile ? propertiesOf(root).get('settings') : root;
    const values = new Map<RestrictedKey, unknown>();
    for (const key of restrictedKeys) {
      const node = settingNode(settings, { section, key });
      values.set(key, node && getNodeValue(node));
    }
    return { name, values, isValid: errors.length === 0 };
  } catch {
    return undefined;
  }
}

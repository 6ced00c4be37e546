import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { mergeEntries } from './listEntries.js';
import { readOwners } from './owners.js';
import { propertiesOf, settingNode } from './settingsText.js';

/** The settings that VS Code hides in an untrusted workspace. */
const restrictedKeys = ['deployments', 'owners'] as const;

export type RestrictedKey = (typeof restrictedKeys)[number];

/** How many entries of these values would count in a trusted workspace. */
const countEntries: Readonly<Record<RestrictedKey, (values: readonly unknown[]) => number>> = {
  deployments: (values) => mergeEntries(values).length,
  owners: (values) => new Set(values.flatMap((value) => [...readOwners(value).owners.keys()])).size,
};

/** How much the files of a workspace hold of one setting, and which of them. */
export interface IgnoredEntries {
  /** `undefined` if one of the files is not valid JSON. */
  readonly count: number | undefined;
  /** "web/.vscode/settings.json" */
  readonly files: readonly string[];
}

/** Only of settings that have an entry. */
export type Ignored = Readonly<Partial<Record<RestrictedKey, IgnoredEntries>>>;

export interface SettingsText {
  readonly name: string;
  readonly text: string;
  /** Its settings are below the key `settings`. */
  readonly isWorkspaceFile: boolean;
}

/** Counts what VS Code would read of these texts in a trusted workspace. Nothing of the entries is in the result. */
export function ignoredEntries(texts: readonly SettingsText[], section: string): Ignored {
  const read = texts.flatMap((text) => valuesIn(text, section) ?? []);
  const ignored: Partial<Record<RestrictedKey, IgnoredEntries>> = {};
  for (const key of restrictedKeys) {
    const count = countEntries[key];
    const found = read.filter(({ values }) => count([values.get(key)]) > 0);
    if (found.length === 0) continue;
    const areValid = found.every(({ isValid }) => isValid);
    ignored[key] = {
      count: areValid ? count(found.map(({ values }) => values.get(key))) : undefined,
      files: found.map(({ name }) => name),
    };
  }
  return ignored;
}

/** Returns `undefined` for a text that is nested too deep to be parsed. Of an invalid one VS Code reads what it can. */
function valuesIn({ name, text, isWorkspaceFile }: SettingsText, section: string) {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const settings = isWorkspaceFile ? propertiesOf(root).get('settings') : root;
    const values = new Map(restrictedKeys.map((key) => [key, valueOf(settingNode(settings, { section, key }))]));
    return { name, values, isValid: errors.length === 0 };
  } catch {
    return undefined;
  }
}

function valueOf(node: Node | undefined): unknown {
  return node && getNodeValue(node);
}

import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { mergeEntries } from './listEntries.js';
import { readOwners } from './owners.js';
import { propertiesOf, settingNode } from './settingsText.js';

/** The settings that VS Code hides in an untrusted workspace. */
const restrictedKeys = ['deployments', 'owners'] as const;

export type RestrictedKey = (typeof restrictedKeys)[number];

type InUse = (deploymentId: string) => boolean;

/**
 * How many entries of these values would count in a trusted workspace, without the deployments that
 * are in use anyway.
 */
const countEntries: Readonly<
  Record<RestrictedKey, (values: readonly unknown[], isInUse: InUse) => number>
> = {
  deployments: (values, isInUse) => mergeEntries(values).filter(({ id }) => !isInUse(id)).length,
  owners: (values) => new Set(values.flatMap((value) => [...readOwners(value).owners.keys()])).size,
};

/** How much the files of a workspace hold of one setting, and which of them. */
interface IgnoredEntries {
  /** `undefined` if one of the files is not valid JSON, or too large to be read. */
  readonly count: number | undefined;
  /** "web/.vscode/settings.json" */
  readonly files: readonly string[];
}

/** Only of settings that have an entry. */
export type Ignored = Readonly<Partial<Record<RestrictedKey, IgnoredEntries>>>;

export interface SettingsText {
  readonly name: string;
  /** `undefined` of a file that is too large to be read. */
  readonly text: string | undefined;
  /** Its settings are below the key `settings`. */
  readonly isWorkspaceFile: boolean;
}

/**
 * Counts what VS Code would read of these texts in a trusted workspace. `isInUse`: for what the
 * user's own list has, too. Nothing of the entries is in the result.
 */
export function ignoredEntries(
  texts: readonly SettingsText[],
  section: string,
  isInUse: InUse,
): Ignored {
  const read = texts.flatMap((text) => valuesIn(text, section) ?? []);
  const unread = texts.filter(({ text }) => text === undefined);
  const ignored: Partial<Record<RestrictedKey, IgnoredEntries>> = {};
  for (const key of restrictedKeys) {
    const count = (values: readonly unknown[]) => countEntries[key](values, isInUse);
    const found = read.filter(({ values }) => count([values.get(key)]) > 0);
    // It may have a list, and the user has to know of one.
    const possible = key === 'deployments' ? unread : [];
    if (found.length + possible.length === 0) continue;
    const areKnown = possible.length === 0 && found.every(({ isValid }) => isValid);
    ignored[key] = {
      count: areKnown ? count(found.map(({ values }) => values.get(key))) : undefined,
      files: [...found, ...possible].map(({ name }) => name),
    };
  }
  return ignored;
}

/**
 * Returns `undefined` without a text, and for one that is nested too deep to be parsed. Of an
 * invalid one VS Code reads what it can.
 */
function valuesIn({ name, text, isWorkspaceFile }: SettingsText, section: string) {
  if (text === undefined) return undefined;
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const settings = isWorkspaceFile ? propertiesOf(root).get('settings') : root;
    const values = new Map(
      restrictedKeys.map((key) => [key, valueOf(settingNode(settings, { section, key }))]),
    );
    return { name, values, isValid: errors.length === 0 };
  } catch {
    return undefined;
  }
}

function valueOf(node: Node | undefined): unknown {
  return node && getNodeValue(node);
}

import { readdir } from 'node:fs/promises';
import { type Node, parseTree } from 'jsonc-parser';
import { propertiesOf } from '../../model/entered/settingsText.js';
import { isMissing } from './fileErrors.js';
import { parseOptions } from './fileSettings.js';

/** A folder that a workspace file names. */
interface WorkspaceFolder {
  /** Where the path or URI stands in the text. */
  readonly offset: number;
  /** `undefined` if the folder has a URI instead of a path. */
  readonly path: string | undefined;
}

/** Returns the folders of a workspace file, as VS Code reads them. */
export function foldersIn(text: string): readonly WorkspaceFolder[] {
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
export async function folderProblem(path: string): Promise<string | undefined> {
  try {
    const names = await readdir(path);
    const isEmpty = names.length === 0;
    return isEmpty ? 'This folder is empty, as after a checkout without submodules' : undefined;
  } catch (error) {
    // Of a folder that cannot be listed, the settings may be read.
    return isMissing(error) ? 'This folder was not found' : undefined;
  }
}

import * as vscode from 'vscode';
import type { Services } from '../../host/services.js';
import type { CiSystem } from './ciSystems.js';
import { snippetPath } from './snippetPath.js';

/** A text that is opened as an unsaved document. */
export interface Snippet {
  /** The language, as VS Code calls it. */
  readonly language: string;
  readonly content: string;
}

export interface Snippets {
  /** The configuration of a CI. */
  readonly configuration: Snippet;
  /** The line for `AGENTS.md`. */
  readonly agentsLine: Snippet;
}

/** Reads the snippets that run the check. `path`: the check's path in the repository. */
export async function readSnippets(
  { extensionUri }: Services,
  { snippet, language }: CiSystem,
  path: string,
): Promise<Snippets> {
  const read = async (name: string): Promise<string> => {
    const uri = vscode.Uri.joinPath(extensionUri, 'media', 'ci', name);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    // A function, because `replaceAll` gives `$` a meaning in a text.
    return text.replaceAll('{file}', () => snippetPath(path));
  };
  return {
    configuration: { language, content: await read(snippet) },
    agentsLine: { language: 'markdown', content: await read('AGENTS.md') },
  };
}

/** Opens both snippets as unsaved documents, the configuration in front. */
export async function openSnippets({ configuration, agentsLine }: Snippets): Promise<void> {
  await open(agentsLine, { preserveFocus: true });
  await open(configuration, { preserveFocus: false });
}

async function open(
  { language, content }: Snippet,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  // No extension may bring the language, and users can turn those off that come with VS Code.
  const known = await vscode.languages.getLanguages();
  const knownLanguage = known.includes(language) ? language : 'plaintext';
  const document = await vscode.workspace.openTextDocument({ language: knownLanguage, content });
  // The next document that opens would replace a preview.
  await vscode.window.showTextDocument(document, { ...options, preview: false });
}

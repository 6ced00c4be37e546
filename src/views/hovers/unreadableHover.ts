import * as vscode from 'vscode';
import type { DecodeProblem } from '../../api/answer.js';
import { heading, unreadableText } from '../../host/text.js';
import type { Deployment } from '../../model/deployment.js';
import { inertMarkdown } from '../../model/inertText.js';
import { list, markdown, text } from './markdown.js';

export function unreadableHover(deployment: Deployment): vscode.MarkdownString {
  return markdown(unreadableLines(deployment.answer?.problems ?? []));
}

/** Which fields could not be read, what was expected there and what was found; never the value. */
export function unreadableLines(problems: readonly DecodeProblem[]): string | undefined {
  if (problems.length === 0) return undefined;
  const lines = problems.map(({ path, expected, found }) =>
    inertMarkdown(vscode.l10n.t('{path}: {expected} expected, {found} found', { path, expected, found }), 300),
  );
  return `${text(heading(unreadableText(problems.length)))}\n\n${list(lines)}`;
}

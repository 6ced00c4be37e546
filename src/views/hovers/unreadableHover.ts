import * as vscode from 'vscode';
import { type LeftOut, leftOutCount } from '../../api/answer.js';
import { heading, unreadableText } from '../../host/text.js';
import type { Deployment } from '../../model/deployment.js';
import { inertMarkdown } from '../../model/inertText.js';
import { list, markdown, text } from '../markdown.js';

export function unreadableHover(deployment: Deployment): vscode.MarkdownString {
  return markdown(deployment.answer && unreadableLines(deployment.answer));
}

/** Which fields could not be read, what was expected there and what was found; never the value. */
export function unreadableLines(answer: LeftOut): string | undefined {
  const count = leftOutCount(answer);
  if (count === 0) return undefined;
  const lines = answer.problems.map(({ path, expected, found }) =>
    inertMarkdown(vscode.l10n.t('{path}: {expected} expected, {found} found', { path, expected, found }), 300),
  );
  return `${text(heading(unreadableText(count)))}\n\n${list(lines, count)}`;
}

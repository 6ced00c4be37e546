import * as vscode from 'vscode';
import { markless } from '../api/entered/baseUrl.js';
import { firstWithMore, numberText } from '../host/text/format.js';
import { fieldTexts } from '../model/fieldTexts.js';
import { inertMarkdown, isolated } from '../model/inertText.js';

const maxNameChars = 200;
const maxSentenceChars = 1500;
const maxFields = 7;

/** Paragraphs of Markdown without the empty ones, not trusted: no command links, no icons, no HTML. */
export function markdown(...paragraphs: readonly (string | undefined)[]): vscode.MarkdownString {
  return new vscode.MarkdownString(paragraphs.filter(Boolean).join('\n\n'));
}

export function lines(...texts: readonly (string | false | undefined)[]): string {
  return texts.filter(Boolean).join('  \n');
}

export function escaped(sentence: string | undefined): string | undefined {
  return sentence ? inertMarkdown(sentence, maxSentenceChars) : undefined;
}

export function title(name: string, detail?: string): string {
  const bold = `**${isolated(inertMarkdown(name, maxNameChars))}**`;
  return detail ? `${bold} · ${isolated(inertMarkdown(detail, maxNameChars))}` : bold;
}

/** Some HTML, since Markdown has no colors. With `supportHtml` VS Code takes it; inert text can't make any. */
export function gray(text: string | undefined): string | undefined {
  return text && `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

const maxNames = 10;

/** Of a row that counts others: its label, below it what `write` says of each. */
export function listHover<T>(
  label: string,
  all: readonly T[],
  write: (one: T) => string,
): vscode.MarkdownString {
  return markdown(
    title(label),
    list(firstWithMore(all, maxNames, (one) => inertMarkdown(write(one), maxNameChars))),
  );
}

/** As the platform sent them, unknown ones included, in its order. `without`: those that are shown elsewhere; `error.code` is one in another. */
export function fields(object: object, without: readonly string[] = []): string | undefined {
  const { shown, more } = fieldTexts(object, without, maxFields);
  if (shown.length === 0) return undefined;
  const rest = more > 0 ? [vscode.l10n.t('{count} more', { count: numberText(more) })] : [];
  return inertMarkdown([...shown, ...rest].join(' · '), maxSentenceChars);
}

/** Runs the command if the Markdown's `isTrusted` names it. The words may be text of the platform. */
export function commandLink(words: string, command: string, ...given: readonly unknown[]): string {
  const encoded = markless(encodeURIComponent(JSON.stringify(given)));
  return `[${isolated(inertMarkdown(words, maxNameChars))}](command:${command}?${encoded})`;
}

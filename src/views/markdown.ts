import * as vscode from 'vscode';
import { withMarksEncoded } from '../api/entered/baseUrl.js';
import { firstWithMore, numberText } from '../host/text/format.js';
import { fieldTexts } from '../model/fieldTexts.js';
import { inertMarkdown, isolated } from '../model/inertText.js';

const maxNameChars = 200;
const maxSentenceChars = 1500;
const maxFields = 7;

/**
 * Paragraphs of Markdown without the empty ones, not trusted: no command links, no icons, no HTML.
 */
export function markdown(...paragraphs: readonly (string | undefined)[]): vscode.MarkdownString {
  return new vscode.MarkdownString(paragraphs.filter(Boolean).join('\n\n'));
}

/** Joins lines of Markdown without the empty ones. Two spaces at the end of a line break it. */
export function joinLines(...lines: readonly (string | undefined)[]): string {
  return lines.filter(Boolean).join('  \n');
}

/** Returns Markdown that shows the sentence as it is; `undefined` for an empty one. */
export function escaped(sentence: string | undefined): string | undefined {
  return sentence ? inertMarkdown(sentence, maxSentenceChars) : undefined;
}

/** "**Finance Slack** · acc_1". Both are texts that are escaped here. */
export function boldTitle(name: string, detail?: string): string {
  const bold = `**${isolated(inertMarkdown(name, maxNameChars))}**`;
  return detail ? `${bold} · ${isolated(inertMarkdown(detail, maxNameChars))}` : bold;
}

/**
 * Colors Markdown with HTML, since Markdown has no colors. VS Code renders the HTML in a hover with
 * `supportHtml`, where escaped text can't make any.
 */
export function grayText(text: string | undefined): string | undefined {
  return text && `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}

/** `items`: Markdown. */
export function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

const maxListedNames = 10;

/**
 * The hover of a row that counts items: its label, and below it a list of the first ten items and
 * "3 more". `write` returns the name of an item as plain text.
 */
export function listHover<T>(
  label: string,
  items: readonly T[],
  write: (item: T) => string,
): vscode.MarkdownString {
  const names = firstWithMore(items, maxListedNames, (item) =>
    inertMarkdown(write(item), maxNameChars),
  );
  return markdown(boldTitle(label), bulletList(names));
}

/**
 * "environment production · tier gold", after seven fields "2 more": the fields of an object as the
 * platform sent them, in its order. `without`: fields that the hover shows elsewhere, such as
 * `label`, or the path of a nested field, such as `error.code`. Returns `undefined` if the object
 * has no other field.
 */
export function fieldsText(object: object, without: readonly string[] = []): string | undefined {
  const { shown, more } = fieldTexts(object, without, maxFields);
  if (shown.length === 0) return undefined;
  const texts = [...shown];
  if (more > 0) texts.push(vscode.l10n.t('{count} more', { count: numberText(more) }));
  return inertMarkdown(texts.join(' · '), maxSentenceChars);
}

/**
 * A link that runs the command, if the Markdown's `isTrusted` names it. The words, which may be
 * text of the platform, are escaped here.
 */
export function commandLink(
  words: string,
  command: string,
  ...commandArguments: readonly unknown[]
): string {
  const encoded = withMarksEncoded(encodeURIComponent(JSON.stringify(commandArguments)));
  return `[${isolated(inertMarkdown(words, maxNameChars))}](command:${command}?${encoded})`;
}

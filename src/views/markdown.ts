import * as vscode from 'vscode';
import { numberText } from '../host/text/format.js';
import { codeSpan, inertMarkdown } from '../model/inertText.js';

const maxValueChars = 200;
export const maxLines = 50;

/** Paragraphs of Markdown without the empty ones, not trusted: no command links, no icons, no HTML. */
export function markdown(...paragraphs: readonly (string | undefined)[]): vscode.MarkdownString {
  return new vscode.MarkdownString(paragraphs.filter(Boolean).join('\n\n'));
}

/** A sentence, which may hold text of the service, as plain text in Markdown. */
export function escaped(sentence: string | undefined): string | undefined {
  return sentence ? inertMarkdown(sentence, 1500) : undefined;
}

export function lines(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join('  \n  ');
}

export function title(name: string, detail?: string): string {
  const bold = `**${inertMarkdown(name, maxValueChars)}**`;
  return detail ? `${bold} · ${inertMarkdown(detail, maxValueChars)}` : bold;
}

/** Items of Markdown, at most `maxLines`, then how many more there are of the `total`. */
export function list(items: readonly string[], total = items.length): string | undefined {
  if (items.length === 0) return undefined;
  const shown = items.slice(0, maxLines).map((item) => `- ${item}`);
  const more = total - shown.length;
  if (more > 0) shown.push(`- ${inertMarkdown(vscode.l10n.t('{count} more', { count: numberText(more) }))}`);
  return shown.join('\n');
}

/**
 * Every field that the service sent with an object, unknown ones included, under its own name in the service's order.
 * `without`: fields that are shown elsewhere.
 */
export function fields(object: object, without: readonly string[] = [], prefix = ''): readonly string[] {
  return Object.entries(object)
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, value]) => field(`${prefix}${name}`, value));
}

function field(name: string, value: unknown): readonly string[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  // One level deep, for the code and message in an account's `error`.
  if (isObject && !name.includes('.') && Object.keys(value).length > 0) return fields(value, [], `${name}.`);
  return [`${codeSpan(name, maxValueChars)} ${inertMarkdown(valueText(value), maxValueChars)}`];
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ');
  try {
    return JSON.stringify(value);
  } catch {
    // `JSON.stringify` has no stack for what is nested 10,000 times.
    return '…';
  }
}

/**
 * A link in Markdown that runs a command with one id, if the Markdown's `isTrusted` names that command. The words may be text of the
 * service.
 */
export function commandLink(words: string, command: string, id: string): string {
  // `encodeURIComponent` leaves characters that mean something to Markdown: a parenthesis would end the link.
  const argument = encodeURIComponent(JSON.stringify([id])).replace(
    /[!'()*~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `[${inertMarkdown(words, 80)}](command:${command}?${argument})`;
}

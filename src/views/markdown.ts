import * as vscode from 'vscode';
import { numberText } from '../host/text/format.js';
import { inertMarkdown, shorten } from '../model/inertText.js';

const maxNameChars = 200;
const maxSentenceChars = 1500;
const maxItems = 10;
const maxValueChars = 200;
const maxFieldChars = 400;

/** Paragraphs of Markdown without the empty ones, not trusted: no command links, no icons, no HTML. */
export function markdown(...paragraphs: readonly (string | undefined)[]): vscode.MarkdownString {
  return new vscode.MarkdownString(paragraphs.filter(Boolean).join('\n\n'));
}

export function lines(...texts: readonly (string | false | undefined)[]): string {
  return texts.filter(Boolean).join('  \n');
}

/** A sentence, which may hold text of the service, as plain text in Markdown. */
export function escaped(sentence: string | undefined): string | undefined {
  return sentence ? inertMarkdown(sentence, maxSentenceChars) : undefined;
}

export function title(name: string, detail?: string): string {
  const bold = `**${inertMarkdown(name, maxNameChars)}**`;
  return detail ? `${bold} · ${inertMarkdown(detail, maxNameChars)}` : bold;
}

/** Some HTML, since Markdown has no colors. With `supportHtml` VS Code takes it; inert text can't make any. */
export function gray(text: string | undefined): string | undefined {
  return text && `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}

/** The first items of Markdown, then how many more there are of the `total`. */
export function list(items: readonly string[], total = items.length): string | undefined {
  if (items.length === 0) return undefined;
  const shown = items.slice(0, maxItems).map((item) => `- ${item}`);
  const more = total - shown.length;
  if (more > 0) shown.push(`- ${inertMarkdown(vscode.l10n.t('{count} more', { count: numberText(more) }))}`);
  return shown.join('\n');
}

/**
 * The fields of an object as the service sent them, unknown ones included, under their own names and in its order. `without`: those
 * that are shown elsewhere; `error.code` is one in another. No more than a line or two has room for are looked at.
 */
export function fields(object: object, without: readonly string[] = []): string | undefined {
  const shown: string[] = [];
  let chars = 0;
  const names = Object.keys(object);
  for (const [at, name] of names.entries()) {
    if (chars > maxFieldChars) {
      shown.push(vscode.l10n.t('{count} more', { count: numberText(names.length - at) }));
      break;
    }
    if (without.includes(name)) continue;
    for (const [path, value] of innerFields(name, Reflect.get(object, name))) {
      if (without.includes(path) || chars > maxFieldChars) continue;
      const text = `${path} ${valueText(value)}`;
      chars += text.length;
      shown.push(text);
    }
  }
  return shown.length > 0 ? inertMarkdown(shown.join(' · '), maxSentenceChars) : undefined;
}

/** One level deep, for the code and message in an account's `error`. */
function innerFields(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  const inner = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  return inner.length > 0 ? inner.map(([key, one]) => [`${name}.${key}`, one] as const) : [[name, value]];
}

function valueText(value: unknown): string {
  return shorten(
    typeof value === 'string' ? value : isList(value) ? value.join(', ') : fieldJson(value),
    maxValueChars,
  );
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function fieldJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // `JSON.stringify` has no stack for what is nested 10,000 times.
    return '…';
  }
}

/**
 * A link in Markdown that runs a command with one argument, if the Markdown's `isTrusted` names that command. The words may be text of
 * the service.
 */
export function commandLink(words: string, command: string, argument: unknown): string {
  // `encodeURIComponent` leaves characters that mean something to Markdown: a parenthesis would end the link.
  const encoded = encodeURIComponent(JSON.stringify([argument])).replace(
    /[!'()*~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `[${inertMarkdown(words, maxNameChars)}](command:${command}?${encoded})`;
}

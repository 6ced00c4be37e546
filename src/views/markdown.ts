import * as vscode from 'vscode';
import { markless } from '../api/baseUrl.js';
import { firstOf } from '../host/text/format.js';
import { inertMarkdown, shorten } from '../model/inertText.js';

const maxNameChars = 200;
const maxSentenceChars = 1500;
const maxValueChars = 200;
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
  const bold = `**${inertMarkdown(name, maxNameChars)}**`;
  return detail ? `${bold} · ${inertMarkdown(detail, maxNameChars)}` : bold;
}

/** Some HTML, since Markdown has no colors. With `supportHtml` VS Code takes it; inert text can't make any. */
export function gray(text: string | undefined): string | undefined {
  return text && `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** As the service sent them, unknown ones included, in its order. `without`: those that are shown elsewhere; `error.code` is one in another. */
export function fields(object: object, without: readonly string[] = []): string | undefined {
  const all = Object.entries(object).flatMap(([name, value]) => innerFields(name, value));
  const unsaid = all.filter(([path]) => !without.includes(path));
  const shown = firstOf(unsaid, maxFields, ([path, value]) => `${path} ${valueText(value)}`);
  return shown.length > 0 ? inertMarkdown(shown.join(' · '), maxSentenceChars) : undefined;
}

/** One level deep, for the code and message in an account's `error`. */
function innerFields(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  const inner = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  return inner.length > 0 ? inner.map(([key, one]) => [`${name}.${key}`, one] as const) : [[name, value]];
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return shorten(value, maxValueChars);
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  try {
    return shorten(isList ? value.join(', ') : JSON.stringify(value), maxValueChars);
  } catch {
    // `JSON.stringify` has no stack for what is nested 10,000 times.
    return '…';
  }
}

/** Runs the command if the Markdown's `isTrusted` names it. The words may be text of the service. */
export function commandLink(words: string, command: string, argument: unknown): string {
  const encoded = markless(encodeURIComponent(JSON.stringify([argument])));
  return `[${inertMarkdown(words, maxNameChars)}](command:${command}?${encoded})`;
}

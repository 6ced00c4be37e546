// Text of the service, of settings and of links is shown as text. One function for each kind of surface; all of them make
// invisible characters visible first and then cut, and none throws, whatever comes.

import { shorten } from './shorten.js';
import { visibleControls } from './visibleControls.js';

export { shorten, visibleControls };

/**
 * For a MarkdownString (hovers, tooltips): plain text whatever it holds. Everything that could mean something, to
 * Markdown, to the icons or to the detection of links and addresses, becomes a numeric reference, which means nothing.
 */
export function inertMarkdown(text: string, max = 1000): string {
  return shown(text, max)
    .replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/^ | $| (?= )/g, '&#160;');
}

/** For Markdown that is pasted elsewhere (the report): a code span, longer in backticks than what it holds. */
export function codeSpan(text: string, max = 1000): string {
  const content = shown(text, max, breakIcons) || ' ';
  const longest = Math.max(0, ...Array.from(content.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A space on both sides is taken away again; only spaces are kept as they are.
  const padded = /^[ `]|[ `]$/.test(content) && /[^ ]/.test(content) ? ` ${content} ` : content;
  return fence + padded + fence;
}

/** For notifications, input prompts and validation messages, which turn `[x](command:…)` into a link: none can start. */
export function inertNotification(text: string, max = 300): string {
  return shown(text, max, breakIcons).replaceAll('[', '［').replaceAll(']', '］');
}

/** For tree labels and descriptions, quick picks and the status bar: no icon can start. */
export function inertLabel(text: string, max = 100): string {
  return shown(text, max, breakIcons);
}

/** For diagnostics, plain tooltips and screen-reader labels: one line of plain text. */
export function inertPlain(text: string, max = 500): string {
  return shown(text, max);
}

/** A text a thousand times too long is not looked at as a whole. */
function shown(text: string, max: number, change = (visible: string) => visible): string {
  return shorten(change(visibleControls(text.length > max + 64 ? text.slice(0, max + 64) : text)), max);
}

function breakIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}

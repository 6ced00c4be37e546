/** Characters that can't be seen or that reorder others, made visible; line breaks too. Idempotent. */
export function visibleControls(text: string): string {
  return text;
}

/** At most `max` UTF-16 units, the last one an ellipsis if something was cut; never cuts through a character. */
export function shorten(text: string, max: number): string {
  return text.slice(0, max);
}

/** For a MarkdownString (hovers, tooltips): plain text whatever it holds. */
export function inertMarkdown(text: string, max = 1000): string {
  return text.slice(0, max);
}

/** For Markdown that is pasted elsewhere (the report): a code span. */
export function codeSpan(text: string, max = 1000): string {
  return text.slice(0, max);
}

/** For notifications, input prompts and validation messages: no link can start. */
export function inertNotification(text: string, max = 300): string {
  return text.slice(0, max);
}

/** For tree labels and descriptions, quick picks and the status bar: no icon can start. */
export function inertLabel(text: string, max = 100): string {
  return text.slice(0, max);
}

/** For diagnostics, plain tooltips and screen-reader labels: one line of plain text. */
export function inertPlain(text: string, max = 500): string {
  return text.slice(0, max);
}

/** Deeper values are not shown. */
const maxDepth = 20;

/**
 * A JSON value as text of at most so many characters, `…` at its end if it was cut. Works only as much as it shows: `JSON.stringify`
 * would write megabytes for a line of text, and fail on what is nested 100,000 times.
 */
export function jsonPreview(value: unknown, maxChars: number): string {
  let text = '';
  const write = (part: unknown, depth: number): void => {
    if (typeof part === 'string') {
      text += JSON.stringify(part.slice(0, maxChars + 1));
    } else if (typeof part !== 'object' || part === null) {
      text += String(part);
    } else if (depth === maxDepth) {
      text += '…';
    } else if (Array.isArray(part)) {
      text += '[';
      for (let at = 0; at < part.length && text.length <= maxChars; at++) {
        if (at > 0) text += ',';
        write(part[at], depth + 1);
      }
      text += ']';
    } else if (isRecord(part)) {
      text += '{';
      let separator = '';
      for (const name in part) {
        if (text.length > maxChars) break;
        text += `${separator}${JSON.stringify(name.slice(0, maxChars + 1))}:`;
        write(part[name], depth + 1);
        separator = ',';
      }
      text += '}';
    }
  };
  write(value, 0);
  if (text.length <= maxChars) return text;
  return `${text.slice(0, Math.max(0, maxChars - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

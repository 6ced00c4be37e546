/** No preview that a person reads goes deeper. */
const deepest = 20;

/**
 * A JSON value as text of at most `longest` characters, `…` at its end if it was cut. Works only as much as it shows:
 * `JSON.stringify` would write megabytes for a line of text, and fail on what is nested 100,000 times.
 */
export function jsonPreview(value: unknown, longest: number): string {
  let text = '';
  for (const piece of pieces(value, 0, longest)) {
    text += piece;
    if (text.length > longest) return `${text.slice(0, Math.max(0, longest - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
  }
  return text;
}

function* pieces(value: unknown, depth: number, longest: number): Generator<string> {
  if (typeof value === 'string') {
    yield JSON.stringify(value.slice(0, longest + 1));
  } else if (typeof value !== 'object' || value === null) {
    yield String(value);
  } else if (depth === deepest) {
    yield '…';
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [at, item] of value.entries()) {
      yield at === 0 ? '' : ',';
      yield* pieces(item, depth + 1, longest);
    }
    yield ']';
  } else if (isRecord(value)) {
    yield '{';
    let separator = '';
    for (const name in value) {
      yield `${separator}${JSON.stringify(name.slice(0, longest + 1))}:`;
      yield* pieces(value[name], depth + 1, longest);
      separator = ',';
    }
    yield '}';
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isRecord } from '../api/decode.js';
import { shorten } from './inertText.js';

const maxValueChars = 200;

interface FieldTexts {
  /** "environment production", "nested.deep [1,2]" */
  readonly shown: readonly string[];
  /** How many fields are not shown. */
  readonly more: number;
}

/**
 * The first fields of an object as the platform sent it, unknown ones included, in its order, and
 * those of an object in it one by one. `without`: paths that are not wanted, like `error.code`.
 * A field can be as large as an answer: no more of it is read than is shown.
 */
export function fieldTexts(object: object, without: readonly string[], max: number): FieldTexts {
  const shown: string[] = [];
  let more = 0;
  for (const [path, value] of fieldsOf(object)) {
    if (without.includes(path)) continue;
    if (shown.length < max) shown.push(`${path} ${valueText(value)}`);
    else more++;
  }
  return { shown, more };
}

function* fieldsOf(object: object): Generator<readonly [path: string, value: unknown]> {
  const fields = isRecord(object) ? object : {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const inner = isRecord(value) ? value : {};
    const innerNames = Object.keys(inner);
    if (innerNames.length === 0) yield [name, value];
    for (const key of innerNames) yield [`${name}.${key}`, inner[key]];
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return shorten(value, maxValueChars);
  if (Array.isArray(value)) {
    // Each text takes at least a comma and a space.
    const first: readonly unknown[] = value.slice(0, maxValueChars);
    if (first.every((one) => typeof one === 'string'))
      return shorten(first.join(', '), maxValueChars);
  }
  let text = '';
  for (const part of jsonParts(value)) {
    text += part;
    if (text.length > maxValueChars) break;
  }
  return shorten(text, maxValueChars);
}

/**
 * The value as JSON, without the ends of long texts. Each part is made when it is asked for, so
 * the rest of a large value costs nothing.
 */
function* jsonParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (const [at, one] of value.entries()) {
      if (at > 0) yield ',';
      yield* jsonParts(one);
    }
    yield ']';
  } else if (isRecord(value)) {
    yield '{';
    for (const [at, name] of Object.keys(value).entries()) {
      if (at > 0) yield ',';
      yield* jsonParts(name);
      yield ':';
      yield* jsonParts(value[name]);
    }
    yield '}';
  } else {
    yield JSON.stringify(typeof value === 'string' ? value.slice(0, maxValueChars) : value);
  }
}

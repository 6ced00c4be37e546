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
 * Returns the first `max` fields of an object as the platform sent it, unknown ones included, in
 * its order, and the fields of an object in it one by one. `without`: paths that are not wanted,
 * such as `error.code`. A field can be as large as an answer: no more of it is read than is shown.
 */
export function fieldTexts(object: object, without: readonly string[], max: number): FieldTexts {
  const shown: string[] = [];
  let more = 0;
  for (const [path, value] of fieldsOf(object)) {
    if (without.includes(path)) continue;
    if (shown.length < max) shown.push(`${path} ${valueText(value)}`);
    else more += 1;
  }
  return { shown, more };
}

function* fieldsOf(object: object): Generator<readonly [path: string, value: unknown]> {
  if (!isRecord(object)) return;
  for (const name of Object.keys(object)) {
    const value = object[name];
    const innerNames = isRecord(value) ? Object.keys(value) : [];
    if (!isRecord(value) || innerNames.length === 0) {
      yield [name, value];
      continue;
    }
    for (const innerName of innerNames) yield [`${name}.${innerName}`, value[innerName]];
  }
}

/**
 * "production", "read, write" for a list of texts (nothing for an empty list), and JSON for
 * everything else: "[1,2]".
 */
function valueText(value: unknown): string {
  if (typeof value === 'string') return shorten(value, maxValueChars);
  if (Array.isArray(value)) {
    // Each element takes at least a comma and a space, so that no more of them can be shown.
    const first: readonly unknown[] = value.slice(0, maxValueChars);
    const areTexts = first.every((element) => typeof element === 'string');
    if (areTexts) return shorten(first.join(', '), maxValueChars);
  }
  let text = '';
  for (const part of jsonParts(value)) {
    text += part;
    if (text.length > maxValueChars) break;
  }
  return shorten(text, maxValueChars);
}

/**
 * Yields the JSON of the value piece by piece: brackets, commas, names, and values. Each string is
 * cut to the length of the whole result first. A reader that stops early leaves the rest of a large
 * value unwritten.
 */
function* jsonParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (const [index, element] of value.entries()) {
      if (index > 0) yield ',';
      yield* jsonParts(element);
    }
    yield ']';
  } else if (isRecord(value)) {
    yield '{';
    for (const [index, name] of Object.keys(value).entries()) {
      if (index > 0) yield ',';
      yield* jsonParts(name);
      yield ':';
      yield* jsonParts(value[name]);
    }
    yield '}';
  } else {
    const shortValue = typeof value === 'string' ? value.slice(0, maxValueChars) : value;
    yield JSON.stringify(shortValue);
  }
}

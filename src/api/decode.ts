/* oxlint-disable typescript/no-unsafe-type-assertion -- JSON has no types: assertions here state
   what was just checked. */

/** A part of an answer that has another JSON type than expected, or is missing. */
export interface DecodeIssue {
  /** `accounts[3].scopes` */
  readonly path: string;
  /** The expected JSON type. */
  readonly expected: string;
  /** The JSON type of the value, which itself is never kept; `absent` if there is none. */
  readonly found: 'absent' | 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
}

export interface WithDecodeIssues {
  readonly decodeIssues: readonly DecodeIssue[];
}

/** More than any answer has, unless it is made to have many. Further issues are not kept. */
export const maxDecodeIssues = 10_000;

/** Collects what the decoders of one answer could not read. `readAnswer` makes it. */
export class DecodeIssues {
  readonly list: (Omit<DecodeIssue, 'path'> & { path: string })[] = [];

  /** Adds an issue about the value that is being decoded. `decodeAt` completes its path. */
  add(expected: string, value: unknown): void {
    if (this.list.length < maxDecodeIssues)
      this.list.push({ path: '', expected, found: jsonType(value) });
  }

  /**
   * Decodes a part of a value: the one at `step`, an index or a field's name. Puts the step before
   * the paths of all issues of this part, so that paths are only made where there are issues.
   */
  decodeAt<T>(step: string | number, decode: Decoder<T>, part: unknown): T | undefined {
    const countBefore = this.list.length;
    const decoded = decode(part, this);
    for (let index = countBefore; index < this.list.length; index++) {
      const issue = this.list[index]!;
      issue.path = pathFrom(step, issue.path);
    }
    return decoded;
  }
}

/** `pathFrom('accounts', '[3].scopes')`: `accounts[3].scopes` */
function pathFrom(step: string | number, innerPath: string): string {
  const start = typeof step === 'number' ? `[${step}]` : step;
  const needsDot = innerPath !== '' && !innerPath.startsWith('[');
  return needsDot ? `${start}.${innerPath}` : start + innerPath;
}

/**
 * Reads a JSON value and adds an issue for each wrong part. Returns the value itself if all of it
 * is right, else a copy without the wrong parts; `undefined` if nothing is usable.
 */
export type Decoder<T> = (value: unknown, issues: DecodeIssues) => T | undefined;

export const string: Decoder<string> = (value, issues) => {
  if (typeof value === 'string') return value;
  issues.add('string', value);
  return undefined;
};

export const boolean: Decoder<boolean> = (value, issues) => {
  if (typeof value === 'boolean') return value;
  issues.add('boolean', value);
  return undefined;
};

/** Decodes `null`, or what `decode` does. */
export function nullable<T>(decode: Decoder<T>): Decoder<T | null> {
  return (value, issues) => (value === null ? null : decode(value, issues));
}

/** Decodes an array without its wrong items. */
export function array<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (value, issues) => {
    if (!Array.isArray(value)) {
      issues.add('array', value);
      return undefined;
    }
    let copy: T[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      const decoded = issues.decodeAt(index, decode, item);
      if (copy === undefined && decoded === item) continue;
      copy ??= value.slice(0, index);
      if (decoded !== undefined) copy.push(decoded);
    }
    return copy ?? (value as T[]);
  };
}

/** The key of a list of field names in a decoded object. A symbol is no key that JSON can have. */
const partlyRead = Symbol('names of the fields that were not read whole');

interface Marked {
  readonly [partlyRead]?: readonly string[];
}

/**
 * Returns whether a field of a decoded object lacks no part. An absent field lacks one if it is
 * required.
 */
export function isReadWhole(decoded: object, field: string): boolean {
  const names = (decoded as Marked)[partlyRead];
  return names === undefined || !names.includes(field);
}

/** The decoders of an object's fields, by name. */
export type Fields = Readonly<Record<string, Decoder<unknown>>>;

/** An object whose fields these decoders have read. Each may be absent. */
export type Decoded<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Decoder<infer T> ? T : never;
};

/**
 * Decodes an object without its wrong fields. Unknown fields stay. An absent field is an issue only
 * if it is `required`.
 */
export function object<F extends Fields>(
  fields: F,
  required: readonly string[] = [],
): Decoder<Decoded<F>> {
  const entries: [string, Decoder<unknown>][] = Object.entries(fields);
  return (value, issues) => {
    if (!isRecord(value)) {
      issues.add('object', value);
      return undefined;
    }
    let copy: Record<string, unknown> | undefined;
    let partlyReadNames: string[] | undefined;
    for (const [name, decode] of entries) {
      // No field has the name of a property that every object inherits.
      const field = value[name];
      if (field === undefined && !required.includes(name)) continue;
      const decoded = issues.decodeAt(name, decode, field);
      const isRight = decoded === field && decoded !== undefined;
      if (isRight) continue;
      partlyReadNames ??= [];
      partlyReadNames.push(name);
      copy ??= markedCopy(value, partlyReadNames);
      if (decoded === undefined) delete copy[name];
      else copy[name] = decoded;
    }
    return (copy ?? value) as Decoded<F>;
  };
}

/** The mark is not enumerable, so that it is no field of the answer. */
function markedCopy(
  value: Readonly<Record<string, unknown>>,
  partlyReadNames: readonly string[],
): Record<string, unknown> {
  return Object.defineProperty({ ...value }, partlyRead, { value: partlyReadNames });
}

/** Returns the names of the fields of a decoded object that have no decoder. */
export function unknownFields(decoded: object, fields: Fields): readonly string[] {
  return Object.keys(decoded).filter((name) => !Object.hasOwn(fields, name));
}

function jsonType(value: unknown): DecodeIssue['found'] {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as DecodeIssue['found'];
}

/** Whether the value is an object that is no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

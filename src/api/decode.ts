/* oxlint-disable typescript/no-unsafe-type-assertion -- JSON has no types: the assertions here state what was just checked. */
import type { DecodeProblem } from './answer.js';

/** Problems beyond these are only counted. */
const mostProblems = 100;

/** What a decoder had to leave out. Paths are completed from the inside out, so that a right answer costs nothing. */
export class Problems {
  readonly #list: { path: string; readonly expected: string; readonly found: DecodeProblem['found'] }[] = [];
  #count = 0;

  get list(): readonly DecodeProblem[] {
    return this.#list;
  }

  get count(): number {
    return this.#count;
  }

  add(expected: string, value: unknown): undefined {
    this.#count++;
    if (this.#list.length < mostProblems) {
      this.#list.push({ path: '', expected, found: jsonType(value) });
    }
    return undefined;
  }

  /** Puts a step before the paths of what was added since the list had `length` entries. */
  prefix(length: number, step: string | number): void {
    if (this.#list.length === length) {
      return;
    }
    for (const problem of this.#list.slice(length)) {
      const rest = problem.path === '' || problem.path.startsWith('[') ? problem.path : `.${problem.path}`;
      problem.path = typeof step === 'number' ? `[${step}]${rest}` : `${step}${rest}`;
    }
  }
}

/** Reads a JSON value. The very same value if all is well, a copy without what was wrong, or `undefined` if nothing is right. */
export type Decoder<T> = (value: unknown, problems: Problems) => T | undefined;

export const string: Decoder<string> = (value, problems) =>
  typeof value === 'string' ? value : problems.add('string', value);

export const boolean: Decoder<boolean> = (value, problems) =>
  typeof value === 'boolean' ? value : problems.add('boolean', value);

/** `null` stands for "none" here, and is no problem. */
export function nullable<T>(decode: Decoder<T>): Decoder<T | null> {
  return (value, problems) => (value === null ? null : decode(value, problems));
}

/** Items that are wrong are left out, the others stay. */
export function array<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (value, problems) => {
    if (!Array.isArray(value)) {
      return problems.add('array', value);
    }
    let copy: T[] | undefined;
    let before = problems.list.length;
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at];
      const decoded = decode(item, problems);
      // The very same value has nothing wrong in it: almost always this is all that is left to do.
      if (decoded === item && decoded !== undefined) {
        copy?.push(decoded);
        continue;
      }
      problems.prefix(before, at);
      before = problems.list.length;
      copy ??= (value as T[]).slice(0, at);
      if (decoded !== undefined) {
        copy.push(decoded);
      }
    }
    return copy ?? (value as T[]);
  };
}

/** The decoder of each field that the reference names. */
export type Fields<T> = { readonly [K in keyof T]-?: Decoder<Exclude<T[K], undefined>> };

/** Fields that are absent are no problem unless `required`; those that are wrong are left out; unknown ones stay. */
export function object<T extends object>(fields: Fields<T>, required: readonly string[] = []): Decoder<T> {
  const entries: [string, Decoder<unknown>][] = Object.entries(fields);
  const known = entries.map(([name, decode]) => ({ name, decode, isRequired: required.includes(name) }));
  return (value, problems) => {
    if (!isObject(value)) {
      return problems.add('object', value);
    }
    let copy: Record<string, unknown> | undefined;
    let before = problems.list.length;
    for (const { name, decode, isRequired } of known) {
      // None of the names is one that every object inherits.
      const field = value[name];
      if (field === undefined && !isRequired) {
        continue;
      }
      const decoded = decode(field, problems);
      if (decoded !== field || decoded === undefined) {
        problems.prefix(before, name);
        before = problems.list.length;
        copy ??= { ...value };
        if (decoded === undefined) {
          delete copy[name];
        } else {
          copy[name] = decoded;
        }
      }
    }
    return (copy ?? value) as T;
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function jsonType(value: unknown): DecodeProblem['found'] {
  if (value === undefined) {
    return 'absent';
  }
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'array' : (typeof value as DecodeProblem['found']);
}

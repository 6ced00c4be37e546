export interface DecodeIssue {
  readonly path: string;
  readonly expected: string;
  /** JSON type of what was found (`absent` if nothing was), never its value. */
  readonly found: 'absent' | 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
}

export interface WithDecodeIssues {
  readonly decodeIssues: readonly DecodeIssue[];
}

/* oxlint-disable typescript/no-unsafe-type-assertion -- JSON has no types: the assertions here state what was just checked. */

/** More than any answer has, unless it is made to have many. */
export const maxDecodeIssues = 10_000;

export class DecodeIssues {
  readonly list: (Omit<DecodeIssue, 'path'> & { path: string })[] = [];

  add(expected: string, value: unknown): undefined {
    if (this.list.length < maxDecodeIssues)
      this.list.push({ path: '', expected, found: jsonType(value) });
    return undefined;
  }

  /** Decodes what stands one step further. Paths are completed from the inside out, so that a right answer costs nothing. */
  at<T>(step: string | number, decode: Decoder<T>, value: unknown): T | undefined {
    const before = this.list.length;
    const decoded = decode(value, this);
    for (let nth = before; nth < this.list.length; nth++) {
      const issue = this.list[nth]!;
      const rest = issue.path === '' || issue.path.startsWith('[') ? issue.path : `.${issue.path}`;
      issue.path = typeof step === 'number' ? `[${step}]${rest}` : `${step}${rest}`;
    }
    return decoded;
  }
}

/** Reads a JSON value: itself if all is well, else a copy without what was wrong, or `undefined` if nothing is right. */
export type Decoder<T> = (value: unknown, issues: DecodeIssues) => T | undefined;

export const string: Decoder<string> = (value, issues) =>
  typeof value === 'string' ? value : issues.add('string', value);

export const boolean: Decoder<boolean> = (value, issues) =>
  typeof value === 'boolean' ? value : issues.add('boolean', value);

export function nullable<T>(decode: Decoder<T>): Decoder<T | null> {
  return (value, issues) => (value === null ? null : decode(value, issues));
}

export function array<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (value, issues) => {
    if (!Array.isArray(value)) return issues.add('array', value);
    let copy: T[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      const decoded = issues.at(index, decode, item);
      if (copy === undefined && decoded === item) continue;
      copy ??= value.slice(0, index);
      if (decoded !== undefined) copy.push(decoded);
    }
    return copy ?? (value as T[]);
  };
}

/** No key that JSON can have. */
const partlyRead = Symbol('names of the fields that were not read whole');

interface Marked {
  readonly [partlyRead]?: readonly string[];
}

/** Returns whether nothing was left out of this field, which may have been absent. */
export function isReadWhole(decoded: object, field: string): boolean {
  const { [partlyRead]: names } = decoded as Marked;
  return names?.includes(field) !== true;
}

export type Fields = Readonly<Record<string, Decoder<unknown>>>;

export type Decoded<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Decoder<infer T> ? T : never;
};

/** Fields that are absent are no problem unless `required`; those that are wrong are left out; unknown ones stay. */
export function object<F extends Fields>(
  fields: F,
  required: readonly string[] = [],
): Decoder<Decoded<F>> {
  const entries: [string, Decoder<unknown>][] = Object.entries(fields);
  return (value, issues) => {
    if (!isRecord(value)) return issues.add('object', value);
    let copy: Record<string, unknown> | undefined;
    let names: string[] | undefined;
    for (const [name, decode] of entries) {
      // No field has the name of a property that every object inherits.
      const field = value[name];
      if (field === undefined && !required.includes(name)) continue;
      const decoded = issues.at(name, decode, field);
      if (decoded === field && decoded !== undefined) continue;
      names ??= [];
      names.push(name);
      // Not enumerable, so that it is no field of the answer.
      copy ??= Object.defineProperty({ ...value }, partlyRead, { value: names });
      if (decoded === undefined) delete copy[name];
      else copy[name] = decoded;
    }
    return (copy ?? value) as Decoded<F>;
  };
}

export function unknownFields(decoded: object, fields: Fields): readonly string[] {
  return Object.keys(decoded).filter((name) => !Object.hasOwn(fields, name));
}

function jsonType(value: unknown): DecodeIssue['found'] {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as DecodeIssue['found']);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  visit,
} from 'jsonc-parser';
import { isRecord } from '../../api/decode.js';

/**
 * The edits that turn `before`, the list at `path` in the text of a settings file, into `after`. All comments stay but those that
 * stand behind a removed entry in its line. The library's own `modify` moves and removes comments of the entries beside it
 * (https://github.com/microsoft/node-jsonc-parser/issues/125, https://github.com/microsoft/node-jsonc-parser/issues/10).
 * @returns `undefined` if the text has another list there, one without comments, or one that can't be edited so.
 */
export function listEdits(
  text: string,
  path: readonly string[],
  before: readonly unknown[],
  after: readonly unknown[],
): readonly Edit[] | undefined {
  const found = nodeAt(text, path, 'array');
  if (!found || !hasComments(text, found)) return undefined;
  if (!isSameValue(getNodeValue(found), before)) return undefined;
  const edits = changes(plain(before), plain(after), new ListInText(text, found, path.length));
  const edited = edits && nodeAt(applyEdits(text, edits), path, 'array');
  return edited && isSameValue(getNodeValue(edited), after) ? edits : undefined;
}

/** The edits that give the object at `path` this value under the key, or none under it: as with a list. */
export function propertyEdits(
  text: string,
  path: readonly string[],
  key: string,
  value: string | undefined,
): readonly Edit[] | undefined {
  const found = nodeAt(text, path, 'object');
  if (!found || !hasComments(text, found)) return undefined;
  const entries = found.children ?? [];
  const isOf = ({ children }: Node) => children?.[0]?.value === key;
  const own = new Set(entries.flatMap((entry, index) => (isOf(entry) ? index : [])));
  const table = new ListInText(text, found, path.length);
  const node = entries.findLast(isOf)?.children?.[1];
  const content = JSON.stringify(value);
  let edits: Edit[];
  if (value === undefined) edits = table.remove(own);
  else if (node) edits = [{ offset: node.offset, length: node.length, content }];
  else edits = table.insert(entries.length, [`${JSON.stringify(key)}: ${content}`]);
  const edited = nodeAt(applyEdits(text, edits), path, 'object');
  const { [key]: _, ...others }: Readonly<Record<string, unknown>> = plain(getNodeValue(found));
  return edited && isSameValue(getNodeValue(edited), value === undefined ? others : { ...others, [key]: value })
    ? edits
    : undefined;
}

export function isSameValue(one: unknown, another: unknown): boolean {
  return isDeepStrictEqual(plain(one ?? null), plain(another ?? null));
}

/** The library makes objects without a prototype, which equal no others. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

function nodeAt(text: string, path: readonly string[], type: 'array' | 'object'): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const found = root && errors.length === 0 ? findNodeAtLocation(root, [...path]) : undefined;
  return found?.type === type ? found : undefined;
}

function hasComments(text: string, { offset, length }: Node): boolean {
  let isFound = false;
  const onComment = () => {
    isFound = true;
  };
  visit(text.slice(offset, offset + length), { onComment });
  return isFound;
}

/** Entries are replaced in a list of the same length, inserted into a longer one, and removed from a shorter one. */
function changes(before: readonly unknown[], after: readonly unknown[], list: ListInText): Edit[] | undefined {
  if (before.length === after.length) {
    return before.flatMap((value, index) =>
      isDeepStrictEqual(value, after[index]) ? [] : list.replace(index, value, after[index]),
    );
  }
  const isLonger = after.length > before.length;
  const [longer, shorter] = isLonger ? [after, before] : [before, after];
  const removed = new Set<number>();
  const inserted = new Map<number, unknown[]>();
  let next = 0;
  for (const [index, value] of longer.entries()) {
    if (next < shorter.length && isDeepStrictEqual(value, shorter[next])) {
      next++;
      continue;
    }
    removed.add(index);
    inserted.set(next, [...(inserted.get(next) ?? []), value]);
  }
  if (next < shorter.length) return undefined;
  return isLonger
    ? [...inserted].flatMap(([index, values]) => list.insert(index, values.map(jsonText)))
    : list.remove(removed);
}

/** A list, or an object with its properties, in the text of a settings file. Each method gives the edits for one change. */
class ListInText {
  private readonly entries: readonly Node[];
  /** Behind the first bracket, and before the last. */
  private readonly start: number;
  private readonly end: number;
  private readonly newLine: string;

  /** `depth`: in how many objects the list is, each of which indents it. */
  constructor(
    private readonly text: string,
    list: Node,
    private readonly depth: number,
  ) {
    this.entries = list.children ?? [];
    this.start = list.offset + 1;
    this.end = list.offset + list.length - 1;
    this.newLine = text.includes('\r\n') ? '\r\n' : '\n';
  }

  remove(indexes: ReadonlySet<number>): Edit[] {
    const edits = [...indexes].flatMap((index) => this.removal(index));
    const last = this.entries.length - 1;
    const kept = this.entries.findLastIndex((_, index) => !indexes.has(index));
    if (kept < 0 || kept === last || this.after(last).comma !== undefined) return edits;
    const { comma } = this.after(kept);
    return comma === undefined ? edits : [...edits, { offset: comma, length: 1, content: '' }];
  }

  /** Behind the line of the entry before it, so that a comment above the next one stays there. */
  insert(index: number, texts: readonly string[]): Edit[] {
    const [previous, next] = [this.entries[index - 1], this.entries[index]];
    const { comma, lineEnd } = this.after(index - 1);
    const edits = previous && comma === undefined ? [{ offset: endOf(previous), length: 0, content: ',' }] : [];
    if (lineEnd === undefined) {
      const behind = previous ? (comma === undefined ? endOf(previous) : comma + 1) : next ? this.start : this.end;
      return [...edits, { offset: behind, length: 0, content: ` ${texts.join(', ')}${next ? ',' : ''}` }];
    }
    const gap = this.newLine + this.indentationOfEntries(next ?? previous);
    const ending = next || comma !== undefined ? ',' : '';
    return [...edits, { offset: lineEnd, length: 0, content: gap + texts.join(`,${gap}`) + ending }];
  }

  /** Only what differs in an object, since it may have comments too. */
  replace(index: number, before: unknown, after: unknown): Edit[] {
    const entry = this.entries[index]!;
    const whole = { offset: entry.offset, length: entry.length, content: jsonText(after) };
    if (!isRecord(before) || !isRecord(after) || Object.keys(before).some((key) => !(key in after))) return [whole];
    return Object.entries(after).flatMap(([key, value]) => {
      if (isDeepStrictEqual(value, before[key])) return [];
      const content = jsonText(value);
      const old = findNodeAtLocation(entry, [key]);
      if (old) return [{ offset: old.offset, length: old.length, content }];
      return [{ offset: endOf(entry.children!.at(-1)!), length: 0, content: `, ${JSON.stringify(key)}: ${content}` }];
    });
  }

  /** Of an entry that has its lines to itself all of them, with the comment at their end; else the entry with its comma. */
  private removal(index: number): Edit[] {
    const entry = this.entries[index]!;
    const { comma, lineEnd } = this.after(index);
    if (lineEnd !== undefined && this.isFirstInLine(entry.offset)) {
      const offset = this.lineStart(entry.offset);
      return [{ offset, length: lineEnd + this.newLine.length - offset, content: '' }];
    }
    const edits = [{ offset: entry.offset, length: entry.length, content: '' }];
    if (comma === undefined) return edits;
    const spaces = /^[ \t]*/.exec(this.text.slice(comma + 1))![0].length;
    return [...edits, { offset: comma, length: 1 + spaces, content: '' }];
  }

  /**
   * What stands between an entry (the first bracket, with the index -1) and the next one or the end: the comma, if it is in the same
   * line, and where that line ends, if it does before the next one.
   */
  private after(index: number): { readonly comma?: number; readonly lineEnd?: number } {
    const entry = this.entries[index];
    const end = this.entries[index + 1]?.offset ?? this.end;
    const found: { comma?: number; lineEnd?: number } = {};
    // Besides these there is only white space.
    const tokens = /,|\r?\n|\/\/[^\r\n]*|\/\*[^]*?\*\//g;
    tokens.lastIndex = entry ? endOf(entry) : this.start;
    for (let token = tokens.exec(this.text); token && token.index < end; token = tokens.exec(this.text)) {
      if (token[0] === ',') found.comma = token.index;
      if (token[0].endsWith('\n')) return { ...found, lineEnd: token.index };
    }
    return found;
  }

  private indentationOfEntries(entry: Node | undefined): string {
    const outer = this.indentation(this.start);
    return entry ? this.indentation(entry.offset) : outer + outer.slice(0, outer.length / this.depth);
  }

  private isFirstInLine(offset: number): boolean {
    return this.lineStart(offset) + this.indentation(offset).length === offset;
  }

  private indentation(offset: number): string {
    return /^[ \t]*/.exec(this.text.slice(this.lineStart(offset), offset))![0];
  }

  private lineStart(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** In one line. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
}

import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import { isRecord } from '../../api/decode.js';
import { groupBy } from '../../model/findings/findings.js';

/**
 * The text of a settings file whose list or object at `path` is changed from `before` to `after`. All comments stay but those that
 * stand behind a removed entry, up to its comma or the end of its line. The library's own `modify` moves and removes comments of the entries beside it
 * (https://github.com/microsoft/node-jsonc-parser/issues/125, https://github.com/microsoft/node-jsonc-parser/issues/10).
 * @returns `undefined` if the text has another value there, or one that can't be changed so.
 */
export function editedText(
  text: string,
  path: readonly string[],
  before: unknown,
  after: unknown,
): string | undefined {
  const node = nodeAt(text, path);
  if (!node || !isSameValue(getNodeValue(node), before)) return undefined;
  const edits = editsOf(text, node, plain(after), path.length).toSorted(
    (a, b) => a.start - b.start,
  );
  const parts = edits.map((one, nth) => text.slice(edits[nth - 1]?.end ?? 0, one.start) + one.text);
  const edited = parts.join('') + text.slice(edits.at(-1)?.end ?? 0);
  const result = nodeAt(edited, path);
  return result && isSameValue(getNodeValue(result), after) ? edited : undefined;
}

/** Whether a comment may stand inside the value at `path`: an ID can look like one. */
export function mayHaveComments(text: string, path: readonly string[]): boolean {
  const node = nodeAt(text, path);
  return node !== undefined && /\/[/*]/.test(text.slice(node.offset, endOf(node)));
}

/** The text that VS Code's own write makes of this one, but for white space. */
export function textByCode(text: string, path: readonly string[], value: unknown): string {
  try {
    return applyEdits(text, modify(text, [...path], value, {}));
  } catch {
    // The library, which VS Code uses too, sets no value in a list or a number.
    return text;
  }
}

export function isSameValue(one: unknown, another: unknown): boolean {
  return isDeepStrictEqual(plain(one ?? null), plain(another ?? null));
}

/** The library makes objects without a prototype, which equal no others. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  return root && errors.length === 0 ? findNodeAtLocation(root, [...path]) : undefined;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `depth`: in how many objects the value is, each of which indents it. */
function editsOf(text: string, node: Node, after: unknown, depth: number): readonly Edit[] {
  const before: unknown = plain(getNodeValue(node));
  const { children = [] } = node;
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length === after.length)
      return children.flatMap((one, at) => editsOf(text, one, after[at], depth + 1));
    const places = groupBy([...before.keys()], (at) => entryText(before[at]));
    let next = 0;
    const entries = after.map((value: unknown) => {
      const at = places.get(entryText(value))?.find((place) => place >= next);
      if (at === undefined) return jsonText(value);
      next = at + 1;
      return children[at]!;
    });
    return entryEdits(text, node, entries, depth);
  }
  if (!isRecord(before) || !isRecord(after))
    return [{ start: node.offset, end: endOf(node), text: jsonText(after) }];
  const kept = children.filter((property) => Object.hasOwn(after, keyOf(property)));
  const added = Object.entries(after).filter(([key]) => !Object.hasOwn(before, key));
  const entries = [
    ...kept,
    ...added.map(([key, value]) => `${JSON.stringify(key)}: ${jsonText(value)}`),
  ];
  return [
    ...kept.flatMap((property) =>
      editsOf(text, property.children![1]!, after[keyOf(property)], depth + 1),
    ),
    ...entryEdits(text, node, entries, depth),
  ];
}

function keyOf({ children: [key] = [] }: Node): string {
  return key!.value;
}

/** Leaves these entries in a list or object, in their order, and adds those that are texts. */
function entryEdits(
  text: string,
  list: Node,
  entries: readonly (Node | string)[],
  depth: number,
): readonly Edit[] {
  const { children = [] } = list;
  const kept = new Set(entries);
  const end = children.at(-1);
  const hasLastComma = end !== undefined && commaBehind(text, end) !== undefined;
  const last = entries.findLast((one) => typeof one !== 'string');
  const lastComma = last && commaBehind(text, last);
  const needsComma = hasLastComma || last !== entries.at(-1);
  const edits = children.filter((one) => !kept.has(one)).map((one) => removal(text, one));
  if (last && needsComma && lastComma === undefined)
    edits.push({ start: endOf(last), end: endOf(last), text: ',' });
  if (!needsComma && lastComma !== undefined)
    edits.push({ start: lastComma, end: lastComma + 1, text: '' });
  let before: Node | undefined;
  for (const [at, entry] of entries.entries()) {
    if (typeof entry !== 'string') {
      before = entry;
      continue;
    }
    const start = before ? behind(text, before) : list.offset + 1;
    const lineEnd = endOfMatch(commentsToLineEnd, text, start);
    const space = lineEnd === undefined ? ' ' : newLine(text, list, before ?? last, depth);
    const comma = hasLastComma || at < entries.length - 1 ? ',' : '';
    edits.push({ start: lineEnd ?? start, end: lineEnd ?? start, text: space + entry + comma });
  }
  return edits;
}

/** Of an entry that has its lines to itself all of them, else the entry and its comma. */
function removal(text: string, entry: Node): Edit {
  const end = behind(text, entry);
  const lineBreak = lineBreakBefore(text, entry);
  const lineEnd = endOfMatch(commentsToLineEnd, text, end);
  if (lineBreak !== undefined && lineEnd !== undefined)
    return { start: lineBreak, end: lineEnd, text: '' };
  return { start: entry.offset, end: text[end] === ' ' ? end + 1 : end, text: '' };
}

/**
 * Returns where the line break is that only white space separates from an entry; `undefined` if something
 * else stands before the entry in its line.
 */
function lineBreakBefore(text: string, entry: Node): number | undefined {
  let at = entry.offset - 1;
  while (text[at] === ' ' || text[at] === '\t') at--;
  if (text[at] !== '\n') return undefined;
  return text[at - 1] === '\r' ? at - 1 : at;
}

/** Equal for entries that are equal, in whatever order the fields of an object stand. */
function entryText(entry: unknown): string {
  if (!isRecord(entry)) return JSON.stringify(entry);
  const fields = Object.keys(entry).toSorted();
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, entry[field]])));
}

function behind(text: string, entry: Node): number {
  const comma = commaBehind(text, entry);
  return comma === undefined ? endOf(entry) : comma + 1;
}

/** Besides commas there are only white space and comments between two entries. */
const gap = /(?:\s|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;
const commentsToLineEnd = /(?:[ \t]|\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^])*\*\/)*(?=\r?\n)/y;

function commaBehind(text: string, entry: Node): number | undefined {
  const at = endOfMatch(gap, text, endOf(entry));
  return at !== undefined && text[at] === ',' ? at : undefined;
}

function endOfMatch(expression: RegExp, text: string, start: number): number | undefined {
  expression.lastIndex = start;
  return expression.test(text) ? expression.lastIndex : undefined;
}

function newLine(text: string, list: Node, neighbor: Node | undefined, depth: number): string {
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentation(text, list.offset);
  return (
    ending +
    (neighbor ? indentation(text, neighbor.offset) : outer + outer.slice(0, outer.length / depth))
  );
}

function indentation(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))![0];
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
}

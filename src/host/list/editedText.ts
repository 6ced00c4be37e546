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
 * Returns the text of a settings file whose list or object at `path` is changed from `before` to
 * `after`; `undefined` if the text is invalid, has another value at `path`, or would not have the
 * value `after` once it is edited. All comments stay, except those in a value that is removed or
 * replaced as a whole, and those behind a removed entry, up to its comma or the end of its line.
 * jsonc-parser's own `modify` moves and removes comments of neighboring entries
 * (https://github.com/microsoft/node-jsonc-parser/issues/125,
 * https://github.com/microsoft/node-jsonc-parser/issues/10).
 */
export function editedText(
  text: string,
  path: readonly string[],
  before: unknown,
  after: unknown,
): string | undefined {
  const node = nodeAt(text, path);
  if (!node || !isSameValue(getNodeValue(node), before)) return undefined;

  const edits = editsTo(plainJson(after), { text, node, depth: path.length });
  const edited = withEdits(text, edits);

  const editedNode = nodeAt(edited, path);
  const hasNewValue = editedNode !== undefined && isSameValue(getNodeValue(editedNode), after);
  return hasNewValue ? edited : undefined;
}

/** Whether a comment may stand inside the value at `path`: an ID can look like a comment. */
export function mayHaveComments(text: string, path: readonly string[]): boolean {
  const node = nodeAt(text, path);
  return node !== undefined && /\/[/*]/.test(text.slice(node.offset, endOf(node)));
}

/**
 * Returns the text that VS Code's own write of `value` makes of this text, except for white space.
 * Returns the text itself where VS Code can't set the value.
 */
export function textWrittenByVsCode(text: string, path: readonly string[], value: unknown): string {
  try {
    return applyEdits(text, modify(text, [...path], value, {}));
  } catch {
    // jsonc-parser, which VS Code uses too, sets no value inside a list or a number.
    return text;
  }
}

/** Compares two values as JSON; `undefined` equals `null`. */
export function isSameValue(first: unknown, second: unknown): boolean {
  return isDeepStrictEqual(plainJson(first ?? null), plainJson(second ?? null));
}

/** Copies a value. jsonc-parser makes objects without a prototype, which equal no other objects. */
function plainJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** Returns `undefined` for invalid JSON, and where the text has no value at `path`. */
function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (!root || errors.length > 0) return undefined;
  return findNodeAtLocation(root, [...path]);
}

/** Replaces what stands from `start` up to `end` (offsets in characters) with `text`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function insertion(offset: number, text: string): Edit {
  return { start: offset, end: offset, text };
}

function withEdits(text: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((a, b) => a.start - b.start);
  let edited = '';
  let end = 0;
  for (const edit of inOrder) {
    edited += text.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return edited + text.slice(end);
}

/** A value in the text of a settings file. */
interface ValueInText {
  /** The text of the whole file. */
  readonly text: string;
  readonly node: Node;
  /** How many objects and lists contain the value. Each of them indents it. */
  readonly depth: number;
}

function editsTo(after: unknown, value: ValueInText): readonly Edit[] {
  const { node } = value;
  const before: unknown = plainJson(getNodeValue(node));
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listEdits(before, after, value);
  if (isRecord(before) && isRecord(after)) return objectEdits(before, after, value);
  return [{ start: node.offset, end: endOf(node), text: jsonText(after) }];
}

function listEdits(
  before: readonly unknown[],
  after: readonly unknown[],
  list: ValueInText,
): readonly Edit[] {
  const { text, node, depth } = list;
  const { children = [] } = node;
  if (before.length === after.length) {
    return children.flatMap((child, index) =>
      editsTo(after[index], { text, node: child, depth: depth + 1 }),
    );
  }

  const indexesBefore = groupBy([...before.keys()], (index) => entryText(before[index]));
  let nextIndex = 0;
  const entries = after.map((entry) => {
    const sameBefore = indexesBefore.get(entryText(entry));
    const index = sameBefore?.find((candidate) => candidate >= nextIndex);
    if (index === undefined) return jsonText(entry);
    nextIndex = index + 1;
    return children[index]!;
  });
  return entryEdits(entries, list);
}

function objectEdits(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  object: ValueInText,
): readonly Edit[] {
  const { text, node, depth } = object;
  const { children = [] } = node;
  const kept = children.filter((property) => Object.hasOwn(after, keyOf(property)));
  const valueEdits = kept.flatMap((property) => {
    const value = property.children![1]!;
    return editsTo(after[keyOf(property)], { text, node: value, depth: depth + 1 });
  });

  const added = Object.entries(after).filter(([key]) => !Object.hasOwn(before, key));
  const addedTexts = added.map(([key, value]) => `${JSON.stringify(key)}: ${jsonText(value)}`);
  return [...valueEdits, ...entryEdits([...kept, ...addedTexts], object)];
}

/** Returns the key of a property of an object. */
function keyOf(property: Node): string {
  return property.children![0]!.value;
}

/** An entry of a list or a property of an object: one that stays, or the JSON text of a new one. */
type Entry = Node | string;

/**
 * Returns the edits that give a list or object these entries. The kept entries keep their order.
 */
function entryEdits(entries: readonly Entry[], container: ValueInText): readonly Edit[] {
  const { text, node } = container;
  const { children = [] } = node;
  const lastChild = children.at(-1);
  const hasTrailingComma = lastChild !== undefined && commaAfter(lastChild, text) !== undefined;

  const kept = new Set(entries);
  const removed = children.filter((child) => !kept.has(child));
  return [
    ...removed.map((child) => removal(child, text)),
    ...commaEdits(entries, text, hasTrailingComma),
    ...entryInsertions(entries, container, hasTrailingComma),
  ];
}

/** Adds or removes the comma behind the last kept entry. Returns at most one edit. */
function commaEdits(
  entries: readonly Entry[],
  text: string,
  hasTrailingComma: boolean,
): readonly Edit[] {
  const lastKept = entries.findLast((entry) => typeof entry !== 'string');
  if (!lastKept) return [];

  const commaOffset = commaAfter(lastKept, text);
  const needsComma = hasTrailingComma || lastKept !== entries.at(-1);
  if (needsComma && commaOffset === undefined) return [insertion(endOf(lastKept), ',')];
  if (!needsComma && commaOffset !== undefined)
    return [{ start: commaOffset, end: commaOffset + 1, text: '' }];
  return [];
}

/** Inserts each new entry behind the kept entry before it, or at the start of the container. */
function entryInsertions(
  entries: readonly Entry[],
  container: ValueInText,
  hasTrailingComma: boolean,
): readonly Edit[] {
  const { text, node } = container;
  const lastKept = entries.findLast((entry) => typeof entry !== 'string');
  const edits: Edit[] = [];
  let keptBefore: Node | undefined;
  for (const [index, entry] of entries.entries()) {
    if (typeof entry !== 'string') {
      keptBefore = entry;
      continue;
    }
    const start = keptBefore ? endWithComma(keptBefore, text) : node.offset + 1;
    const lineEnd = endOfMatch(commentsToLineEnd, text, start);
    const space = lineEnd === undefined ? ' ' : newLine(container, keptBefore ?? lastKept);
    const isLast = index === entries.length - 1;
    const comma = hasTrailingComma || !isLast ? ',' : '';
    edits.push(insertion(lineEnd ?? start, space + entry + comma));
  }
  return edits;
}

/** Removes whole lines if the entry stands alone on them, otherwise the entry and its comma. */
function removal(entry: Node, text: string): Edit {
  const end = endWithComma(entry, text);
  const lineBreak = lineBreakBefore(entry, text);
  const lineEnd = endOfMatch(commentsToLineEnd, text, end);
  if (lineBreak !== undefined && lineEnd !== undefined)
    return { start: lineBreak, end: lineEnd, text: '' };
  return { start: entry.offset, end: text[end] === ' ' ? end + 1 : end, text: '' };
}

/**
 * Returns the offset of the line break that only white space separates from an entry; `undefined`
 * if something else stands before the entry in its line.
 */
function lineBreakBefore(entry: Node, text: string): number | undefined {
  let offset = entry.offset - 1;
  while (text[offset] === ' ' || text[offset] === '\t') offset -= 1;
  if (text[offset] !== '\n') return undefined;
  return text[offset - 1] === '\r' ? offset - 1 : offset;
}

/** Returns the same text for equal entries, in whatever order the fields of an object stand. */
function entryText(entry: unknown): string {
  if (!isRecord(entry)) return JSON.stringify(entry);
  const fields = Object.keys(entry).toSorted();
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, entry[field]])));
}

/** Returns the offset behind an entry, and behind its comma if it has one. */
function endWithComma(entry: Node, text: string): number {
  const comma = commaAfter(entry, text);
  return comma === undefined ? endOf(entry) : comma + 1;
}

/** White space and comments: what stands between an entry and its comma. */
const gap = /(?:\s|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;

/** Blanks and comments up to the end of a line: " // Maria's" in "3, // Maria's". */
const commentsToLineEnd = /(?:[ \t]|\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^])*\*\/)*(?=\r?\n)/y;

/** Returns the offset of an entry's comma; `undefined` if the entry has none. */
function commaAfter(entry: Node, text: string): number | undefined {
  const offset = endOfMatch(gap, text, endOf(entry));
  return offset !== undefined && text[offset] === ',' ? offset : undefined;
}

/** Returns the end of what a sticky expression matches at `start`; `undefined` without a match. */
function endOfMatch(stickyExpression: RegExp, text: string, start: number): number | undefined {
  stickyExpression.lastIndex = start;
  return stickyExpression.test(text) ? stickyExpression.lastIndex : undefined;
}

/** Returns a line break and the indentation of an entry. `neighbor`: an entry of the container. */
function newLine({ text, node, depth }: ValueInText, neighbor: Node | undefined): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  if (neighbor) return lineBreak + indentation(text, neighbor.offset);

  const outerIndentation = indentation(text, node.offset);
  const oneLevel = outerIndentation.slice(0, outerIndentation.length / depth);
  return lineBreak + outerIndentation + oneLevel;
}

/** Returns the white space at the start of the line that has this offset. */
function indentation(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))![0];
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Returns JSON on one line with spaces: `{ "id": "dep_1", "label": "Sync" }`. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
}

import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { isRecord } from '../../api/decode.js';

/**
 * The text of a settings file whose list or object at `path` is changed from `before` to `after`. All comments stay but those that
 * stand behind a removed entry in its line. The library's own `modify` moves and removes comments of the entries beside it
 * (https://github.com/microsoft/node-jsonc-parser/issues/125, https://github.com/microsoft/node-jsonc-parser/issues/10).
 * @returns `undefined` if the text has another value there, one without comments, or one that can't be changed so.
 */
export function editedText(text: string, path: readonly string[], before: unknown, after: unknown): string | undefined {
  const node = nodeAt(text, path);
  if (!node || !/\/[/*]/.test(sourceOf(text, node)) || !isSameValue(getNodeValue(node), before)) return undefined;
  const edited = text.slice(0, node.offset) + changed(text, node, plain(after), path.length) + text.slice(endOf(node));
  const result = nodeAt(edited, path);
  return result && isSameValue(getNodeValue(result), after) ? edited : undefined;
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

/** An entry of a list or object as it will be. `index`: which one it was, if it was there; `text`: without what stands around it. */
interface NewEntry {
  readonly index?: number;
  readonly text: string;
}

/** The new text of a value. `depth`: in how many objects it is, each of which indents it. */
function changed(text: string, node: Node, after: unknown, depth: number): string {
  const before: unknown = plain(getNodeValue(node));
  if (isDeepStrictEqual(before, after)) return sourceOf(text, node);
  const nodes = node.children ?? [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const indexes = formerIndexes(before, after);
    const entries = after.map((value: unknown, position): NewEntry => {
      const index = indexes[position];
      return index === undefined
        ? { text: jsonText(value) }
        : { index, text: changed(text, nodes[index]!, value, depth + 1) };
    });
    return withEntries(text, node, entries, depth);
  }
  if (!isRecord(before) || !isRecord(after)) return jsonText(after);
  const kept = nodes.flatMap((property, index): readonly NewEntry[] => {
    const [key, value] = property.children!;
    if (!Object.hasOwn(after, key!.value)) return [];
    const start = text.slice(property.offset, value!.offset);
    return [{ index, text: start + changed(text, value!, after[key!.value], depth + 1) }];
  });
  const added = Object.entries(after).filter(([key]) => !Object.hasOwn(before, key));
  const entries = [...kept, ...added.map(([key, value]) => ({ text: `${JSON.stringify(key)}: ${jsonText(value)}` }))];
  return withEntries(text, node, entries, depth);
}

/** Which entry each one was: the one in its place in a list of the same length, else the next equal one. */
function formerIndexes(before: readonly unknown[], after: readonly unknown[]): readonly (number | undefined)[] {
  if (before.length === after.length) return [...before.keys()];
  let next = 0;
  return after.map((value) => {
    let index = next;
    while (index < before.length && !isDeepStrictEqual(before[index], value)) index++;
    if (index === before.length) return undefined;
    next = index + 1;
    return index;
  });
}

function withEntries(text: string, node: Node, entries: readonly NewEntry[], depth: number): string {
  const nodes = node.children ?? [];
  const end = endOf(node) - 1;
  const opening = behind(text, node.offset + 1, nodes[0]?.offset ?? end);
  const parts = nodes.map((entry, index) => behind(text, endOf(entry), nodes[index + 1]?.offset ?? end));
  const startOf = (index: number) => (parts[index - 1] ?? opening).end;
  const hasLastComma = parts.at(-1)?.comma !== undefined;

  let result = text.slice(node.offset, opening.end);
  let next = 0;
  const removeTo = (index: number) => {
    for (; next < index; next++) result += remains(text, startOf(next), nodes[next]!, parts[next]!);
  };
  for (const [position, { index, text: entry }] of entries.entries()) {
    const comma = hasLastComma || position < entries.length - 1 ? ',' : '';
    if (index === undefined) {
      const previous = next > 0 ? parts[next - 1]! : opening;
      const neighbor = nodes[next] ?? nodes[next - 1];
      result += `${previous.isLineEnd ? newLine(text, node, neighbor, depth) : ' '}${entry}${comma}`;
    } else {
      removeTo(index);
      const part = parts[index]!;
      const rest = part.comma === undefined ? comma : text.slice(endOf(nodes[index]!), part.comma) + comma;
      result += text.slice(startOf(index), nodes[index]!.offset) + entry + rest;
      result += text.slice(part.comma === undefined ? endOf(nodes[index]!) : part.comma + 1, part.end);
      next = index + 1;
    }
  }
  removeTo(nodes.length);
  return result + text.slice(startOf(nodes.length), endOf(node));
}

/** What stays of an entry that is removed: nothing of one that has its lines to itself, else the comments around it. */
function remains(text: string, start: number, entry: Node, { comma, end, isLineEnd }: Behind): string {
  const before = text.slice(start, entry.offset);
  const line = /\r?\n[ \t]*$/.exec(before);
  if (line && isLineEnd) return before.slice(0, line.index);
  const after = text.slice(endOf(entry), comma ?? end) + (comma === undefined ? '' : text.slice(comma + 1, end));
  return (/^[ \t]*$/.test(before) ? '' : before) + after;
}

/** What belongs to an entry behind it: its comma, and all to the end of the line if nothing else follows there. */
interface Behind {
  readonly comma?: number;
  readonly end: number;
  readonly isLineEnd?: boolean;
}

/** Behind an entry or the first bracket, before `limit`, where the next one stands, or the last bracket. */
function behind(text: string, start: number, limit: number): Behind {
  let comma: number | undefined;
  // Besides these there is only white space.
  const tokens = /,|\r?\n|\/\/[^\r\n]*|\/\*[^]*?\*\//g;
  tokens.lastIndex = start;
  for (let token = tokens.exec(text); token && token.index < limit; token = tokens.exec(text)) {
    if (token[0] === ',') comma = token.index;
    if (token[0].endsWith('\n')) return { comma, end: token.index, isLineEnd: true };
  }
  return { comma, end: comma === undefined ? start : comma + 1 };
}

function newLine(text: string, list: Node, neighbor: Node | undefined, depth: number): string {
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentation(text, list.offset);
  return ending + (neighbor ? indentation(text, neighbor.offset) : outer + outer.slice(0, outer.length / depth));
}

function indentation(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))![0];
}

function sourceOf(text: string, node: Node): string {
  return text.slice(node.offset, endOf(node));
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
}

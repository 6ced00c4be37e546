import { type InnerStart, innerStarts, isEnd, isTokenAt } from './borders.js';
import { type Reference, segmentsOf } from './reference.js';

/** A part of a text. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** It begins inside a run, in which no id that begins there is a reference. */
  readonly isCut: boolean;
}

/** The id of a node, and the index at which it ends in the text. */
interface Match {
  readonly node: number;
  readonly end: number;
  /** No shorter id that ends there counts, as this one ends inside a segment. */
  readonly isAlone?: boolean;
}

/**
 * Finds ids in parts of a text. It is the automaton of Aho and Corasick over segments:
 * each segment of a text costs about the same, whatever the ids have in common. `ReferenceIndex`
 * makes one of its ids and asks it.
 *
 * A node stands for what some ids begin with, and is a number: the root is 0, and a node of fewer
 * segments has a lower number. The suffix of a node is the longest other node that it ends in.
 */
export class IdAutomaton {
  /** Of each node the symbol of its first child, and that child. Most nodes have no other. */
  private readonly symbols: (string | undefined)[] = [];
  private readonly children: number[] = [];
  /** Of a node its other children, by symbol. */
  private readonly furtherChildren = new Map<number, Map<string, number>>();
  private readonly suffixes: number[] = [];
  /** Of each node the id that ends there. */
  private readonly ids: (string | undefined)[] = [];
  /** Of each node the longest suffix with an id, else the root. */
  private readonly shorter: number[] = [];

  constructor(ids: Iterable<string>) {
    this.addNode(0);
    let unfinished = Array.from(ids, (id) => ({ id, node: 0, segments: segmentsOf(id) }));
    // All ids grow by one segment at a time, so that each node is added after its suffix.
    while (unfinished.length > 0) {
      unfinished = unfinished.filter((path) => {
        const { value } = path.segments.next();
        if (value === undefined) this.ids[path.node] = path.id;
        else path.node = this.childOrNew(path.node, value.symbol);
        return value !== undefined;
      });
    }
    for (const [node, suffix] of this.suffixes.entries()) {
      this.shorter[node] = this.ids[suffix] === undefined ? this.shorter[suffix]! : suffix;
    }
  }

  /**
   * Of ids that overlap the longest, of equally long ones the first. The stretches are in order and
   * do not overlap.
   */
  scan(text: string, stretches: readonly Stretch[], languageId: string): readonly Reference[] {
    const byLength: Match[][] = [];
    for (const { from, to, isCut } of stretches) {
      let node = 0;
      for (const { symbol, start, end } of segmentsOf(text, from)) {
        if (start >= to) break;
        if (isCut && start <= from) continue;
        node = this.next(node, symbol);
        this.collect(text, node, end, byLength);
        for (const inner of innerStarts(text, start, end, languageId)) {
          if (inner.start < to) this.follow(text, inner, byLength);
        }
      }
    }
    return this.longest(byLength, text.length);
  }

  /** Collects the longest id that ends there. Its node leads to the shorter ones. */
  private collect(text: string, node: number, end: number, byLength: Match[][]): void {
    const last = this.ids[node] === undefined ? this.shorter[node]! : node;
    const id = this.ids[last];
    if (id !== undefined && isEnd(text, end)) put({ node: last, end }, id.length, byLength);
  }

  /** Collects the ids that begin inside a run, behind a code or `_`. */
  private follow(text: string, { start: from, emphasis }: InnerStart, byLength: Match[][]): void {
    let node = 0;
    for (const { symbol, end } of segmentsOf(text, from)) {
      if (emphasis > 0 && symbol.endsWith('_'.repeat(emphasis)) && !isTokenAt(text, end)) {
        const inside = symbol.slice(0, -emphasis);
        const last = inside === '' ? node : this.childOf(node, inside);
        const id = last === undefined ? undefined : this.ids[last];
        if (id !== undefined)
          put({ node: last!, end: end - emphasis, isAlone: true }, id.length, byLength);
      }
      const child = this.childOf(node, symbol);
      if (child === undefined) return;
      node = child;
      if (emphasis === 0) this.collect(text, node, end, byLength);
    }
  }

  /**
   * Takes the longest ids first. `byLength[n]`: the matches of which an id of at most `n` characters
   * can be taken.
   */
  private longest(byLength: Match[][], textLength: number): readonly Reference[] {
    const found: Reference[] = [];
    /** Of each character the end of the reference that it is in, else 0. */
    const taken = new Uint32Array(byLength.length > 0 ? textLength : 0);
    for (let length = byLength.length - 1; length > 0; length--) {
      for (const { node: last, end, isAlone } of byLength[length]?.toSorted(
        (a, b) => a.end - b.end,
      ) ?? []) {
        // What was taken is not shorter, so if it overlaps, it has the first or the last character.
        if (taken[end - 1] !== 0) continue;
        const node = this.atMost(length, last);
        const id = this.ids[node];
        if (id === undefined) continue;
        const start = end - id.length;
        const free = taken[start]!;
        if (id.length < length) put({ node, end }, id.length, byLength);
        else if (free > 0 && !isAlone) put({ node, end }, end - free, byLength);
        else if (free === 0) {
          taken.fill(end, start, end);
          found.push({ id, start, end });
        }
      }
    }
    return found;
  }

  /** The longest id of at most `chars` that ends there; else the root. */
  private atMost(chars: number, from: number): number {
    let node = from;
    while (node > 0 && this.ids[node]!.length > chars) node = this.shorter[node]!;
    return node;
  }

  private next(from: number, symbol: string): number {
    let node = from;
    for (;;) {
      const child = this.childOf(node, symbol);
      if (child !== undefined || node === 0) return child ?? 0;
      node = this.suffixes[node]!;
    }
  }

  private childOf(node: number, symbol: string): number | undefined {
    if (this.symbols[node] === symbol) return this.children[node];
    return this.furtherChildren.get(node)?.get(symbol);
  }

  private childOrNew(parent: number, symbol: string): number {
    return this.childOf(parent, symbol) ?? this.addChild(parent, symbol);
  }

  private addChild(parent: number, symbol: string): number {
    const child = this.addNode(parent === 0 ? 0 : this.next(this.suffixes[parent]!, symbol));
    if (this.symbols[parent] === undefined) {
      this.symbols[parent] = symbol;
      this.children[parent] = child;
    } else {
      const further = this.furtherChildren.get(parent) ?? new Map<string, number>();
      this.furtherChildren.set(parent, further.set(symbol, child));
    }
    return child;
  }

  private addNode(suffix: number): number {
    this.symbols.push(undefined);
    this.children.push(0);
    this.ids.push(undefined);
    this.shorter.push(0);
    return this.suffixes.push(suffix) - 1;
  }
}

function put(match: Match, length: number, byLength: Match[][]): void {
  const same = byLength[length] ?? [];
  byLength[length] = same;
  same.push(match);
}

import { endsAtBorder, type InnerStart, innerStarts, isTokenAt } from './borders.js';
import { type Reference, type Segment, segmentsOf } from './reference.js';

/** A part of a text, from the index `from` to the index `to`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /**
   * The stretch begins inside of a run of token characters. No ID that begins there is a reference.
   */
  readonly isCut: boolean;
}

/** The node of an ID, and the index at which the ID ends in the text. */
interface Match {
  readonly node: number;
  readonly end: number;
  /**
   * The ID ends inside of a segment, where none of the shorter IDs that it ends with may be found.
   */
  readonly excludesShorter?: boolean;
}

/** By the length of an ID: the matches of which an ID of at most that length can be a reference. */
type MatchesByLength = Match[][];

/** An ID that is being added, up to a node. */
interface IdPath {
  readonly id: string;
  node: number;
  /** The segments after the node. */
  readonly segments: Iterator<Segment>;
}

/** The node of the empty beginning, with which each ID begins. */
const root = 0;

/**
 * Finds IDs in parts of a text. `ReferenceIndex` makes one of its IDs and asks it. It is the
 * automaton of Aho and Corasick (https://en.wikipedia.org/wiki/Aho–Corasick_algorithm) over
 * segments instead of characters: each segment of a text costs about the same, whatever the IDs
 * have in common.
 *
 * A node is a number and stands for a sequence of segments with which some IDs begin. A node of
 * fewer segments has a lower number. The suffix of a node is the longest other node whose segments
 * it ends with.
 */
export class IdAutomaton {
  /** By node: the symbol of its first child. Most nodes have no other child. */
  private readonly firstSymbols: (string | undefined)[] = [];
  /** By node: its first child. */
  private readonly firstChildren: number[] = [];
  /** By node: its other children by their symbols. */
  private readonly furtherChildren = new Map<number, Map<string, number>>();
  /** By node: its suffix. */
  private readonly suffixes: number[] = [];
  /** By node: the ID that ends there. */
  private readonly ids: (string | undefined)[] = [];
  /** By node: the longest of its suffixes, and of their suffixes, that has an ID; else the root. */
  private readonly idSuffixes: number[] = [];

  constructor(ids: Iterable<string>) {
    this.addNode(root);
    let unfinished: IdPath[] = Array.from(ids, (id) => ({
      id,
      node: root,
      segments: segmentsOf(id),
    }));
    // All IDs grow by one segment at a time, so that each node is added after its suffix.
    while (unfinished.length > 0) {
      const longer: IdPath[] = [];
      for (const path of unfinished) {
        const isFinished = this.addSegment(path);
        if (!isFinished) longer.push(path);
      }
      unfinished = longer;
    }
    for (const [node, suffix] of this.suffixes.entries()) {
      const hasId = this.ids[suffix] !== undefined;
      this.idSuffixes[node] = hasId ? suffix : this.idSuffixes[suffix]!;
    }
  }

  /**
   * Returns the references in these stretches, which are in order and do not overlap. Of IDs that
   * overlap, the longest is a reference, and of equally long ones the first. The references are not
   * in order.
   */
  scan(text: string, stretches: readonly Stretch[], languageId: string): readonly Reference[] {
    const matches: MatchesByLength = [];
    for (const { from, to, isCut } of stretches) {
      let node = root;
      for (const segment of segmentsOf(text, from)) {
        if (segment.start >= to) break;
        if (isCut && segment.start <= from) continue;
        node = this.next(node, segment.symbol);
        this.collect(text, node, segment.end, matches);
        for (const inner of innerStarts(text, segment, languageId)) {
          if (inner.start < to) this.collectFrom(text, inner, matches);
        }
      }
    }
    return this.longestOf(matches, text.length);
  }

  /**
   * Adds the next segment of an ID, and returns false. After the last segment, notes the ID at its
   * node, and returns true.
   */
  private addSegment(path: IdPath): boolean {
    const next = path.segments.next();
    if (next.done) {
      this.ids[path.node] = path.id;
      return true;
    }
    const { symbol } = next.value;
    path.node = this.childOf(path.node, symbol) ?? this.addChild(path.node, symbol);
    return false;
  }

  /** Collects the longest ID that ends at this node. Its node leads to the shorter ones. */
  private collect(text: string, node: number, end: number, matches: MatchesByLength): void {
    const idNode = this.ids[node] === undefined ? this.idSuffixes[node]! : node;
    const id = this.ids[idNode];
    if (id === undefined || !endsAtBorder(text, end)) return;
    addMatch({ node: idNode, end }, id.length, matches);
  }

  /** Collects the IDs that begin inside of a run, after a code or `_`. */
  private collectFrom(
    text: string,
    { start: from, emphasis }: InnerStart,
    matches: MatchesByLength,
  ): void {
    const marks = '_'.repeat(emphasis);
    let node = root;
    for (const { symbol, end } of segmentsOf(text, from)) {
      if (emphasis > 0 && symbol.endsWith(marks) && !isTokenAt(text, end)) {
        const withoutMarks = symbol.slice(0, -emphasis);
        const idNode = withoutMarks === '' ? node : this.childOf(node, withoutMarks);
        const id = idNode === undefined ? undefined : this.ids[idNode];
        if (idNode !== undefined && id !== undefined) {
          const match = { node: idNode, end: end - emphasis, excludesShorter: true };
          addMatch(match, id.length, matches);
        }
      }
      const child = this.childOf(node, symbol);
      if (child === undefined) return;
      node = child;
      // An ID that `_` emphasizes ends before as many `_`, and not here.
      if (emphasis === 0) this.collect(text, node, end, matches);
    }
  }

  /** Takes the longest IDs first, and of equally long ones the first. */
  private longestOf(matches: MatchesByLength, textLength: number): readonly Reference[] {
    const found: Reference[] = [];
    /** By character: the end of the reference that it belongs to, else 0. */
    const takenTo = new Uint32Array(matches.length > 0 ? textLength : 0);
    for (let length = matches.length - 1; length > 0; length--) {
      const inOrder = matches[length]?.toSorted((a, b) => a.end - b.end) ?? [];
      for (const { node, end, excludesShorter } of inOrder) {
        // What was taken is not shorter. If it overlaps, it has the first or the last character.
        if (takenTo[end - 1] !== 0) continue;
        const idNode = this.idNodeOfAtMost(length, node);
        const id = this.ids[idNode];
        if (id === undefined) continue;

        const start = end - id.length;
        const endOfTaken = takenTo[start]!;
        const isFree = endOfTaken === 0;
        if (id.length < length) {
          // Its turn comes with the IDs of its length.
          addMatch({ node: idNode, end }, id.length, matches);
        } else if (isFree) {
          takenTo.fill(end, start, end);
          found.push({ id, start, end });
        } else if (!excludesShorter) {
          // A shorter ID may begin after what was taken.
          addMatch({ node: idNode, end }, end - endOfTaken, matches);
        }
      }
    }
    return found;
  }

  /**
   * Returns the node of the longest ID of at most `maxChars` that `from` ends with; else the root.
   */
  private idNodeOfAtMost(maxChars: number, from: number): number {
    let node = from;
    while (node !== root && this.ids[node]!.length > maxChars) node = this.idSuffixes[node]!;
    return node;
  }

  /**
   * Returns the longest node that the segments of a node and another segment end with; else the
   * root.
   */
  private next(from: number, symbol: string): number {
    let node = from;
    for (;;) {
      const child = this.childOf(node, symbol);
      if (child !== undefined) return child;
      if (node === root) return root;
      node = this.suffixes[node]!;
    }
  }

  private childOf(node: number, symbol: string): number | undefined {
    if (this.firstSymbols[node] === symbol) return this.firstChildren[node];
    return this.furtherChildren.get(node)?.get(symbol);
  }

  private addChild(parent: number, symbol: string): number {
    const suffix = parent === root ? root : this.next(this.suffixes[parent]!, symbol);
    const child = this.addNode(suffix);
    if (this.firstSymbols[parent] === undefined) {
      this.firstSymbols[parent] = symbol;
      this.firstChildren[parent] = child;
    } else {
      const further = this.furtherChildren.get(parent) ?? new Map<string, number>();
      further.set(symbol, child);
      this.furtherChildren.set(parent, further);
    }
    return child;
  }

  /** Adds a node without children and ID. Returns its number. */
  private addNode(suffix: number): number {
    const node = this.suffixes.length;
    this.suffixes.push(suffix);
    this.firstSymbols.push(undefined);
    this.firstChildren.push(root);
    this.ids.push(undefined);
    this.idSuffixes.push(root);
    return node;
  }
}

function addMatch(match: Match, length: number, matches: MatchesByLength): void {
  const sameLength = matches[length] ?? [];
  matches[length] = sameLength;
  sameLength.push(match);
}

import { type CoreEntry, CoreTable, isWholeAt } from './coreTable.js';
import { GramScan } from './gramScan.js';
import type { Reference, ReferencePass } from './reference.js';
import { SkipScan } from './skipScan.js';
import { createTokenTable, type TokenTable } from './tokenCharacters.js';

export type { Reference };

/** Shorter cores make a pass look at more of the text: each group of lengths gets its own. */
const groups = [1, 4, 8];

/**
 * Finds many ids in a text. Of each id the longest run of token characters is its core; where the id stands, its core is a
 * whole run of the text too. So it is enough to look at a few places, widen to the run and look that up: the time hardly
 * depends on the number of ids.
 */
export class ReferenceIndex {
  readonly ids: ReadonlySet<string>;
  private readonly tokens = createTokenTable();
  private readonly passes: readonly ReferencePass[];

  /** An id with a line break can't stand in a line, one with half a character can't be asked for: both are none. */
  constructor(ids: Iterable<string>) {
    this.ids = new Set(ids);
    const cores = groups.map(() => new Map<string, CoreEntry[] | string>());
    const passes: ReferencePass[] = [];
    for (const id of this.ids) {
      const { core, offset } = coreOf(id);
      if (id === '' || (core !== id && /[\r\n]|\p{Surrogate}/u.test(id))) continue;
      const group = cores[groupOf(core)];
      if (group === undefined) passes.push(new PlainSearch(id, this.tokens));
      else addCore(group, core, id, offset);
    }
    for (const [index, group] of cores.entries()) {
      if (group.size === 0) continue;
      const table = new CoreTable(group, this.tokens);
      passes.push(groups[index] === 8 ? new GramScan(table) : new SkipScan(table));
    }
    this.passes = passes;
  }

  /** All of a text at once, in the order of the text. */
  scan(text: string): readonly Reference[] {
    const found: Reference[] = [];
    for (const pass of this.passes) pass.run(text, 0, text.length, found);
    return this.inOrder(found);
  }

  /** The same in slices. */
  start(text: string): ReferenceScan {
    return new ReferenceScan(text, this.passes, (found) => this.inOrder(found));
  }

  private inOrder(found: readonly Reference[]): readonly Reference[] {
    if (found.length < 2 || (this.passes.length === 1 && this.passes[0]?.isOrdered === true)) return found;
    return found.toSorted((a, b) => a.start - b.start || a.end - b.end);
  }
}

/** A scan under way. */
export class ReferenceScan {
  private readonly found: Reference[] = [];
  private pass = 0;
  private position = 0;

  constructor(
    private readonly text: string,
    private readonly passes: readonly ReferencePass[],
    private readonly inOrder: (found: readonly Reference[]) => readonly Reference[],
  ) {}

  /** Goes on for about so many characters. The references, once all is scanned. */
  step(characters: number): readonly Reference[] | undefined {
    const pass = this.passes[this.pass];
    if (pass !== undefined) {
      this.position = pass.run(this.text, this.position, this.position + characters, this.found);
      if (this.position < this.text.length) return undefined;
      this.pass++;
      this.position = 0;
    }
    return this.pass < this.passes.length ? undefined : this.inOrder(this.found);
  }
}

/** For an id without any token character. */
class PlainSearch implements ReferencePass {
  readonly isOrdered = true;

  constructor(
    private readonly id: string,
    private readonly tokens: TokenTable,
  ) {}

  run(text: string, from: number, _to: number, found: Reference[]): number {
    for (let start = text.indexOf(this.id, from); start >= 0; start = text.indexOf(this.id, start + 1)) {
      if (isWholeAt(this.tokens, text, this.id, start)) found.push({ id: this.id, start, end: start + this.id.length });
    }
    return text.length;
  }
}

function groupOf(core: string): number {
  return groups.findLastIndex((shortest) => core.length >= shortest);
}

/** An id that is its own core, as almost all are, stands for its entry. */
function addCore(cores: Map<string, CoreEntry[] | string>, core: string, id: string, offset: number): void {
  const before = cores.get(core);
  if (before === undefined) cores.set(core, core === id ? id : [{ id, offset }]);
  else if (typeof before === 'string')
    cores.set(core, [
      { id: before, offset: 0 },
      { id, offset },
    ]);
  else before.push({ id, offset });
}

function coreOf(id: string): { readonly core: string; readonly offset: number } {
  // Almost every id, without making anything.
  if (/^[\w-]+$/.test(id)) return { core: id, offset: 0 };
  let core = '';
  let offset = 0;
  for (const match of id.matchAll(/[\p{L}\p{N}\p{M}_-]+/gu)) {
    if (match[0].length <= core.length) continue;
    core = match[0];
    offset = match.index;
  }
  return { core, offset };
}

import type { CoreTable } from './coreTable.js';
import type { Reference, ReferencePass } from './reference.js';
import { isTokenAt } from './tokenCharacters.js';

/**
 * For short cores. A run that can be a core covers one of any k neighbouring places (k: the shortest core), so every
 * k-th is looked at; where that is a token character its run is looked up.
 */
export class SkipScan implements ReferencePass {
  readonly isOrdered: boolean;

  constructor(private readonly table: CoreTable) {
    this.isOrdered = table.isOrdered;
  }

  run(text: string, from: number, to: number, found: Reference[]): number {
    const { table } = this;
    const { tokens, shortest } = table;
    let at = from === 0 ? shortest - 1 : from;
    const limit = Math.min(to, text.length);
    while (at < limit) {
      const seen = isTokenAt(tokens, text, at) ? table.lookUpAround(text, at, found) : at;
      at = seen + shortest;
    }
    return at;
  }
}

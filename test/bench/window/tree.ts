import type { Benchmark } from '../benchmark.js';
import { ms, sides } from '../compare.js';
import type { TreeTimes } from '../host/jobs.js';
import { runInHost } from '../hostSession.js';
import { growthRow } from '../node/growth.js';

export const tree: Benchmark = {
  name: 'tree',
  async measure(short) {
    const { firstTime, firstStall, items, growth } = await runInHost<TreeTimes>({
      name: 'tree',
      rounds: short ? 9 : 31,
      extension: 'onDemand',
    });
    return [
      {
        what: 'tree: 10,000 deployments, root children and their items',
        against: '10,000 `TreeItem`s from ready strings',
        measured: items.ratio,
        target: 2,
        unit: '×',
        detail: sides(items),
      },
      {
        what: 'the same for the first time: longest stall',
        against: '–',
        measured: firstStall,
        target: 20,
        unit: 'ms',
        detail: `${ms(firstTime)} in all`,
      },
      growthRow('tree', growth),
    ];
  },
};

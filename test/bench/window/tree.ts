import type { Benchmark } from '../benchmark.js';
import { median, ms, sides } from '../compare.js';
import type { TreeTimes } from '../host/jobs.js';
import { runInHost } from '../hostSession.js';
import { growthRow } from '../node/growth.js';

export const tree: Benchmark = {
  name: 'tree',
  async measure(short) {
    const { first, items, growth } = await runInHost<TreeTimes>({
      name: 'tree',
      rounds: short ? 9 : 31,
      extension: 'onDemand',
    });
    return [
      {
        what: 'tree: 10,000 deployments, root children and their items, made anew',
        against: '10,000 `TreeItem`s from ready strings',
        measured: items.ratio,
        target: 3,
        unit: '×',
        detail: sides(items),
      },
      {
        what: 'the same for the first time: longest stall',
        against: '–',
        measured: median(first.map(({ stall }) => stall)),
        target: 50,
        unit: 'ms',
        detail: `at most ${ms(Math.max(...first.map(({ stall }) => stall)))}; ${ms(median(first.map(({ time }) => time)))} in all`,
      },
      growthRow('tree', growth),
    ];
  },
};

import { median, ms, worst } from '../compare.js';
import { type Benchmark, growthRow, ratioRow } from '../rows.js';

export const tree: Benchmark = async (short, windows) => {
  const { first, items, growth } = await windows.measure({ name: 'tree', rounds: short ? 9 : 31 });
  const what = 'tree: 10,000 deployments, root children and their items, made anew';
  const stalls = first.map(({ stall }) => stall);
  return [
    ratioRow(what, '10,000 `TreeItem`s from ready strings', 3, items),
    {
      what: 'the same for the first time: longest stall',
      against: '–',
      measured: median(stalls),
      target: 50,
      unit: 'ms',
      detail: `${worst(stalls)}; ${ms(median(first.map(({ time }) => time)))} in all`,
    },
    growthRow('tree', growth),
  ];
};

import { healthy } from '../../support/service/data.js';
import { startService } from '../../support/service/service.js';
import { comparisonOf, median, worst } from '../compare.js';
import { deployments } from '../data.js';
import type { Measured } from '../host/index.mjs';
import { type Benchmark, type Row, ratioRow } from '../rows.js';

interface FirstRow {
  /** Epoch ms. */
  readonly at: number;
  readonly label: string;
}

type Rounds = Measured['refresh'];

export const refresh: Benchmark = async (short, windows) => {
  const data = deployments(998);
  // By name the first of all: one of the two has failed, in turn, and stands at the top.
  for (const id of ['a_1', 'a_2']) data.set(id, healthy());
  const service = await startService({ data: { deployments: data } });
  service.fault('all', { latency: 20 });
  let firstRows: readonly FirstRow[] = [];
  const rounds = await windows.measure({
    name: 'refresh',
    rounds: short ? 4 : 10,
    service,
    // Four of them are kept for what a person asks: 32 are left for a refresh of all.
    maxConcurrentRequests: 36,
    watch: (page) => page.evaluate(watchFirstRow),
    afterwards: async (page) => {
      firstRows = await page.evaluate<FirstRow[]>('firstRows');
    },
  });
  const most = Math.max(...service.requests.map(({ inFlight }) => inFlight));
  const row = (what: string, target: number, cost: 'wall' | 'cpu'): Row => {
    const pairs = rounds.map(({ ours, limit }) => ({ ours: ours[cost], limit: limit[cost] }));
    const against = 'a bare undici `Pool` and `JSON.parse`';
    const made = ratioRow(`refresh of 1,000 deployments: ${what}`, against, target, comparisonOf(pairs));
    return { ...made, detail: `${made.detail}, ${most} at a time` };
  };
  return [row('wall', 1.15, 'wall'), row('CPU, tree open', 2, 'cpu'), treeRow(rounds, firstRows)];
};

/** Runs in the window: writes down whenever another row has become the tree's first. */
const watchFirstRow = `{
  globalThis.firstRows = [];
  new MutationObserver(() => {
    const row = document.querySelector('.part.sidebar .monaco-list-row[data-index="0"]');
    const label = row?.getAttribute('aria-label') ?? '';
    if (label !== firstRows.at(-1)?.label) firstRows.push({ at: Date.now(), label });
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-label'] });
}`;

function treeRow(rounds: Rounds, firstRows: readonly FirstRow[]): Row {
  const lags = rounds.flatMap(({ ours: { endedAt, first } }, at) => {
    const until = rounds[at + 1]?.ours.endedAt ?? Number.POSITIVE_INFINITY;
    const shown = firstRows.find((row) => row.at >= endedAt - 500 && row.at < until && row.label.startsWith(first));
    return shown ? [shown.at - endedAt] : [];
  });
  if (lags.length < rounds.length) {
    const last = JSON.stringify(firstRows.slice(-3));
    throw new Error(`The tree showed ${lags.length} of ${rounds.length} refreshes: ${last}`);
  }
  return {
    what: 'the same: the tree after the last answer',
    against: '–',
    measured: median(lags),
    target: 300,
    unit: 'ms',
    detail: worst(lags),
  };
}

import { DEFAULT_TOKEN } from '../../support/service/data.js';
import { startService } from '../../support/service/service.js';
import type { Benchmark, Row } from '../benchmark.js';
import { median, ms } from '../compare.js';
import { deployments } from '../data.js';
import type { Cost, RefreshRound } from '../host/jobs.js';
import { atATime } from '../host/parallel.js';
import { runInHost } from '../hostSession.js';

const latency = 20;
/** Four of them are kept for what a person asks: 32 are left for a refresh of all. */
const maxConcurrentRequests = atATime + 4;

/** By name the first of all: one of the two has failed, in turn, and stands at the top. */
const changing = ['a_1', 'a_2'];

interface FirstRow {
  /** Epoch ms. */
  readonly at: number;
  readonly label: string;
}

export const refresh: Benchmark = {
  name: 'refresh',
  async measure(short) {
    const data = deployments(1000 - changing.length);
    const ids = [...data.keys(), ...changing];
    const service = await startService({ data: { deployments: data } });
    service.fault('all', { latency });
    let firstRows: readonly FirstRow[] = [];
    try {
      const rounds = await runInHost<RefreshRound[]>({
        name: 'refresh',
        rounds: short ? 4 : 10,
        extension: 'installed',
        service: { baseUrl: service.baseUrl, controlUrl: service.controlUrl, token: DEFAULT_TOKEN },
        ids,
        env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN },
        userSettings: {
          'automationPlatform.maxConcurrentRequests': maxConcurrentRequests,
          'automationPlatform.refreshInterval': 0,
        },
        workspaceSettings: { 'automationPlatform.deployments': ids },
        watch: (page) => page.evaluate(watchFirstRow),
        afterwards: async (page) => {
          firstRows = await page.evaluate<FirstRow[]>('firstRows');
        },
      });
      const most = Math.max(...service.requests.map(({ inFlight }) => inFlight));
      return [...rowsOf(rounds, most), treeRow(rounds, firstRows)];
    } finally {
      await service.stop();
    }
  },
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

function rowsOf(rounds: readonly RefreshRound[], most: number): Row[] {
  const row = (what: string, target: number, cost: (measured: Cost) => number): Row => ({
    what: `refresh of 1,000 deployments: ${what}`,
    against: 'a bare undici `Pool` and `JSON.parse`',
    measured: median(rounds.map(({ ours, bare }) => cost(ours) / cost(bare))),
    target,
    unit: '×',
    detail: [
      `${ms(median(rounds.map(({ ours }) => cost(ours))))} : ${ms(median(rounds.map(({ bare }) => cost(bare))))}`,
      `${most} at a time`,
    ].join(', '),
  });
  return [row('wall', 1.15, ({ wall }) => wall), row('CPU, tree open', 2, ({ cpu }) => cpu)];
}

function treeRow(rounds: readonly RefreshRound[], firstRows: readonly FirstRow[]): Row {
  const lags = rounds.flatMap(({ endedAt, first }, at) => {
    const until = rounds[at + 1]?.endedAt ?? Number.POSITIVE_INFINITY;
    const shown = firstRows.find((row) => row.at >= endedAt - 500 && row.at < until && row.label.startsWith(first));
    return shown ? [shown.at - endedAt] : [];
  });
  if (lags.length < rounds.length) {
    throw new Error(
      `The tree showed ${lags.length} of ${rounds.length} refreshes: ${JSON.stringify(firstRows.slice(-3))}`,
    );
  }
  return {
    what: 'the same: the tree after the last answer',
    against: '–',
    measured: median(lags),
    target: 300,
    unit: 'ms',
    detail: `at most ${Math.round(Math.max(...lags))} ms`,
  };
}

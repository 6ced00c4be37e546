// What is measured in windows of a real VS Code: set-up and rows; host/ has what runs in the extension host.
import { startPlatform } from '../support/platform/platform.js';
import { comparisonOf, median, ms } from './compare.js';
import {
  deployment,
  deployments,
  fieldsDeployment,
  unreadableDeployment,
  wideDeployment,
} from './data.js';
import type { Measured } from './host/index.mjs';
import { searchedTexts } from './node/searchedTexts.js';
import { type Benchmark, type Row, ratioRow } from './rows.js';
import type { Windows } from './windows.js';

/** Every round is a window of its own: an extension is activated once. */
export const activation: Benchmark = async (short, windows) => {
  const rows: Row[] = [];
  for (const where of ['no organization', 'signed in, nothing listed'] as const) {
    const times: Measured['activation'][] = [];
    for (let round = 0; round < (short ? 5 : 12); round++) {
      const platform = where === 'no organization' ? undefined : await startPlatform();
      times.push(await windows.measure('activation', 1, platform));
    }
    const { ours, limit } = comparisonOf(times);
    rows.push({
      what: `\`activate()\`, packaged, ${where}`,
      against: 'an empty extension in the same window, subtracted',
      measured: median(times.map((time) => time.ours - time.limit)),
      target: 9,
      unit: 'ms',
      detail: `${ms(ours)} : ${ms(limit)}`,
    });
  }
  return rows;
};

/** The wall time at the default of 8 requests at a time and at 32; the CPU hardly depends on how many they are. */
export const refresh: Benchmark = async (short, windows) => {
  const against = 'a bare undici `Pool` and `JSON.parse`';
  const rows: Row[] = [];
  for (const { requests, target } of [
    { requests: 8, target: 1.1 },
    { requests: 32, target: 1.4 },
  ]) {
    const platform = await startPlatform({ data: { deployments: deployments(1000) } });
    platform.fault('all', { latency: 20 });
    const rounds = await windows.measure('refresh', short ? 4 : 10, platform, requests);
    const compared = (cost: 'wall' | 'cpu') =>
      comparisonOf(rounds.map(({ ours, limit }) => ({ ours: ours[cost], limit: limit[cost] })));
    const what = `refresh of 1,000 deployments, ${requests} requests at a time`;
    rows.push(ratioRow(`${what}: wall`, against, target, compared('wall')));
    rows.push(ratioRow(`${what}: CPU, tree open`, against, 2.6, compared('cpu')));
  }
  return rows;
};

/** Ms for what a repository or the platform can make large on purpose, too. */
const largeTarget = 500;

/** How many times as much as users have, and the ms that it may take. */
const sizes = [
  { times: 1, target: 50 },
  { times: 10, target: largeTarget },
];

/** Those that yield rows of their own. */
type StallJob = 'stalls' | 'mute' | 'answer' | 'copyRequest' | 'commonIds' | 'hovers';

export const stalls: Benchmark = async (short, windows) => {
  const rows: Row[] = [];
  const rounds = short ? 2 : 3;
  const measure = async (
    name: StallJob,
    where: string,
    target: number,
    listed: Map<string, unknown>,
  ) => {
    const platform = await startPlatform({ data: { deployments: listed } });
    const stalled = await windows.measure(name, rounds, platform);
    rows.push(
      ...stalled.map(
        ({ what, ...stall }): Row => ({
          ...stall,
          what: `longest stall, ${where}: ${what}`,
          target,
          unit: 'ms',
        }),
      ),
    );
  };
  for (const { times, target } of short ? sizes.slice(0, 1) : sizes) {
    // Ten times as many deployments would take minutes.
    const count = Math.min(2000 * times, 10_000);
    await measure('stalls', `${count} deployments`, target, deployments(count));
    await measure('mute', `${count} deployments`, target, deployments(count, 'acc_shared'));
    const wide = new Map([['dep_wide', wideDeployment(1000 * times)]]);
    await measure('answer', `${1000 * times} accounts`, target, wide);
    await measure('copyRequest', `${1000 * times} failed accounts`, target, wide);
    const unreadable = new Map([['dep_unreadable', unreadableDeployment(2000 * times)]]);
    await measure('answer', `${2000 * times} accounts with unreadable fields`, target, unreadable);
  }
  const selected = Array.from(
    { length: 2000 },
    (_, at) => [`dep_${at}`, wideDeployment(40)] as const,
  );
  await measure('copyRequest', '2000 deployments with 40 failed accounts', 50, new Map(selected));
  rows.push(await editsRow(rounds, windows));
  const common = Array.from(
    { length: 2000 },
    (_, at) => [`production/${at}`, deployment(`${at}`, 2048)] as const,
  );
  await measure('commonIds', '2,000 IDs with a common beginning', largeTarget, new Map(common));
  await measure(
    'hovers',
    'large on purpose',
    largeTarget,
    new Map([['dep_00001', fieldsDeployment(400_000)]]),
  );
  return [...rows, ...(await searchedTexts(short))];
};

async function editsRow(rounds: number, windows: Windows): Promise<Row> {
  const data = { deployments: new Map([['dep_00001', deployment('00001', 2048)]]) };
  const alone = await windows.measure('editsAlone', rounds, await startPlatform({ data }));
  const held = await windows.measure('edits', rounds, await startPlatform({ data }));
  return {
    what: 'longest stall, 200,000 lines: 999 line breaks in one event',
    against: 'a window without the extension, subtracted',
    measured: held - alone,
    target: 50,
    unit: 'ms',
    detail: `${ms(held)} : ${ms(alone)}`,
  };
}

/** Rows of 10,000 deployments in 200 groups, of which 10 are chosen or none. */
export const groups: Benchmark = async (short, windows) => {
  const compared = await windows.measure('groups', short ? 5 : 15);
  const against = 'the same deployments in no group';
  const row = (what: string, name: keyof typeof compared, target: number) =>
    ratioRow(`10,000 deployments in 200 groups: ${what}`, against, target, compared[name]);
  return [
    row('first rows, by group', 'firstRowsByGroup', 1),
    row('first rows, 10 groups chosen', 'firstRowsChosen', 1),
    row('drawn during a refresh, by group, 3 groups open', 'refreshByGroup', 2),
    row('drawn during a refresh, by group, all open', 'refreshAllOpen', 3),
    row('drawn during a refresh, 10 groups chosen', 'refreshChosen', 1),
  ];
};

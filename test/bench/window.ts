// What is measured in windows of a real VS Code: set-up and rows; host/ has what runs in the extension host.
import { startService } from '../support/service/service.js';
import { comparisonOf, median, ms } from './compare.js';
import { deployment, deployments, fieldsDeployment, wideDeployment } from './data.js';
import type { Measured } from './host/index.mjs';
import { searchedTexts } from './node/searchedTexts.js';
import { type Benchmark, type Row, ratioRow } from './rows.js';

/** Every round is a window of its own: an extension is activated once. */
export const activation: Benchmark = async (short, windows) => {
  const rows: Row[] = [];
  for (const where of ['no organization', 'signed in, nothing listed'] as const) {
    const times: Measured['activation'][] = [];
    for (let round = 0; round < (short ? 5 : 12); round++) {
      const service = where === 'no organization' ? undefined : await startService();
      times.push(await windows.measure('activation', 1, service));
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

export const refresh: Benchmark = async (short, windows) => {
  const service = await startService({ data: { deployments: deployments(1000) } });
  service.fault('all', { latency: 20 });
  const rounds = await windows.measure('refresh', short ? 4 : 10, service);
  const compared = (cost: 'wall' | 'cpu') =>
    comparisonOf(rounds.map(({ ours, limit }) => ({ ours: ours[cost], limit: limit[cost] })));
  const against = 'a bare undici `Pool` and `JSON.parse`';
  return [
    ratioRow('refresh of 1,000 deployments: wall', against, 1.15, compared('wall')),
    ratioRow('refresh of 1,000 deployments: CPU, tree open', against, 3.5, compared('cpu')),
  ];
};

/** At sizes that users have, and in a run that is not short at ten times that (of deployments at five times). */
export const stalls: Benchmark = async (short, windows) => {
  const rows: Row[] = [];
  const measure = async (
    name: 'stalls' | 'mute' | 'answer' | 'edits' | 'commonIds' | 'hovers',
    where: string,
    target: number,
    listed: Map<string, unknown>,
  ) => {
    const service = await startService({ data: { deployments: listed } });
    const stalled = await windows.measure(name, short ? 2 : 3, service);
    rows.push(
      ...stalled.map(
        ({ what, ...stall }): Row => ({ ...stall, what: `longest stall, ${where}: ${what}`, target, unit: 'ms' }),
      ),
    );
  };
  for (const count of short ? [2000] : [2000, 10_000]) {
    const where = `${count} deployments`;
    const target = count > 2000 ? 200 : 50;
    await measure('stalls', where, target, deployments(count));
    await measure('mute', where, target, deployments(count, 'acc_shared'));
  }
  for (const size of short ? [1000] : [1000, 10_000]) {
    const target = size > 1000 ? 200 : 50;
    await measure('answer', `${size} accounts`, target, new Map([['dep_wide', wideDeployment(size)]]));
  }
  await measure('edits', '200,000 lines', 50, new Map([['dep_00001', deployment('00001', 2048)]]));
  const common = Array.from({ length: 2000 }, (_, at) => [`production/${at}`, deployment(`${at}`, 2048)] as const);
  await measure('commonIds', '2,000 IDs with a common beginning', 500, new Map(common));
  await measure('hovers', 'large on purpose', 500, new Map([['dep_00001', fieldsDeployment(400_000)]]));
  return [...rows, ...(await searchedTexts(short))];
};

// What is measured in windows of a real VS Code: set-up and rows; host/ has what runs in the extension host.
import { startService } from '../support/service/service.js';
import { comparisonOf, median, ms } from './compare.js';
import { deployments } from './data.js';
import type { Measured } from './host/index.mjs';
import { type Benchmark, type Row, ratioRow } from './rows.js';
import type { Windows } from './windows.js';

/** Nothing is read where nothing is listed, so no service is needed. */
const signedIn = {
  AUTOMATION_PLATFORM_BASE_URL: 'https://host.example/api/v1',
  AUTOMATION_PLATFORM_TOKEN: 'a-token-of-the-bench',
};

/** Every round is a window of its own: an extension is activated once. */
export const activation: Benchmark = async (short, windows) => {
  const count = short ? 5 : 12;
  return [
    await activationRow(count, windows, 'no organization', {}),
    await activationRow(count, windows, 'signed in, nothing listed', signedIn),
  ];
};

async function activationRow(
  count: number,
  windows: Windows,
  where: string,
  env: Record<string, string>,
): Promise<Row> {
  const times: Measured['activation'][] = [];
  for (let round = 0; round < count; round++) times.push(await windows.measure('activation', 1, { env }));
  const { ours, limit } = comparisonOf(times);
  return {
    what: `\`activate()\`, packaged, ${where}`,
    against: 'an empty extension in the same window, subtracted',
    measured: median(times.map((time) => time.ours - time.limit)),
    target: 9,
    unit: 'ms',
    detail: `${ms(ours)} : ${ms(limit)}`,
  };
}

export const refresh: Benchmark = async (short, windows) => {
  const service = await startService({ data: { deployments: deployments(1000) } });
  service.fault('all', { latency: 20 });
  const rounds = await windows.measure('refresh', short ? 4 : 10, { service, maxConcurrentRequests: 32 });
  const compared = (cost: 'wall' | 'cpu') =>
    comparisonOf(rounds.map(({ ours, limit }) => ({ ours: ours[cost], limit: limit[cost] })));
  const against = 'a bare undici `Pool` and `JSON.parse`';
  return [
    ratioRow('refresh of 1,000 deployments: wall', against, 1.15, compared('wall')),
    ratioRow('refresh of 1,000 deployments: CPU, tree open', against, 3.5, compared('cpu')),
  ];
};

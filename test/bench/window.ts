// What is measured in windows of a real VS Code: set-up and rows; host/ has what runs in the extension host.
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readInWorker } from '../../src/api/network/trust.js';
import { createAuthority } from '../support/service/certificates.js';
import { startService } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
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

export const packageSize: Benchmark = async (_short, windows) => {
  const { vsix, extensionFolder } = await windows.installed();
  const dist = join(extensionFolder, 'dist');
  const sizes = await Promise.all((await readdir(dist)).map((file) => stat(join(dist, file))));
  const all = sizes.reduce((sum, { size }) => sum + size, 0);
  return [
    {
      what: '`.vsix`',
      against: 'best peer: 557 kB',
      measured: (await stat(vsix)).size / 1000,
      target: 300,
      unit: 'kB',
      detail: `all code: ${Math.round(all / 1000)} kB`,
    },
  ];
};

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

export const tls: Benchmark = async (short, windows) => {
  const authority = createAuthority();
  const trusted = join((await temporaryFolder()).path, 'authority.pem');
  await writeFile(trusted, [...((await readInWorker())?.system ?? []), authority.cert].join('\n'));
  const service = await startService({ data: { deployments: deployments(64) }, tls: authority.issue(['127.0.0.1']) });
  const pairs = await windows.measure('tls', short ? 4 : 10, {
    service,
    maxConcurrentRequests: 8,
    // The system's store, of which the editor's `fetch` asks Node, and Node's own additions to its default.
    env: { SSL_CERT_FILE: trusted, NODE_EXTRA_CA_CERTS: trusted },
  });
  const what = '64 TLS requests at 8 at a time after the first: longest stall';
  return [ratioRow(what, 'the editor’s patched `fetch`', 0.1, comparisonOf(pairs))];
};

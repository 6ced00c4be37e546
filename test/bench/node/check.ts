import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../support/paths.js';
import { failedAccount, healthy } from '../../support/platform/data.js';
import { startPlatform } from '../../support/platform/platform.js';
import { runProcess } from '../../support/processes.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { compare } from '../compare.js';
import { type Benchmark, ratioRow } from '../rows.js';

const count = 2000;

/** Eight at a time, as the check does. */
const bareFetch = `
const { AUTOMATION_PLATFORM_BASE_URL: baseUrl, AUTOMATION_PLATFORM_TOKEN: token } = process.env;
const headers = { authorization: 'Bearer ' + token };
let next = 0;
const worker = async () => {
  while (next < ${count}) {
    const response = await fetch(baseUrl + '/deployments/dep_' + next++ + '/authorization', { headers, redirect: 'manual' });
    await response.json();
  }
};
await Promise.all(Array.from({ length: 8 }, worker));
process.exit();
`;

/** The check as a program beside one that only fetches. */
export const check: Benchmark = async (short) => {
  const { path, remove } = await temporaryFolder();
  const platform = await startPlatform();
  try {
    const ids = Array.from({ length: count }, (_, nth) => `dep_${nth}`);
    for (const [nth, id] of ids.entries())
      platform.putDeployment(id, nth % 10 === 0 ? failedAccount() : healthy());
    platform.fault('all', { latency: 20 });
    await writeFile(join(path, 'list.txt'), ids.join('\n'));
    await writeFile(join(path, 'bare.mjs'), bareFetch);
    await runProcess(process.execPath, ['esbuild.js', '--check', join(path, 'check.mjs')], {
      cwd: projectRoot,
    });
    // Exit code 1: there are problems.
    const run = (...args: readonly string[]) =>
      runProcess(process.execPath, args, { cwd: path, env: platform.env }).catch((error: Error) => {
        if (!error.message.includes(`${count / 10} failing`)) throw error;
      });
    const compared = await compare(
      short ? 2 : 5,
      () => run('check.mjs', '--list', 'list.txt'),
      () => run('bare.mjs'),
    );
    return [
      ratioRow(`check of ${count} deployments`, "Node's `fetch`, 8 at a time", 1.3, compared),
    ];
  } finally {
    await platform.stop();
    await remove();
  }
};

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../support/paths.js';
import { failedAccount, healthy } from '../../support/platform/data.js';
import { startPlatform } from '../../support/platform/platform.js';
import { runProcess, startProcess } from '../../support/processes.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { compare } from '../compare.js';
import { type Benchmark, type Row, ratioRow } from '../rows.js';

const count = 2000;

const bareName = "Node's `fetch`, 8 at a time";

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

/** What the check writes, and the arguments for it. */
const outputs: Readonly<Record<string, readonly string[]>> = {
  'as text': [],
  'as JSON': ['--format', 'json'],
  'as annotations and files': ['--format=github', '--junit=junit.xml', '--summary=summary.md'],
};

/** The check as a program beside one that only fetches. */
export const check: Benchmark = async (short) => {
  const { path, remove } = await temporaryFolder();
  const platform = await startPlatform();
  /** Resolves with what the program printed, whatever its exit code. */
  const run = async (...args: readonly string[]): Promise<string> => {
    const running = startProcess(process.execPath, args, { cwd: path, env: platform.env });
    await running.ended;
    return running.output();
  };
  /** Resolves with the bytes of a file of the check; 0 if it has written none. */
  const sizeOf = async (name: string): Promise<number> => {
    const content = await readFile(join(path, name)).catch(() => '');
    return content.length;
  };
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
    const rows: Row[] = [];
    for (const [name, args] of Object.entries(outputs)) {
      let printed = '';
      const compared = await compare(
        short ? 2 : 5,
        async () => {
          printed = await run('check.mjs', '--list', 'list.txt', ...args);
          assert.ok(printed.includes(String(count / 10)), printed);
        },
        () => run('bare.mjs'),
      );
      const row = ratioRow(`check of ${count} deployments ${name}`, bareName, 1.3, compared);
      const sizes = [printed.length, await sizeOf('junit.xml'), await sizeOf('summary.md')];
      rows.push({ ...row, detail: `${row.detail}; ${sizes.filter(Boolean).join(' + ')} bytes` });
    }
    return rows;
  } finally {
    await platform.stop();
    await remove();
  }
};

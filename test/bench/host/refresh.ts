import * as vscode from 'vscode';
import { serviceControl } from '../../support/service/client.js';
import { failedAccount, healthy } from '../../support/service/data.js';
import { openPool, readAll } from './bare.js';
import type { Cost, Job, RefreshRound } from './jobs.js';
import { atATime } from './parallel.js';

/** The packaged extension with all that listens in it, the tree open, beside a bare pool in the same process. */
export async function refresh({ rounds, service, ids }: Job): Promise<RefreshRound[]> {
  const { baseUrl, controlUrl, token } = service!;
  const control = serviceControl(controlUrl);
  const pool = await openPool(baseUrl, atATime);
  const bare = () => costOf(() => readAll(pool, baseUrl, token, ids!, atATime));
  await vscode.commands.executeCommand('automationPlatform.deployments.focus');
  const measured: RefreshRound[] = [];
  for (let round = 0; round <= rounds; round++) {
    // One that has failed goes to the top when the refresh is over: the tree's last change, which a person can see.
    const first = ids!.at(round % 2 === 0 ? -1 : -2)!;
    for (const id of ids!.slice(-2)) {
      await control.putDeployment(id, id === first ? failedAccount() : healthy());
    }
    const before = round % 2 === 0 ? await bare() : undefined;
    let endedAt = 0;
    const ours = await costOf(async () => {
      await vscode.commands.executeCommand('automationPlatform.refresh');
      endedAt = Date.now();
    });
    measured.push({ ours, bare: before ?? (await bare()), endedAt, first });
  }
  await pool.close();
  return measured.slice(1);
}

/** What is drawn after the last answer costs, too: the CPU is that of all until the window is quiet again, of either side. */
async function costOf(work: () => Thenable<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const wall = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { user, system } = process.cpuUsage(cpu);
  return { wall, cpu: (user + system) / 1000 };
}

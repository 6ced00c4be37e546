import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { serviceControl } from '../../support/service/control.js';
import { failedAccount, healthy } from '../../support/service/data.js';
import { rounds, timed } from '../compare.js';
import { atATime, listedIds, openPool, readAll, readFromPool } from './surroundings.js';

/** The packaged extension with all that listens in it, the tree open, beside a bare pool in the same process. */
export async function refresh(count: number, controlUrl: string) {
  const control = serviceControl(controlUrl);
  const pool = await openPool();
  await vscode.commands.executeCommand('automationPlatform.deployments.focus');
  const ours = async (round: number) => {
    // One that has failed goes to the top when the refresh is over: the tree's last change, which a person can see.
    const [one, other] = listedIds().slice(-2);
    const first = round % 2 === 0 ? other! : one!;
    for (const id of [one!, other!]) await control.putDeployment(id, id === first ? failedAccount() : healthy());
    let endedAt = 0;
    const cost = await costOf(async () => {
      await vscode.commands.executeCommand('automationPlatform.refresh');
      endedAt = Date.now();
    });
    return { ...cost, endedAt, first };
  };
  const bare = () => costOf(() => readAll(atATime, (id) => readFromPool(pool, id)));
  const measured = await rounds(count, ours, bare);
  await pool.close();
  return measured;
}

/** Ms. What is drawn after the last answer costs, too: the CPU is that of all until the window is quiet again, of either side. */
async function costOf(work: () => Promise<unknown>) {
  const before = process.cpuUsage();
  const wall = await timed(work);
  await sleep(1500);
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}

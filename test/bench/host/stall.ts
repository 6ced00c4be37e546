import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { serviceControl } from '../../support/service/control.js';
import { type Pair, rounds } from '../compare.js';
import { listedIds, readAll, readByFetch } from './surroundings.js';

/** The longest time for which nothing else could run in the extension host. Ms. */
export async function longestStall(work: () => Thenable<unknown>): Promise<number> {
  // What was before is over.
  await sleep(300);
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

const refreshing = () => longestStall(() => vscode.commands.executeCommand('automationPlatform.refresh'));

/** With connections that have to be opened, beside the editor's `fetch`. */
export async function stall(count: number, controlUrl: string): Promise<Pair[]> {
  const control = serviceControl(controlUrl);
  const ours = async () => {
    await control.closeConnections('idle');
    await control.clearRequests();
    const longest = await refreshing();
    await control.waitForRequests(listedIds().length);
    return longest;
  };
  const limit = async () => {
    await control.closeConnections('idle');
    return longestStall(() => readAll(8, readByFetch));
  };
  return rounds(count, ours, limit);
}

/** Refreshes of ten thousand deployments, the tree open, by the packaged extension. */
export async function scale(count: number): Promise<number[]> {
  await vscode.commands.executeCommand('automationPlatform.deployments.focus');
  const stalls: number[] = [];
  for (let round = 0; round <= count; round++) {
    await sleep(3000);
    stalls.push(await refreshing());
  }
  // The first one makes the rows.
  return stalls.slice(1);
}

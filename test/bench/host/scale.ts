import * as vscode from 'vscode';
import type { Job } from './jobs.js';
import { longestStall } from './longestStall.js';

/** Refreshes of ten thousand deployments, the tree open, by the packaged extension: how long each held the extension host at most. */
export async function scale({ rounds }: Job): Promise<number[]> {
  await vscode.commands.executeCommand('automationPlatform.deployments.focus');
  const stalls: number[] = [];
  // The first one makes the rows.
  for (let round = 0; round <= rounds; round++) {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    stalls.push(await longestStall(() => vscode.commands.executeCommand('automationPlatform.refresh')));
  }
  return stalls.slice(1);
}

import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { timed } from '../compare.js';

/** Milliseconds after which an extension has done what its activation began. */
const quiet = 300;

/**
 * The first activation of a window is slower than any later one, whichever extension it is: an empty extension takes that. Ours stands
 * between two more, and each begins when all is quiet again: what one leaves to be done would count for the next.
 */
export async function activation() {
  // Windows are busy when they have just opened.
  await sleep(2000);
  await activate('bench.empty-first');
  await sleep(quiet);
  const before = await activate('bench.empty-before');
  await sleep(quiet);
  const ours = await activate('automation-platform-tools.automation-platform');
  await sleep(quiet);
  const after = await activate('bench.empty-after');
  return { ours, limit: (before + after) / 2 };
}

function activate(id: string): Promise<number> {
  const extension = vscode.extensions.getExtension(id);
  if (!extension || extension.isActive) {
    throw new Error(`${id} ${extension ? 'is active already' : 'is not installed'}`);
  }
  return timed(() => extension.activate());
}

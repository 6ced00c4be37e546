import { strict as assert } from 'node:assert';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert.ok(typeof collect === 'function', 'the garbage collector can not be reached in this extension host');
  collect();
}

/** Bytes in use once everything that can go is gone; what VS Code has under way at the moment is not ours. */
export async function heapInUse(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    // Finalizers and closed sockets need a turn; a question to the window lets what it has sent be handled.
    await vscode.commands.executeCommand('setContext', 'automationPlatform.test', round);
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}

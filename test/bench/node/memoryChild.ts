// Run by memory.ts with --expose-gc.

import { texts } from '../data.js';
import { storeOf } from '../store.js';

/** Bytes per deployment. */
export interface MemoryUse {
  readonly held: number;
  readonly json: number;
}

const count = 10_000;
const all = texts(count);
const json = [...all.values()].reduce((sum, text) => sum + text.length, 0) / count;
const ids = [...all.keys()];
// One text for all would share nothing either: each answer is parsed on its own.
const store = storeOf(ids, async (id) => ({
  value: JSON.parse(all.get(id)!),
  decodeIssues: [],
  receivedAt: Date.now(),
}));
const before = await heap();
await store.refreshAll();
const held = ((await heap()) - before) / count;
process.send?.({ held, json } satisfies MemoryUse, () => process.exit());
// Still in use.
store.onDidChange(() => undefined);

async function heap(): Promise<number> {
  for (let pass = 0; pass < 3; pass++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { heapInUse } from '../../support/heapInUse.js';
import { runProcess } from '../../support/processes.js';
import { median } from '../compare.js';
import { lots, storeOf, texts } from '../data.js';
import type { Benchmark } from '../rows.js';

/** In a process of its own, where nothing else comes and goes. */
export const memory: Benchmark = async (short) => {
  const uses: Awaited<ReturnType<typeof use>>[] = [];
  for (let round = 0; round < (short ? 1 : 3); round++) {
    const printed = await runProcess(process.execPath, [fileURLToPath(import.meta.url)]);
    uses.push(JSON.parse(printed));
  }
  const held = median(uses.map((one) => one.held));
  const json = median(uses.map((one) => one.json));
  return [
    {
      what: 'memory per loaded deployment',
      against: 'the size of its JSON',
      measured: held / json,
      target: 3,
      unit: '×',
      detail: `${Math.round(held)} : ${Math.round(json)} bytes`,
    },
  ];
};

/** Bytes per deployment: those that a store holds, and those of its JSON. */
async function use() {
  const all = texts(lots);
  const json = [...all.values()].reduce((sum, text) => sum + text.length, 0);
  // One text for all would share nothing either: each answer is parsed on its own.
  const store = storeOf(all.keys(), async (id) => JSON.parse(all.get(id)!));
  const before = await heapInUse(() => sleep(100));
  await store.refresh();
  const held = (await heapInUse(() => sleep(100))) - before;
  // Still in use.
  store.dispose();
  return { held: held / lots, json: json / lots };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(JSON.stringify(await use()));

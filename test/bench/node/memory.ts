import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from '../benchmark.js';
import { median } from '../compare.js';
import type { MemoryUse } from './memoryChild.js';

/** In a process of its own, where nothing else comes and goes. */
export const memory: Benchmark = {
  name: 'memory',
  async measure(short) {
    const uses: MemoryUse[] = [];
    for (let round = 0; round < (short ? 1 : 3); round++) {
      const child = fork(fileURLToPath(new URL('memoryChild.js', import.meta.url)), { execArgv: ['--expose-gc'] });
      const [use]: MemoryUse[] = await once(child, 'message');
      uses.push(use!);
    }
    const held = median(uses.map((use) => use.held));
    const json = median(uses.map((use) => use.json));
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
  },
};

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark } from '../benchmark.js';
import { hostSession } from '../hostSession.js';

export const packageSize: Benchmark = {
  name: 'package',
  async measure() {
    const { vsix, extensionFolder } = await hostSession();
    const dist = join(extensionFolder, 'dist');
    const sizes = await Promise.all((await readdir(dist)).map((file) => stat(join(dist, file))));
    const all = sizes.reduce((sum, { size }) => sum + size, 0);
    return [
      {
        what: '`.vsix`',
        against: 'best peer: 557 kB',
        measured: (await stat(vsix)).size / 1000,
        target: 300,
        unit: 'kB',
        detail: `all code: ${Math.round(all / 1000)} kB`,
      },
    ];
  },
};

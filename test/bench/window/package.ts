import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark } from '../rows.js';

export const packageSize: Benchmark = async (_short, windows) => {
  const { vsix, extensionFolder } = await windows.installed();
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
};

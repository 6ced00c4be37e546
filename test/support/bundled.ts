import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { projectRoot } from './paths.js';

/**
 * Bundles a module (`src/host/text/format.ts`) and imports it. `options`: what stands in it for
 * `vscode`, which exists only inside VS Code.
 */
export async function importBundled<Module>(
  path: string,
  options: Pick<esbuild.BuildOptions, 'alias' | 'plugins'>,
): Promise<Module> {
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: [join(projectRoot, path)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  const code = Buffer.from(outputFiles?.[0]?.contents ?? []).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

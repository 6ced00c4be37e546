// Bundles the extension: one small entry chunk, everything heavy (undici first of all) in lazy chunks.
import { rmSync } from 'node:fs';
import * as esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints: { extension: 'src/extension.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // The extension host of the oldest supported VS Code may run on Node 20 (remote servers bring their own).
  target: 'node20',
  external: ['vscode'],
  minify: production,
  sourcemap: !production,
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  // undici is CommonJS and requires node: builtins; ESM output has no require of its own.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
};

rmSync('dist', { recursive: true, force: true });
if (watch) {
  const context = await esbuild.context({
    ...options,
    plugins: [
      { name: 'say', setup: (build) => build.onEnd((r) => console.log(`[watch] built, ${r.errors.length} errors`)) },
    ],
  });
  await context.watch();
} else {
  await esbuild.build(options);
}

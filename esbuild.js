// Bundles the extension: one small entry, what is loaded later, and undici.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/**
 * Whatever our own code imports later becomes one chunk. Left to itself esbuild makes one of each module, and one more of whatever
 * any two of them share: dozens of files, while a file costs the extension host more than the code in it does.
 * @type {import('esbuild').Plugin}
 */
const oneLaterChunk = {
  name: 'one-later-chunk',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'later', namespace: 'later' } : undefined,
    );
    build.onLoad({ filter: /^later$/, namespace: 'later' }, () => {
      const modules = importedLater();
      // Of two equal names esbuild would take neither.
      const names = modules.flatMap((file) => exportsOf(readFileSync(file, 'utf8')));
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      return twice === undefined
        ? { contents: modules.map((file) => `export * from ${JSON.stringify(file)};`).join('\n'), resolveDir: '.' }
        : { errors: [{ text: `Two of the modules that are imported later export ${twice}.` }] };
    });
  },
};

function importedLater() {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const imported = sources.flatMap((file) =>
    [...readFileSync(join('src', file), 'utf8').matchAll(/\bimport\('(\.[^']*)\.js'\)/g)].map(([, path]) =>
      resolve('src', file, '..', `${path}.ts`),
    ),
  );
  return [...new Set(imported)].sort();
}

function exportsOf(source) {
  return [...source.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)].map(([, name]) => name);
}

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
  plugins: [oneLaterChunk],
  legalComments: 'none',
  charset: 'utf8',
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
      oneLaterChunk,
      { name: 'say', setup: (build) => build.onEnd((r) => console.log(`[watch] built, ${r.errors.length} errors`)) },
    ],
  });
  await context.watch();
} else {
  await esbuild.build(options);
}

// Bundles the extension: one small entry, what is loaded later, and undici. `--package` makes the .vsix as well.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, sep } from 'node:path';
import * as esbuild from 'esbuild';

// What follows `--package` is for vsce.
const packaging = process.argv[2] === '--package';
const production = packaging || process.argv.includes('--production');
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
        ? {
            contents: modules.map((file) => `export * from ${JSON.stringify(file)};`).join('\n'),
            resolveDir: process.cwd(),
          }
        : { errors: [{ text: `Two of the modules that are imported later export ${twice}.` }] };
    });
  },
};

/**
 * esbuild's own helpers are for CommonJS, which undici is: a chunk that every file imports and only undici's uses, and a `require`
 * that ESM output has not. Both go where they are needed: each file costs activation its time.
 * @type {import('esbuild').Plugin}
 */
const helpersWhereNeeded = {
  name: 'helpers-where-needed',
  setup(build) {
    build.onEnd(async ({ outputFiles = [], metafile }) => {
      const outputs = Object.entries(metafile?.outputs ?? {}).filter(([path]) => path.endsWith('.js'));
      const helpers = outputs.filter(([, output]) => !hasInputs(output)).map(([path]) => basename(path));
      mkdirSync(options.outdir, { recursive: true });
      for (const { path, text } of outputFiles) {
        const needed = helpers.reduce((code, helper) => code.replace(new RegExp(`import ?"\\./${helper}";`), ''), text);
        writeFileSync(path, path.endsWith('.js') && /\brequire\b/.test(needed) ? createRequire + needed : needed);
      }
      if (production) await mergeIntoEntry(metafile?.outputs ?? {});
    });
  },
};

/** @param {import('esbuild').Metafile['outputs'][string] | undefined} output esbuild's helpers come from no file. */
function hasInputs(output) {
  return output !== undefined && Object.keys(output.inputs).length > 0;
}

/**
 * What the entry shares with later code becomes a part of the entry, and later code imports it from there: one file less to load
 * at activation.
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
async function mergeIntoEntry(outputs) {
  const entry = join(options.outdir, 'extension.js');
  const { imports = [] } = Object.entries(outputs).find(([path]) => join(path) === entry)?.[1] ?? {};
  const [shared, ...more] = imports.filter(({ path, kind }) => kind === 'import-statement' && hasInputs(outputs[path]));
  // Two of them may share a third, and export different things by one name.
  if (!shared || more.length > 0) throw new Error('The entry no longer shares exactly one chunk with later code.');
  const name = `./${basename(shared.path)}`;
  await esbuild.build({
    stdin: { contents: `export * from './extension.js'; export * from '${name}';`, resolveDir: options.outdir },
    bundle: true,
    external: ['vscode', 'node:*', './later-*'],
    format: 'esm',
    platform: 'node',
    target: options.target,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    outfile: entry,
    allowOverwrite: true,
  });
  rmSync(shared.path);
  for (const other of readdirSync(options.outdir)) {
    const file = join(options.outdir, other);
    const text = readFileSync(file, 'utf8');
    if (text.includes(`"${name}"`)) writeFileSync(file, text.replaceAll(`"${name}"`, '"./extension.js"'));
  }
}

const createRequire =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

function importedLater() {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const imported = sources.flatMap((file) =>
    [...readFileSync(join('src', file), 'utf8').matchAll(/\bimport\('(\.[^']*)\.js'\)/g)].map(
      ([, path]) => `./${posix.join('src', dirname(file).replaceAll(sep, '/'), `${path}.ts`)}`,
    ),
  );
  return [...new Set(imported)].toSorted(byName);
}

function byName(a, b) {
  return a < b ? -1 : 1;
}

function exportsOf(source) {
  return [...source.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)].map(([, name]) => name);
}

// undici carries it compiled to WebAssembly, without its licence.
const llhttpNotice = `llhttp (MIT), as a part of undici

Copyright Fedor Indutny, 2018.

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

/** @satisfies {import('esbuild').BuildOptions} */
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
  plugins: [oneLaterChunk, helpersWhereNeeded],
  write: false,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};

rmSync('dist', { recursive: true, force: true });
if (watch) {
  const context = await esbuild.context({
    ...options,
    plugins: [
      ...options.plugins,
      {
        name: 'say',
        // The watch task's problem matcher waits for these two lines.
        setup(build) {
          build.onStart(() => console.log('[watch] building'));
          build.onEnd((result) => console.log(`[watch] built, ${result.errors.length} errors`));
        },
      },
    ],
  });
  await context.watch();
} else {
  const { metafile } = await esbuild.build(options);
  if (packaging) {
    writeFileSync('THIRD-PARTY-NOTICES.txt', noticesOf(Object.keys(metafile.inputs)));
    makePackage(process.argv.slice(3));
  }
}

/** The licences of all that the bundle holds besides our own code. */
function noticesOf(files) {
  const names = new Set(files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
  const notices = [...names].toSorted(byName).map((name) => {
    const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
    const text = readFileSync(`node_modules/${name}/LICENSE`, 'utf8');
    return `${name} ${version} (${license})\n\n${text.replaceAll('\r\n', '\n').trim()}\n`;
  });
  if (files.some((file) => file.includes('/llhttp/'))) {
    notices.push(llhttpNotice);
  }
  return ['This extension contains the following third-party software.\n', ...notices].join(`\n${'-'.repeat(80)}\n\n`);
}

/** The same sources make the same file: no time in it, and always the same order. */
function makePackage(more) {
  const switches = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  const { status } = spawnSync(process.execPath, ['node_modules/@vscode/vsce/vsce', 'package', ...switches, ...more], {
    stdio: 'inherit',
    env: { ...process.env, SOURCE_DATE_EPOCH: String(Date.UTC(2000, 0, 1) / 1000) },
  });
  process.exitCode = status ?? 1;
}

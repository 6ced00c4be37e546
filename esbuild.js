// Bundles the extension: what every window has, what is loaded when there is something to do, and undici. `--package` makes the
// .vsix as well; what follows it is for vsce.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as esbuild from 'esbuild';

const packaging = process.argv[2] === '--package';
const production = packaging || process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {import('esbuild').Plugin} The watch task's problem matcher waits for these two lines. */
const sayWhenBuilt = {
  name: 'say-when-built',
  setup(build) {
    build.onStart(() => console.log('[watch] building'));
    build.onEnd((result) => console.log(`[watch] built, ${result.errors.length} errors`));
  },
};

/** undici is a bundle of its own: it is CommonJS, and its helpers would be one more file to load at activation. */
const undiciApart = {
  name: 'undici-apart',
  setup(build) {
    build.onResolve({ filter: /^undici\// }, () => ({ path: './undici.js', external: true }));
  },
};

/** @satisfies {import('esbuild').BuildOptions} */
const options = {
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // What `main` of jsonc-parser names (UMD) can't be bundled: https://github.com/microsoft/node-jsonc-parser/issues/57.
  mainFields: ['module', 'main'],
  // The extension host of the oldest supported VS Code may run on Node 20 (remote servers bring their own).
  target: 'node20',
  external: ['vscode'],
  plugins: [undiciApart],
  minify: production,
  sourcemap: !production,
  metafile: true,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};

const undici = {
  ...options,
  entryPoints: { undici: 'undici/lib/dispatcher/client.js' },
  splitting: false,
  plugins: [],
  // It requires modules of Node.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module';const require = createRequireHere(import.meta.url);",
  },
};

/** The check: one file that people read before they put it into their repository, so it is not minified. */
async function buildCheck(outfile) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const {
    outputFiles: [file],
  } = await esbuild.build({
    ...options,
    entryPoints: ['src/check/main.ts'],
    outdir: undefined,
    splitting: false,
    external: [],
    alias: { vscode: './src/check/vscode.ts' },
    define: { usage: JSON.stringify(readFileSync('src/check/usage.txt', 'utf8')) },
    preserveSymlinks: true,
    minify: false,
    sourcemap: false,
    write: false,
    banner: { js: `// Automation Platform check ${version}, for Node 20 or newer. What it does and takes: --help` },
    footer: { js: `/*\n${noticeOf('jsonc-parser')}*/` },
  });
  // Comments of our sources say why, for their authors; esbuild keeps some of them.
  const code = file.text.replace(/^ *\/\*\*[^]*?\*\/\n/gm, '');
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(
    outfile,
    code.replace(/^(?: {2})+/gm, (indent) => '\t'.repeat(indent.length / 2)),
  );
}

if (process.argv[2] === '--check') {
  // Only this, for its tests.
  await buildCheck(process.argv[3]);
  process.exit();
}
rmSync('dist', { recursive: true, force: true });
const { metafile: ofUndici } = await esbuild.build(undici);
await buildCheck('dist/check.mjs');
if (watch) {
  const context = await esbuild.context({ ...options, plugins: [undiciApart, sayWhenBuilt] });
  await context.watch();
} else {
  const { metafile } = await esbuild.build(options);
  if (packaging) {
    writeFileSync('THIRD-PARTY-NOTICES.txt', noticesOf(Object.keys({ ...metafile.inputs, ...ofUndici.inputs })));
    makePackage(process.argv.slice(3));
  }
}

/** The licenses of all that the bundle holds besides our own code. */
function noticesOf(files) {
  const names = new Set(files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
  const notices = [...names].toSorted((a, b) => (a < b ? -1 : 1)).map(noticeOf);
  if (files.some((file) => file.includes('/llhttp/'))) notices.push(llhttpNotice());
  return ['This extension contains the following third-party software.\n', ...notices].join(`\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(name) {
  const { version: used, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  const file = readdirSync(`node_modules/${name}`).find((one) => /^licen[cs]e(\.\w+)?$/i.test(one));
  const text = readFileSync(`node_modules/${name}/${file}`, 'utf8');
  return `${name} ${used} (${license})\n\n${text.replaceAll('\r\n', '\n').trim()}\n`;
}

/** The same sources make the same file: no time in it, and always the same order. */
function makePackage(more) {
  // An extension's page in VS Code shows no picture and follows no link but those of the web, so there the README has none: relative
  // addresses lead nowhere, and of `data:` the page makes a broken picture.
  const readme = readFileSync('README.md', 'utf8').replace(/^## Contributing\n[^]*/m, '');
  const page = readme.replace(/^!\[.*\n/gm, '').replace(/\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, '$1');
  writeFileSync('dist/README.md', page);
  const switches = ['--no-dependencies', '--allow-missing-repository', '--readme-path', 'dist/README.md'];
  const { status } = spawnSync(process.execPath, ['node_modules/@vscode/vsce/vsce', 'package', ...switches, ...more], {
    stdio: 'inherit',
    env: { ...process.env, SOURCE_DATE_EPOCH: String(Date.UTC(2000, 0, 1) / 1000) },
  });
  process.exitCode = status ?? 1;
}

/** undici carries it compiled to WebAssembly, without its license. */
function llhttpNotice() {
  return `llhttp (MIT), as a part of undici

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
}

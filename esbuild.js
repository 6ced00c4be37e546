// Bundles the extension: what every window has, what is loaded when there is something to do, and undici. `--package` makes the
// .vsix as well; what follows it is for vsce.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as esbuild from 'esbuild';

const packaging = process.argv[2] === '--package';
const production = packaging || process.argv.includes('--production');
const watch = process.argv.includes('--watch');

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
  legalComments: 'none',
  charset: 'utf8',
  // The watch task's problem matcher waits for what esbuild says of a build.
  logLevel: watch ? 'info' : 'warning',
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
  await esbuild.build({
    ...options,
    entryPoints: ['src/check/main.ts'],
    outdir: undefined,
    outfile,
    splitting: false,
    external: [],
    // The entry of jsonc-parser holds tables that nothing of the check reads.
    alias: {
      vscode: './src/check/vscode.ts',
      'jsonc-parser': './node_modules/jsonc-parser/lib/esm/impl/parser.js',
    },
    define: {
      usage: JSON.stringify(readFileSync('src/check/usage.txt', 'utf8')),
      version: JSON.stringify(version),
    },
    preserveSymlinks: true,
    minify: false,
    sourcemap: false,
    banner: {
      js: `// Automation Platform check ${version}, for Node 20.3 or newer. What it does and takes: --help`,
    },
    footer: {
      js: `/*\njsonc-parser\n\n${readFileSync('node_modules/jsonc-parser/LICENSE.md', 'utf8')}*/`,
    },
  });
  const code = readFileSync(outfile, 'utf8');
  // Comments of our sources say why, for their authors; esbuild keeps some of them.
  const withoutComments = code.replace(/^ *\/\*\*[^]*?\*\/\n/gm, '');
  // TypeScript put its values into the code of jsonc-parser, so nothing reads this enum.
  const unusedEnum = /^var CharacterCodes;\n\(function[^]*?^\}\)\(CharacterCodes .*\n/m;
  writeFileSync(outfile, withoutComments.replace(unusedEnum, ''));
}

if (process.argv[2] === '--check') {
  // Only this, for its tests.
  await buildCheck(process.argv[3]);
  process.exit();
}
rmSync('dist', { recursive: true, force: true });
await esbuild.build(undici);
await buildCheck('dist/check.mjs');
if (watch) {
  const context = await esbuild.context(options);
  await context.watch();
} else {
  await esbuild.build(options);
  if (packaging) makePackage(process.argv.slice(3));
}

/** The same sources make the same file: no time in it, and always the same order. */
function makePackage(more) {
  const readme = readFileSync('README.md', 'utf8');
  // What is for developers stands between two marks.
  const forUsers = readme.replace(/\n*<!-- repository -->[^]*?<!-- \/repository -->/g, '');
  // An extension's page in VS Code shows no picture and follows no link but those of the web, so there the README has none: relative
  // addresses lead nowhere, and of `data:` the page makes a broken picture.
  const page = forUsers
    .replace(/^!\[.*\n/gm, '')
    .replace(/\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, '$1');
  writeFileSync('dist/README.md', page);
  const switches = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--readme-path',
    'dist/README.md',
  ];
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/@vscode/vsce/vsce', 'package', ...switches, ...more],
    {
      stdio: 'inherit',
      env: { ...process.env, SOURCE_DATE_EPOCH: String(Date.UTC(2000, 0, 1) / 1000) },
    },
  );
  process.exitCode = status ?? 1;
}

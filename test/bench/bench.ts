// Measures, and prints one table: `npm run bench -- [--short] [--only refresh] [--vscode 1.105] [--profile FOLDER]`. However the figures are, it ends
// with 0; with 1 only if something could not be measured.
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp } from '../support/cleanup.js';
import { hostVersion, newestHost } from '../support/vscode/hostVersions.js';
import { decoding } from './node/decoding.js';
import { findings } from './node/findings.js';
import { growth } from './node/growth.js';
import { memory } from './node/memory.js';
import { references } from './node/references.js';
import { type Benchmark, type Row, tableOf } from './rows.js';
import { activation } from './window/activation.js';
import { packageSize } from './window/package.js';
import { refresh } from './window/refresh.js';
import { scale } from './window/scale.js';
import { stall } from './window/stall.js';
import { tree } from './window/tree.js';
import { Windows } from './windows.js';

/** By their names for `--only`. */
const all: Readonly<Record<string, Benchmark>> = {
  activation,
  package: packageSize,
  refresh,
  stall,
  scale,
  decoding,
  findings,
  tree,
  references,
  memory,
  growth,
};

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    vscode: { type: 'string', default: newestHost.name },
    profile: { type: 'string' },
  },
});
const wanted = values.only ?? Object.keys(all);
const unknown = wanted.find((name) => !Object.hasOwn(all, name));
if (unknown !== undefined) {
  console.error(`--only ${unknown}: known are ${Object.keys(all).join(', ')}.`);
  process.exit(2);
}
const version = hostVersion(values.vscode);
if (values.profile !== undefined) await mkdir(values.profile, { recursive: true });
const windows = new Windows(version, values.profile && resolve(values.profile));

const rows: Row[] = [];
let failed = 0;
for (const [name, measure] of Object.entries(all).filter(([one]) => wanted.includes(one))) {
  try {
    console.error(`measuring: ${name} …`);
    rows.push(...(await measure(values.short, windows)));
  } catch (error) {
    failed++;
    console.error(`Could not measure ${name}:`, error);
  }
}
console.log(`VS Code ${version.vscode}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}\n`);
console.log(tableOf(rows));
await cleanUp();
process.exit(failed > 0 ? 1 : 0);

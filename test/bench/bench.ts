// Measures, and prints one table: `npm run bench -- [--short] [--only refresh] [--vscode 1.105] [--profile FOLDER]`. However the figures are, it ends
// with 0; with 1 only if something could not be measured.
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp } from '../support/cleanup.js';
import { hostVersion, newestHost } from '../support/vscode/hostVersions.js';
import type { Benchmark, Row } from './benchmark.js';
import { measureIn } from './hostSession.js';
import { decoding } from './node/decoding.js';
import { findings } from './node/findings.js';
import { growth } from './node/growth.js';
import { memory } from './node/memory.js';
import { references } from './node/references.js';
import { tableOf } from './table.js';
import { activation } from './window/activation.js';
import { packageSize } from './window/package.js';
import { refresh } from './window/refresh.js';
import { scale } from './window/scale.js';
import { stall } from './window/stall.js';
import { tree } from './window/tree.js';

const all: readonly Benchmark[] = [
  activation,
  packageSize,
  refresh,
  stall,
  scale,
  decoding,
  findings,
  tree,
  references,
  memory,
  growth,
];

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    vscode: { type: 'string' },
    profile: { type: 'string' },
  },
});
const names = all.map(({ name }) => name);
const unknown = values.only?.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`--only ${unknown}: known are ${names.join(', ')}.`);
  process.exit(2);
}
const version = values.vscode === undefined ? newestHost : hostVersion(values.vscode);
measureIn(version, values.profile && resolve(values.profile));
if (values.profile !== undefined) await mkdir(values.profile, { recursive: true });

const rows: Row[] = [];
let failed = 0;
for (const benchmark of all.filter(({ name }) => values.only?.includes(name) ?? true)) {
  try {
    console.error(`measuring: ${benchmark.name} …`);
    rows.push(...(await benchmark.measure(values.short)));
  } catch (error) {
    failed++;
    console.error(`Could not measure ${benchmark.name}:`, error);
  }
}
console.log(`VS Code ${version.vscode}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}\n`);
console.log(tableOf(rows));
await cleanUp();
process.exit(failed > 0 ? 1 : 0);

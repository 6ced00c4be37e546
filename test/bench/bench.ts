// Measures, and prints one table: `npm run bench -- [--short] [--only refresh] [--vscode 1.105]`. However the figures are, it ends with
// 0; with 1 only if something could not be measured.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { cleanUp } from '../support/cleanup.js';
import { hostVersion, newestHost } from '../support/vscode/hostVersions.js';
import { check } from './node/check.js';
import { decoding } from './node/decoding.js';
import { findings } from './node/findings.js';
import { memory } from './node/memory.js';
import { references } from './node/references.js';
import type { Benchmark, Row } from './rows.js';
import { activation, groups, refresh, stalls } from './window.js';
import { Windows } from './windows.js';

/** By their names for `--only`. */
const all: Readonly<Record<string, Benchmark>> = {
  activation,
  refresh,
  stalls,
  groups,
  decoding,
  findings,
  references,
  memory,
  check,
};

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    vscode: { type: 'string', default: newestHost.name },
  },
});
const wanted = values.only ?? Object.keys(all);
const unknown = wanted.find((name) => !Object.hasOwn(all, name));
if (unknown !== undefined) {
  console.error(`--only ${unknown}: known are ${Object.keys(all).join(', ')}.`);
  process.exit(2);
}
const version = hostVersion(values.vscode);
const windows = new Windows(version);

const rows: Row[] = [];
let failed = 0;
for (const [name, measure] of Object.entries(all).filter(([one]) => wanted.includes(one))) {
  try {
    console.error(`measuring: ${name} …`);
    rows.push(...(await measure(values.short, windows)));
  } catch (error) {
    failed += 1;
    console.error(`Could not measure ${name}:`, error);
  }
}
console.log(`VS Code ${version.vscode}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}\n`);
console.table(
  rows.map(({ what, against, measured, target, unit, detail }) => ({
    what,
    against,
    measured: `${measured.toFixed(2)} ${unit}`,
    target: `${target} ${unit}`,
    'met?': measured <= target ? 'yes' : 'NO',
    medians: detail,
  })),
);
await cleanUp();
process.exit(failed > 0 ? 1 : 0);

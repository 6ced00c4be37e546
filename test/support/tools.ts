// The tools that `npm test` runs, as scripts for Node: what npm links to them differs on Windows.
import { projectRoot } from './paths.js';
import { startProcess } from './processes.js';
import type { SuiteResult } from './suiteResult.js';

export const tools = {
  types: 'node_modules/typescript/bin/tsc',
  lint: 'node_modules/oxlint/bin/oxlint',
  format: 'node_modules/@biomejs/biome/bin/biome',
  unit: 'node_modules/mocha/bin/mocha.js',
};

export interface SuiteRun {
  readonly output: string;
  readonly result: SuiteResult;
}

/** After this a suite has failed; those in VS Code have shorter limits of their own and say more. */
const timeLimit = 30 * 60_000;

export async function runTool(script: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const running = startProcess(process.execPath, [script, ...args], {
    cwd: projectRoot,
    patience: 15_000,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  const timer = setTimeout(() => void running.stop(), timeLimit);
  const code = await running.ended;
  clearTimeout(timer);
  return { code, output: running.output() };
}

// What VS Code runs as the tests of the extension under development.
import { writeFile } from 'node:fs/promises';
import { activation } from './activation.js';
import { groups } from './groups.js';
import { commonIds, hovers } from './hostile.js';
import { refresh } from './reading.js';
import { answer, copyRequest, edits, editsAlone, mute, stalls } from './stalls.js';

const jobs = {
  activation,
  refresh,
  stalls,
  mute,
  answer,
  copyRequest,
  edits,
  editsAlone,
  commonIds,
  hovers,
  groups,
};

/** What each job yields. */
export type Measured = {
  readonly [Name in keyof typeof jobs]: Awaited<ReturnType<(typeof jobs)[Name]>>;
};

/** What is measured inside a real extension host: asked for by the bench, in the environment; answered in a file. */
export interface Job {
  readonly name: keyof typeof jobs;
  readonly rounds: number;
  /** The file for what was measured. */
  readonly results: string;
  /** Where the local platform is steered, if it is needed. */
  readonly control: string;
}

export async function run(): Promise<void> {
  const { name, rounds, results, control }: Job = JSON.parse(
    process.env['AUTOMATION_PLATFORM_BENCH_JOB'] ?? '{}',
  );
  await writeFile(results, JSON.stringify(await jobs[name](rounds, control)));
}

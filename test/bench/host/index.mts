// What VS Code runs as the tests of the extension under development.
import { writeFile } from 'node:fs/promises';
import { activation } from './activation.js';
import { firstChange } from './firstChange.js';
import { type Job, jobVariable } from './jobs.js';
import { passes } from './passes.js';
import { refresh } from './refresh.js';
import { stall } from './stall.js';
import { tree } from './tree.js';

const jobs: Record<Job['name'], (job: Job) => Promise<unknown>> = {
  activation,
  refresh,
  firstChange,
  passes,
  stall,
  tree,
};

export async function run(): Promise<void> {
  const job: Job = JSON.parse(process.env[jobVariable] ?? '{}');
  await writeFile(job.results, JSON.stringify(await jobs[job.name](job)));
}

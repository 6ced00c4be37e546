// What VS Code runs as the tests of the extension under development.
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { activation } from './activation.js';
import { type Job, jobVariable } from './jobs.js';
import { refresh } from './refresh.js';
import { scale } from './scale.js';
import { stall } from './stall.js';
import { tree } from './tree.js';

const jobs: Record<Job['name'], (job: Job) => Promise<unknown>> = {
  activation,
  refresh,
  scale,
  stall,
  tree,
};

export async function run(): Promise<void> {
  const job: Job = JSON.parse(process.env[jobVariable] ?? '{}');
  const work = () => jobs[job.name](job);
  await writeFile(
    job.results,
    JSON.stringify(await (job.profile === undefined ? work() : profiled(work, job.profile))),
  );
}

/** The same, slower, with a file that Chromium's developer tools open. */
async function profiled<T>(work: () => Promise<T>, file: string): Promise<T> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  const result = await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  await writeFile(file, JSON.stringify(profile));
  return result;
}

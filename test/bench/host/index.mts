// What VS Code runs as the tests of the extension under development.
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { activation } from './activation.js';
import { refresh } from './refresh.js';
import { scale, stall } from './stall.js';
import { tree } from './tree.js';

const jobs = { activation, refresh, scale, stall, tree };

/** What each job yields. */
export type Measured = { readonly [Name in keyof typeof jobs]: Awaited<ReturnType<(typeof jobs)[Name]>> };

/** What is measured inside a real extension host: asked for by the bench, in the environment; answered in a file. */
export interface Job {
  readonly name: keyof typeof jobs;
  readonly rounds: number;
  /** The file for what was measured. */
  readonly results: string;
  /** The file for a CPU profile, if one is wanted. */
  readonly profile?: string;
  /** Where the local service is steered, if it is needed. */
  readonly control?: string;
}

export async function run(): Promise<void> {
  const job: Job = JSON.parse(process.env['AUTOMATION_PLATFORM_BENCH_JOB'] ?? '{}');
  const work = (): Promise<unknown> => jobs[job.name](job.rounds, job.control ?? '');
  const measured = await (job.profile === undefined ? work() : profiled(work, job.profile));
  await writeFile(job.results, JSON.stringify(measured));
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

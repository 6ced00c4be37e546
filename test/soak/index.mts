// What VS Code runs as the tests of the extension under development.
import { writeFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { soak } from './session.js';

interface Job {
  readonly minutes: number;
  readonly seed: number;
  readonly report: string;
}

export async function run(): Promise<void> {
  const job: Job = JSON.parse(process.env['AUTOMATION_PLATFORM_SOAK'] ?? '{}');
  const { figures, wrong } = await soak(job.minutes, job.seed).catch(async (error: unknown) => {
    // What VS Code prints of an error does not get as far as a terminal.
    await writeFile(job.report, inspect(error));
    throw error;
  });
  const verdict = wrong.length === 0 ? ['Nothing leaked, got stuck or was lost.'] : ['WRONG:', ...wrong];
  await writeFile(job.report, [...figures, '', ...verdict].join('\n'));
  if (wrong.length > 0) {
    throw new Error(`${wrong.length} things are wrong at the end.`);
  }
}

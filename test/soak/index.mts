// What VS Code runs as the tests of the extension under development.
import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inspect } from 'node:util';
import { World } from './world.js';

export interface Job {
  readonly minutes: number;
  readonly seed: number;
  /** The file for the closing figures. */
  readonly report: string;
  /** Where the service of the product's own graph is, and where each of the two services is steered. */
  readonly baseUrl: string;
  readonly control: string;
  readonly controlOfExtension: string;
}

const inMs = (nanoseconds: number) => `${Math.round(nanoseconds / 1e6)} ms`;

export async function run(): Promise<void> {
  const job: Job = JSON.parse(process.env['AUTOMATION_PLATFORM_SOAK'] ?? '{}');
  const { report, wrong } = await soak(job).catch((error: unknown) => ({ report: '', wrong: [inspect(error)] }));
  const verdict = wrong.length === 0 ? ['Nothing leaked, got stuck or was lost.'] : ['WRONG:', ...wrong];
  // What VS Code prints of an error does not get as far as a terminal.
  await writeFile(job.report, [report, ...verdict].join('\n'));
  assert.deepEqual(wrong, []);
}

async function soak(job: Job): Promise<{ report: string; wrong: readonly string[] }> {
  const rejections: string[] = [];
  const take = (error: unknown): void => void rejections.push(inspect(error));
  // Not in a chain: the extension host's own `on` returns nothing.
  process.on('unhandledRejection', take);
  process.on('uncaughtException', take);
  const world = await World.create(job);
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const quietEvery = 15_000;
  const end = Date.now() + job.minutes * 60_000;
  let quietAt = Date.now() + quietEvery;
  while (Date.now() < end) {
    await world.step();
    if (Date.now() > quietAt) {
      await world.calmDown();
      quietAt = Date.now() + quietEvery;
    }
  }
  delays.disable();
  await world.calmDown();
  const { figures, wrong } = world.outcome();
  await world.dispose();
  process.off('unhandledRejection', take);
  process.off('uncaughtException', take);
  const report = `time: ${job.minutes} min, seed ${job.seed}
${figures.join('\n')}
event loop held up: 99th percentile ${inMs(delays.percentile(99))}, worst ${inMs(delays.max)}
unhandled rejections and exceptions: ${rejections.length}
`;
  return { report, wrong: [...wrong, ...rejections] };
}

// What VS Code runs as the tests of the extension under development.
import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inspect } from 'node:util';
import { job, World } from './world.js';

const inMs = (nanoseconds: number) => `${Math.round(nanoseconds / 1e6)} ms`;

export async function run(): Promise<void> {
  const { figures, wrong } = await soak().catch((error: unknown) => ({
    figures: [],
    wrong: [inspect(error)],
  }));
  const verdict =
    wrong.length === 0 ? ['Nothing leaked, got stuck or was lost.'] : ['WRONG:', ...wrong];
  // What VS Code prints of an error does not get as far as a terminal.
  await writeFile(job.report, [...figures, ...verdict].join('\n'));
  assert.deepEqual(wrong, []);
}

async function soak() {
  const rejections: string[] = [];
  // The extension host ends with us, so nothing has to be put back.
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    process.on(event, (error: unknown) => rejections.push(inspect(error)));
  }
  const delays = monitorEventLoopDelay({ resolution: 10 });
  const world = new World();
  await world.begin();
  const end = Date.now() + job.minutes * 60_000;
  delays.enable();
  while (Date.now() < end) {
    const quietAt = Math.min(end, Date.now() + 15_000);
    while (Date.now() < quietAt) await world.step();
    await world.calmDown();
  }
  delays.disable();
  const { figures, wrong } = await world.end();
  return {
    figures: [
      `time: ${job.minutes} min, seed ${job.seed}`,
      ...figures,
      `event loop held up: 99th percentile ${inMs(delays.percentile(99))}, worst ${inMs(delays.max)}`,
      `unhandled rejections and exceptions: ${rejections.length}`,
    ],
    wrong: [...wrong, ...rejections],
  };
}

import type { Benchmark } from '../benchmark.js';
import { median, ms } from '../compare.js';
import type { ActivationTimes } from '../host/jobs.js';
import { runInHost } from '../hostSession.js';

/** Every round is a window of its own: an extension is activated once. */
export const activation: Benchmark = {
  name: 'activation',
  async measure(short) {
    const times: ActivationTimes[] = [];
    for (let round = 0; round < (short ? 5 : 12); round++) {
      times.push(await runInHost<ActivationTimes>({ name: 'activation', rounds: round, extension: 'onDemand' }));
    }
    const { loaded, loadedLater } = times[0]!;
    const ours = median(times.map((time) => time.ours));
    const empty = median(times.map((time) => time.empty));
    const more = times.map((time) => time.ours - time.empty).toSorted((a, b) => a - b);
    const half = more.slice(Math.floor(more.length / 4), Math.ceil((more.length * 3) / 4));
    return [
      {
        what: '`activate()`, packaged, no organization',
        against: 'an empty extension in the same window, subtracted',
        measured: median(more),
        target: 3,
        unit: 'ms',
        detail: `${ms(ours)} : ${ms(empty)}; half of the rounds ${half[0]!.toFixed(1)} to ${ms(half.at(-1)!)}`,
      },
      {
        what: 'code loaded when `activate()` returns',
        against: '–',
        measured: loaded / 1000,
        target: 40,
        unit: 'kB',
        detail: `${Math.round(loadedLater / 1000)} kB two seconds later`,
      },
    ];
  },
};

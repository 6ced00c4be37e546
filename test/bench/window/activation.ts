import type { Benchmark, Row } from '../benchmark.js';
import { median, ms } from '../compare.js';
import type { ActivationTimes } from '../host/jobs.js';
import { runInHost, type WindowJob } from '../hostSession.js';

/** Nothing is read where nothing is listed, so no service is needed. */
const signedIn = {
  AUTOMATION_PLATFORM_BASE_URL: 'https://host.example/api/v1',
  AUTOMATION_PLATFORM_TOKEN: 'a-token-of-the-bench',
};

/** Every round is a window of its own: an extension is activated once. */
export const activation: Benchmark = {
  name: 'activation',
  async measure(short) {
    const rounds = short ? 5 : 12;
    return [
      ...(await measure(rounds, 'no organization', {})),
      ...(await measure(rounds, 'signed in, nothing listed', { env: signedIn })),
    ];
  },
};

async function measure(rounds: number, window: string, given: Pick<WindowJob, 'env'>): Promise<Row[]> {
  const times: ActivationTimes[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(
      await runInHost<ActivationTimes>({ name: 'activation', rounds: round, extension: 'onDemand', ...given }),
    );
  }
  const { loaded, loadedLater } = times[0]!;
  const ours = median(times.map((time) => time.ours));
  const empty = median(times.map((time) => time.empty));
  const more = times.map((time) => time.ours - time.empty).toSorted((a, b) => a - b);
  const half = more.slice(Math.floor(more.length / 4), Math.ceil((more.length * 3) / 4));
  return [
    {
      what: `\`activate()\`, packaged, ${window}`,
      against: 'an empty extension in the same window, subtracted',
      measured: median(more),
      target: 9,
      unit: 'ms',
      detail: `${ms(ours)} : ${ms(empty)}; half of the rounds ${half[0]!.toFixed(1)} to ${ms(half.at(-1)!)}`,
    },
    {
      what: `code loaded two seconds after \`activate()\`, ${window}`,
      against: '–',
      measured: loadedLater / 1000,
      target: 60,
      unit: 'kB',
      detail: `${Math.round(loaded / 1000)} kB when it returns`,
    },
  ];
}

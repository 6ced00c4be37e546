import { comparisonOf, median, ms } from '../compare.js';
import type { Measured } from '../host/index.mjs';
import type { Benchmark, Row } from '../rows.js';
import type { Windows } from '../windows.js';

/** Nothing is read where nothing is listed, so no service is needed. */
const signedIn = {
  AUTOMATION_PLATFORM_BASE_URL: 'https://host.example/api/v1',
  AUTOMATION_PLATFORM_TOKEN: 'a-token-of-the-bench',
};

/** Every round is a window of its own: an extension is activated once. */
export const activation: Benchmark = async (short, windows) => {
  const count = short ? 5 : 12;
  return [
    ...(await measure(count, windows, 'no organization', {})),
    ...(await measure(count, windows, 'signed in, nothing listed', signedIn)),
  ];
};

async function measure(count: number, windows: Windows, where: string, env: Record<string, string>): Promise<Row[]> {
  const times: Measured['activation'][] = [];
  for (let rounds = 0; rounds < count; rounds++) times.push(await windows.measure({ name: 'activation', rounds, env }));
  const { loaded, loadedLater } = times[0]!;
  const { ours, limit } = comparisonOf(times);
  const more = times.map((time) => time.ours - time.limit).toSorted((a, b) => a - b);
  const half = more.slice(Math.floor(more.length / 4), Math.ceil((more.length * 3) / 4));
  return [
    {
      what: `\`activate()\`, packaged, ${where}`,
      against: 'an empty extension in the same window, subtracted',
      measured: median(more),
      target: 9,
      unit: 'ms',
      detail: `${ms(ours)} : ${ms(limit)}; half of the rounds ${half[0]!.toFixed(1)} to ${ms(half.at(-1)!)}`,
    },
    {
      what: `code loaded two seconds after \`activate()\`, ${where}`,
      against: '–',
      measured: loadedLater / 1000,
      target: 60,
      unit: 'kB',
      detail: `${Math.round(loaded / 1000)} kB when it returns`,
    },
  ];
}

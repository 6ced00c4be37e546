import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from '../benchmark.js';
import { parsed, readFrom } from '../data.js';
import { mostInASecond, spread } from '../pace.js';
import { storeOf } from '../store.js';

/** One event of the store is one of the tree, while the tree is visible. */
export const events: Benchmark = {
  name: 'events',
  async measure() {
    const answers = parsed(1000);
    const store = storeOf(answers.keys(), spread(answers.size, readFrom(answers)), { window: answers.size });
    const times: number[] = [];
    store.onDidChange(() => times.push(performance.now()));
    await store.refreshAll();
    await sleep(500);
    store.dispose();
    const distances = times.slice(1).map((at, index) => at - times[index]!);
    return [
      {
        what: '1,000 answers within a second: tree events in any second',
        against: '–',
        measured: mostInASecond(times),
        target: 4,
        unit: 'events',
        detail: `nearest two: ${Math.round(Math.min(...distances))} ms apart`,
      },
    ];
  },
};

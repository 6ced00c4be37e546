import type { Benchmark } from '../benchmark.js';
import { runInHost } from '../hostSession.js';

export const passes: Benchmark = {
  name: 'passes',
  async measure() {
    return [
      {
        what: 'the same: diagnostics passes over a document in any second',
        against: '–',
        measured: await runInHost<number>({ name: 'passes', rounds: 1, extension: 'onDemand' }),
        target: 4,
        unit: 'events',
      },
    ];
  },
};

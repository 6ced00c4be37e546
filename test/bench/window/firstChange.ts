import { DEFAULT_TOKEN } from '../../support/service/data.js';
import { startService } from '../../support/service/service.js';
import type { Benchmark } from '../benchmark.js';
import { median, ms } from '../compare.js';
import { deployments } from '../data.js';
import type { Pair } from '../host/jobs.js';
import { runInHost } from '../hostSession.js';

/** Of the same service as the refresh. */
const latency = 20;

export const firstChange: Benchmark = {
  name: 'first',
  async measure(short) {
    const data = deployments(1000);
    const service = await startService({ data: { deployments: data } });
    service.fault('all', { latency });
    try {
      const pairs = await runInHost<Pair[]>({
        name: 'firstChange',
        rounds: short ? 10 : 40,
        extension: 'onDemand',
        service: { baseUrl: service.baseUrl, controlUrl: service.controlUrl, token: DEFAULT_TOKEN },
        ids: [...data.keys()],
      });
      return [
        {
          what: 'first deployment changed after a refresh starts',
          against: 'one bare request',
          measured: median(pairs.map(({ ours, limit }) => ours / limit)),
          target: 1.5,
          unit: '×',
          detail: `${ms(median(pairs.map(({ ours }) => ours)))} : ${ms(median(pairs.map(({ limit }) => limit)))}`,
        },
      ];
    } finally {
      await service.stop();
    }
  },
};

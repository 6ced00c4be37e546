import { DEFAULT_TOKEN } from '../../support/service/data.js';
import { startService } from '../../support/service/service.js';
import type { Benchmark } from '../benchmark.js';
import { median, ms } from '../compare.js';
import { deployments } from '../data.js';
import { runInHost } from '../hostSession.js';

export const scale: Benchmark = {
  name: 'scale',
  async measure(short) {
    const data = deployments(10_000);
    const ids = [...data.keys()];
    const service = await startService({ data: { deployments: data } });
    try {
      const stalls = await runInHost<number[]>({
        name: 'scale',
        rounds: short ? 2 : 6,
        extension: 'installed',
        env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN },
        userSettings: { 'automationPlatform.maxConcurrentRequests': 64, 'automationPlatform.refreshInterval': 0 },
        workspaceSettings: { 'automationPlatform.deployments': ids },
      });
      return [
        {
          what: 'refresh of 10,000 deployments, tree open: longest stall',
          against: 'nothing: VS Code’s own part, sending so many rows, is in it',
          measured: median(stalls),
          unit: 'ms',
          detail: `at most ${ms(Math.max(...stalls))}`,
        },
      ];
    } finally {
      await service.stop();
    }
  },
};

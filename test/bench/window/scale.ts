import { startService } from '../../support/service/service.js';
import { median, worst } from '../compare.js';
import { deployments, lots } from '../data.js';
import type { Benchmark } from '../rows.js';

export const scale: Benchmark = async (short, windows) => {
  const service = await startService({ data: { deployments: deployments(lots) } });
  const rounds = short ? 2 : 6;
  const stalls = await windows.measure({ name: 'scale', rounds, service, maxConcurrentRequests: 64 });
  return [
    {
      what: 'refresh of 10,000 deployments, tree open: longest stall',
      against: 'nothing: VS Code’s own part, sending so many rows, is in it',
      measured: median(stalls),
      unit: 'ms',
      detail: worst(stalls),
    },
  ];
};

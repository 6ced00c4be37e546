// How long the packaged extension holds the extension host; host/stalls.ts has what runs in it.
import { startService } from '../support/service/service.js';
import { ms } from './compare.js';
import { deployment, deployments, wideDeployment } from './data.js';
import type { Stall } from './host/stalls.js';
import type { Benchmark, Row } from './rows.js';

/** At sizes that users have, and in a run that is not short at ten times that (of deployments at five times). */
export const stalls: Benchmark = async (short, windows) => {
  const rounds = short ? 2 : 3;
  const rows: Row[] = [];

  for (const count of short ? [2000] : [2000, 10_000]) {
    const target = count > 2000 ? 200 : 50;
    const service = await startService({ data: { deployments: deployments(count) } });
    const measured = await windows.measure('stalls', count > 2000 ? 2 : rounds, { service, maxConcurrentRequests: 32 });
    const many = `${count.toLocaleString('en')} deployments`;
    const documents = `200 documents of ${count > 2000 ? 500 : 50} IDs open`;
    rows.push(
      row(`first rows of ${many}`, 'as many ready rows', target, measured.rows!),
      row(`Refresh Deployment on ${many}`, '–', target, measured.refreshed!),
      row(`the same with ${documents}`, 'without them', target, measured.documents!),
      row('the same during a pause', '–', target, measured.paused!),
    );
    const shared = await startService({ data: { deployments: deployments(count, 'acc_shared') } });
    rows.push(row(`muting an account of ${many}`, '–', target, await windows.measure('mute', 1, { service: shared })));
  }
  for (const size of short ? [1000] : [1000, 10_000]) {
    const service = await startService({ data: { deployments: new Map([['dep_wide', wideDeployment(size)]]) } });
    const what = `an answer with ${size.toLocaleString('en')} accounts and as many requirements`;
    rows.push(row(what, '–', size > 1000 ? 200 : 50, await windows.measure('answer', rounds, { service })));
  }
  const service = await startService({ data: { deployments: new Map([['dep_00001', deployment('00001', 2048)]]) } });
  const measured = await windows.measure('edits', short ? 1 : 3, { service });
  rows.push(row('999 edits in one event in 200,000 lines, and the scan after them', 'VS Code, with it', 50, measured));
  return rows;
};

function row(what: string, against: string, target: number, { ours, alone }: Stall): Row {
  return {
    what: `longest stall: ${what}`,
    against,
    measured: ours,
    target,
    unit: 'ms',
    detail: alone === undefined ? '–' : ms(alone),
  };
}

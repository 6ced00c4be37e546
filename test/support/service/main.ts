/**
 * The service as a process of its own: prints one line of JSON (`ServiceAddress`) once it listens.
 *   node out/test/support/service/main.js [--sample] [--deployments N] [--port N] [--session-token] [--end-with-stdin]
 * Ends on SIGTERM or SIGINT, with its parent, and, if asked for, when its standard input closes.
 */
import { parseArgs } from 'node:util';
import type { ServiceAddress } from './child.js';
import { DEFAULT_SESSION_TOKEN, DEFAULT_TOKEN, emptyData, many } from './data.js';
import { sampleData } from './sample.js';
import { startService } from './service.js';

const PARENT_CHECK_MS = 500;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    sample: { type: 'boolean', default: false },
    deployments: { type: 'string', default: '0' },
    'session-token': { type: 'boolean', default: false },
    'end-with-stdin': { type: 'boolean', default: false },
  },
});

const data = values.sample ? sampleData() : emptyData();
for (const [id, one] of many(Number(values.deployments), { failedEvery: 50, unsatisfiedEvery: 20 })) {
  data.deployments.set(id, one);
}
const sessionToken = values['session-token'] ? DEFAULT_SESSION_TOKEN : undefined;
const service = await startService({
  data,
  port: Number(values.port),
  ...(sessionToken === undefined ? {} : { sessionToken }),
});

const end = () => void service.stop();
process.once('SIGTERM', end);
process.once('SIGINT', end);
const parent = process.ppid;
// A parent that was killed says nothing. Unreferenced: a service stopped over its control port ends too.
setInterval(() => process.ppid !== parent && end(), PARENT_CHECK_MS).unref();
if (values['end-with-stdin']) {
  process.stdin.once('close', end).resume();
  process.stdin.unref?.();
}

const address: ServiceAddress = {
  baseUrl: service.baseUrl,
  controlUrl: service.controlUrl,
  token: DEFAULT_TOKEN,
  ...(sessionToken === undefined ? {} : { sessionToken }),
};
console.log(JSON.stringify(address));

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readInWorker } from '../../../src/api/network/trust.js';
import { createAuthority } from '../../support/service/certificates.js';
import { startService } from '../../support/service/service.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { comparisonOf } from '../compare.js';
import { deployments } from '../data.js';
import { type Benchmark, ratioRow } from '../rows.js';

export const stall: Benchmark = async (short, windows) => {
  const authority = createAuthority();
  const trusted = join((await temporaryFolder()).path, 'authority.pem');
  await writeFile(trusted, [...((await readInWorker())?.system ?? []), authority.cert].join('\n'));
  const service = await startService({ data: { deployments: deployments(64) }, tls: authority.issue(['127.0.0.1']) });
  const pairs = await windows.measure({
    name: 'stall',
    rounds: short ? 4 : 10,
    service,
    // One of them is kept for what a person asks: 8 are left for a refresh of all.
    maxConcurrentRequests: 9,
    // The system's store, of which the editor's `fetch` asks Node, and Node's own additions to its default.
    env: { SSL_CERT_FILE: trusted, NODE_EXTRA_CA_CERTS: trusted },
  });
  const what = '64 TLS requests at 8 at a time after the first: longest stall';
  return [ratioRow(what, 'the editor’s patched `fetch`', 0.1, comparisonOf(pairs))];
};

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readInWorker } from '../../../src/api/network/trust.js';
import { createAuthority } from '../../support/service/certificates.js';
import { DEFAULT_TOKEN } from '../../support/service/data.js';
import { startService } from '../../support/service/service.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import type { Benchmark } from '../benchmark.js';
import { median, ms } from '../compare.js';
import { deployments } from '../data.js';
import type { Pair } from '../host/jobs.js';
import { runInHost } from '../hostSession.js';

/** One of them is kept for what a person asks: 8 are left for a refresh of all. */
const maxConcurrentRequests = 9;

export const stall: Benchmark = {
  name: 'stall',
  async measure(short) {
    const data = deployments(64);
    const ids = [...data.keys()];
    const authority = createAuthority();
    const folder = await temporaryFolder();
    const trusted = join(folder.path, 'authority.pem');
    await writeFile(trusted, [...((await readInWorker())?.system ?? []), authority.cert].join('\n'));
    const service = await startService({ data: { deployments: data }, tls: authority.issue(['127.0.0.1']) });
    try {
      const pairs = await runInHost<Pair[]>({
        name: 'stall',
        rounds: short ? 4 : 10,
        extension: 'installed',
        service: { baseUrl: service.baseUrl, controlUrl: service.controlUrl, token: DEFAULT_TOKEN },
        ids,
        env: {
          AUTOMATION_PLATFORM_BASE_URL: service.baseUrl,
          AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN,
          // The system's store, of which the editor's `fetch` asks Node, and Node's own additions to its default.
          SSL_CERT_FILE: trusted,
          NODE_EXTRA_CA_CERTS: trusted,
        },
        userSettings: {
          'automationPlatform.maxConcurrentRequests': maxConcurrentRequests,
          'automationPlatform.refreshInterval': 0,
        },
        workspaceSettings: { 'automationPlatform.deployments': ids },
      });
      return [
        {
          what: '64 TLS requests at 8 at a time after the first: longest stall',
          against: 'the editor’s patched `fetch`',
          measured: median(pairs.map(({ ours, limit }) => ours / limit)),
          target: 0.1,
          unit: '×',
          detail: `${ms(median(pairs.map(({ ours }) => ours)))} : ${ms(median(pairs.map(({ limit }) => limit)))}`,
        },
      ];
    } finally {
      await service.stop();
      await folder.remove();
    }
  },
};

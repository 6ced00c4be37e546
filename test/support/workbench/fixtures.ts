// What the tests of test/e2e run in: one VS Code for all tests of a worker, and windows in it.
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { cleanUp } from '../cleanup.js';
import type { ServiceData } from '../service/data.js';
import { sampleData } from '../service/sample.js';
import { type Service, startService } from '../service/service.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { type HostVersion, hostVersion, newestHost } from '../vscode/hostVersions.js';
import { installHost } from '../vscode/installHost.js';
import { launchOptions } from '../vscode/launchBrowser.js';
import { installExtension, startServer, usualBuiltins } from '../vscode/startServer.js';
import { openWorkbench, type WorkbenchOptions } from './openWorkbench.js';
import type { Workbench } from './workbench.js';

export { expect } from '@playwright/test';

export const listSetting = 'automationPlatform.deployments';

interface Beginning extends WorkbenchOptions {
  /** What the service knows: the sample, if nothing else is given. */
  readonly data?: Partial<ServiceData>;
  /** What the workspace lists. */
  readonly list?: readonly unknown[];
}

/** A service, and a window that its environment signs in to it. Closing the window ends both. */
export type Begin = (beginning?: Beginning) => Promise<{ readonly service: Service; readonly workbench: Workbench }>;

export interface CodeOptions {
  readonly versionName: HostVersion['name'];
}

export type RunningCode = Awaited<ReturnType<typeof startCode>>;

export const test = base.extend<object, CodeOptions & { readonly code: RunningCode; readonly begin: Begin }>({
  versionName: [newestHost.name, { option: true, scope: 'worker' }],
  // The first run downloads the browser and VS Code.
  launchOptions: [async ({}, use) => use(await launchOptions()), { scope: 'worker', timeout: 300_000 }],
  code: [
    async ({ versionName }, use) => {
      await use(await startCode(versionName));
      await cleanUp();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  begin: [
    async ({ code, browser }, use) => {
      await use(async ({ data = promptSample(), list, workspaceSettings, ...options } = {}) => {
        const service = await startService({ data });
        const workbench = await openWorkbench(
          { ...code, browser },
          {
            env: service.env,
            workspaceSettings: { ...workspaceSettings, ...(list && { [listSetting]: list }) },
            ...options,
          },
          () => service.stop(),
        );
        return { service, workbench };
      });
    },
    { scope: 'worker' },
  ],
});

/** A server with the extension installed. `folder` is for what a window needs and does not keep. */
async function startCode(versionName: string) {
  const { path: folder } = await temporaryFolder();
  const options = {
    host: await installHost(hostVersion(versionName)),
    serverDataDir: join(folder, 'server'),
    extensionsDir: join(folder, 'extensions'),
    builtinExtensions: [...usualBuiltins, 'ipynb', 'python'],
    // Each window says for itself.
    trust: true,
  };
  await installExtension(options, process.env['AUTOMATION_PLATFORM_TEST_VSIX'] ?? '');
  return { options, server: await startServer(options), folder };
}

/** Without its slow answer: no test looks at that. */
function promptSample(): ServiceData {
  const data = sampleData();
  return { ...data, standing: data.standing.filter(({ fault }) => fault.latency === undefined) };
}

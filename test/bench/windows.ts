// Windows of a real VS Code for rows that need an extension host, with the packaged extension.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageExtension } from '../support/packageExtension.js';
import { compiledTests } from '../support/paths.js';
import { openControl } from '../support/platform/control.js';
import type { Platform } from '../support/platform/platform.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { runInExtensionHost } from '../support/vscode/extensionHost.js';
import type { HostVersion } from '../support/vscode/hostVersions.js';
import { installHost } from '../support/vscode/installHost.js';
import { installExtension } from '../support/vscode/startServer.js';
import { folderSettingsFile, userSettingsFile } from '../support/workbench/settingsFiles.js';
import type { Job, Measured } from './host/index.mjs';

export class Windows {
  /** Packaged and installed once a run, when first needed. */
  private extensionsDir: Promise<string> | undefined;

  constructor(private readonly version: HostVersion) {}

  /**
   * Opens a window with a fresh profile, does the job in its extension host, and gives what it measured. The window is signed in to
   * the platform, lists its deployments, and ends it.
   */
  async measure<Name extends keyof Measured>(
    name: Name,
    rounds: number,
    platform?: Platform,
    maxConcurrentRequests = 32,
  ): Promise<Measured[Name]> {
    this.extensionsDir ??= install(this.version);
    const extensionsDir = await this.extensionsDir;
    const temporary = await temporaryFolder();
    const folder = temporary.path;
    const results = join(folder, 'results.json');
    const job: Job = {
      name,
      rounds,
      results,
      control: platform ? await openControl(platform) : '',
    };
    await userSettingsFile(folder).write({
      'automationPlatform.maxConcurrentRequests': maxConcurrentRequests,
      'automationPlatform.refreshInterval': 0,
    });
    await folderSettingsFile(join(folder, 'workspace')).write({
      'automationPlatform.deployments': [...(platform?.data.deployments.keys() ?? [])],
    });
    const { code, output } = await runInExtensionHost({
      version: this.version,
      folder,
      extensionsDir,
      // VS Code runs tests of an extension under development only, whichever.
      extension: join(extensionsDir, 'bench.host-1.0.0'),
      testsPath: join(compiledTests, 'bench', 'host', 'index.mjs'),
      timeLimit: 300_000,
      env: { ...platform?.env, AUTOMATION_PLATFORM_BENCH_JOB: JSON.stringify(job) },
    });
    await platform?.stop();
    if (code !== 0) throw new Error(`${name} failed in the extension host: ${output}`);
    const measured: Measured[Name] = JSON.parse(await readFile(results, 'utf8'));
    await temporary.remove();
    return measured;
  }
}

/** A view in a container of its own, for rows that `host/stalls.ts` hands out. */
const readyRows = {
  viewsContainers: { activitybar: [{ id: 'bench', title: 'Bench', icon: '$(beaker)' }] },
  views: { bench: [{ id: 'bench.rows', name: 'Rows' }] },
};

/** Ours, activated when the bench asks for it or runs a command, and extensions that do nothing. */
async function install(version: HostVersion) {
  const { path } = await temporaryFolder();
  const vsix = join(path, 'extension.vsix');
  const [host] = await Promise.all([installHost(version), packageExtension(vsix)]);
  const extensionsDir = join(path, 'extensions');
  await installExtension({ host, extensionsDir, serverDataDir: join(path, 'server') }, vsix);
  const name = (await readdir(extensionsDir)).find((entry) =>
    entry.startsWith('automation-platform-tools.'),
  )!;
  const extensionFolder = join(extensionsDir, name);
  const ours: object = JSON.parse(await readFile(join(extensionFolder, 'package.json'), 'utf8'));
  await writeManifest(extensionFolder, ours);
  for (const empty of ['empty-first', 'empty-before', 'empty-after', 'host']) {
    const folder = join(extensionsDir, `bench.${empty}-1.0.0`);
    await mkdir(folder);
    const engines = { vscode: '^1.105.0' };
    const identity = { name: empty, publisher: 'bench', version: '1.0.0', engines };
    const manifest = {
      ...identity,
      type: 'module',
      main: './main.js',
      contributes: empty === 'host' ? readyRows : {},
    };
    await writeManifest(folder, manifest);
    await writeFile(join(folder, 'main.js'), "import 'vscode';\nexport function activate() {}\n");
  }
  // Without the list of what is installed VS Code takes every folder.
  await rm(join(extensionsDir, 'extensions.json'));
  return extensionsDir;
}

function writeManifest(folder: string, manifest: object): Promise<void> {
  return writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ ...manifest, activationEvents: [] }),
  );
}

// Windows of a real VS Code for rows that need an extension host, with the packaged extension.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageExtension } from '../support/packageExtension.js';
import { compiledTests } from '../support/paths.js';
import { openControl } from '../support/service/control.js';
import type { Service } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { type ExtensionHostRun, runInExtensionHost } from '../support/vscode/extensionHost.js';
import type { HostVersion } from '../support/vscode/hostVersions.js';
import { installHost } from '../support/vscode/installHost.js';
import { installExtension } from '../support/vscode/startServer.js';
import { folderSettingsFile, userSettingsFile } from '../support/workbench/settingsFiles.js';
import type { Job, Measured } from './host/index.mjs';

export interface WindowJob<Name> extends Pick<ExtensionHostRun, 'watch' | 'afterwards'> {
  readonly name: Name;
  readonly rounds: number;
  /** Its deployments are listed, and the extension reads them. Without a service it is activated when the job asks for it. */
  readonly service?: Service;
  readonly maxConcurrentRequests?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export class Windows {
  private started: ReturnType<typeof install> | undefined;
  private opened = 0;

  /** `profileFolder`: for a CPU profile of each job. */
  constructor(
    private readonly version: HostVersion,
    private readonly profileFolder: string | undefined,
  ) {}

  /** Packages and installs once a run, when first needed. */
  installed(): ReturnType<typeof install> {
    this.started ??= install(this.version);
    return this.started;
  }

  /** Opens a window with a fresh profile, does the job in its extension host, and gives what it measured. */
  async measure<Name extends keyof Measured>({
    name,
    rounds,
    service,
    maxConcurrentRequests,
    env,
    ...callbacks
  }: WindowJob<Name>): Promise<Measured[Name]> {
    const { extensionsDir, onDemandDir } = await this.installed();
    const temporary = await temporaryFolder();
    const folder = temporary.path;
    const results = join(folder, 'results.json');
    const profile = this.profileFolder && join(this.profileFolder, `${name}-${this.opened++}.cpuprofile`);
    const control = service && (await openControl(service));
    const job: Job = { name, rounds, results, profile, control };
    if (service) {
      await userSettingsFile(folder).write({
        'automationPlatform.maxConcurrentRequests': maxConcurrentRequests,
        'automationPlatform.refreshInterval': 0,
      });
      await folderSettingsFile(join(folder, 'workspace')).write({
        'automationPlatform.deployments': [...service.data.deployments.keys()],
      });
    }
    const { code, output } = await runInExtensionHost({
      version: this.version,
      folder,
      extensionsDir: service ? extensionsDir : onDemandDir,
      // VS Code runs tests of an extension under development only, whichever.
      extension: join(onDemandDir, 'bench.host-1.0.0'),
      testsPath: join(compiledTests, 'bench', 'host', 'index.mjs'),
      timeLimit: 180_000,
      env: { ...service?.env, ...env, AUTOMATION_PLATFORM_BENCH_JOB: JSON.stringify(job) },
      ...callbacks,
    });
    await service?.stop();
    if (code !== 0) throw new Error(`${name} failed in the extension host: ${output}`);
    const measured: Measured[Name] = JSON.parse(await readFile(results, 'utf8'));
    await temporary.remove();
    return measured;
  }
}

/** In `onDemandDir` are extensions that do nothing, and ours without its activation events; in `extensionsDir` is ours alone. */
async function install(version: HostVersion) {
  const { path } = await temporaryFolder();
  const vsix = join(path, 'extension.vsix');
  const [host] = await Promise.all([installHost(version), packageExtension(vsix)]);
  const extensionsDir = join(path, 'extensions');
  await installExtension({ host, extensionsDir, serverDataDir: join(path, 'server') }, vsix);
  const name = (await readdir(extensionsDir)).find((entry) => entry.startsWith('automation-platform-tools.'))!;
  const extensionFolder = join(extensionsDir, name);
  const onDemandDir = join(path, 'on-demand');
  await cp(extensionFolder, join(onDemandDir, name), { recursive: true });
  const ours: object = JSON.parse(await readFile(join(extensionFolder, 'package.json'), 'utf8'));
  // Activated by the bench and by nothing else.
  await writeFile(join(onDemandDir, name, 'package.json'), JSON.stringify({ ...ours, activationEvents: [] }));
  for (const empty of ['empty-first', 'empty-before', 'empty-after', 'host']) await writeEmpty(onDemandDir, empty);
  return { vsix, extensionFolder, extensionsDir, onDemandDir };
}

async function writeEmpty(parent: string, name: string): Promise<void> {
  const folder = join(parent, `bench.${name}-1.0.0`);
  await mkdir(folder, { recursive: true });
  const engines = { vscode: '^1.105.0' };
  const manifest = { name, publisher: 'bench', version: '1.0.0', engines, type: 'module', main: './main.js' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  await writeFile(join(folder, 'main.js'), "import 'vscode';\nexport function activate() {}\n");
}

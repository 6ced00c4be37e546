// `npm start -- [--vscode 1.105] [--desktop | --browser]`: a real VS Code with the packaged extension, a sample workspace and a local service.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, endWithParent, onEnd } from './cleanup.js';
import { readCommandLine } from './commandLine.js';
import { installSampleTour } from './installSampleTour.js';
import { openInBrowser } from './openInBrowser.js';
import { packageExtension } from './packageExtension.js';
import { copySampleWorkspace } from './sampleWorkspace.js';
import { sampleApiKeyIds, sampleData, sampleInstallTokens } from './service/sample.js';
import { startService } from './service/service.js';
import { startDesktop } from './startDesktop.js';
import { temporaryFolder } from './temporaryFolder.js';
import { downloadDesktop, installedClis } from './vscode/desktop.js';
import { openFrontDoor } from './vscode/frontDoor.js';
import { type HostVersion, newestHost } from './vscode/hostVersions.js';
import { installHost } from './vscode/installHost.js';
import { windowUrl } from './vscode/openWindow.js';
import { thisPlatform } from './vscode/platform.js';
import { quietSettings } from './vscode/quietSettings.js';
import { installExtension, startServer } from './vscode/startServer.js';
import { userSettingsFile } from './workbench/settingsFiles.js';

interface Setup {
  readonly version: HostVersion;
  readonly folder: string;
  readonly vsix: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
}

async function startWeb(setup: Setup): Promise<void> {
  const host = await installHost(setup.version);
  const options = {
    host,
    serverDataDir: join(setup.folder, 'server'),
    extensionsDir: join(setup.folder, 'extensions'),
    env: setup.env,
  };
  await userSettingsFile(options.serverDataDir).write(quietSettings);
  await installExtension(options, setup.vsix);
  await installSampleTour(options.extensionsDir);
  const server = await startServer(options);
  const port = await openFrontDoor(server.port);
  const url = windowUrl(`http://127.0.0.1:${port}`, { folder: setup.workspace });
  console.log(
    `VS Code ${setup.version.vscode} with the extension, signed in to a local service with sample data:\n\n  ${url}\n`,
  );
  openInBrowser(url);
  void server.process.ended.then(async (code) => {
    console.error(`The VS Code server ended (${code}):\n${server.process.output()}`);
    await cleanUp();
    process.exit(1);
  });
}

/** People on macOS and Windows have a desktop VS Code, or can download one with `--desktop`; elsewhere the browser is there. */
async function desktopCli(): Promise<string | undefined> {
  if (line.desktop) return (await downloadDesktop(setup.version)).cli;
  if (line.browser || line.versions.length === 1) return undefined;
  return installedClis(thisPlatform, process.env).find((file) => existsSync(file));
}

// Ctrl+C is the way to end this, no failure.
process.exitCode = 0;
endWithParent();
const line = readCommandLine();
const { path: folder } = await temporaryFolder();
const workspace = join(folder, 'sample');
const vsix = join(folder, 'automation-platform.vsix');
console.log('Packaging the extension …');
const [service] = await Promise.all([
  startService({ data: sampleData() }),
  packageExtension(vsix),
  copySampleWorkspace(workspace),
]);
onEnd(() => service.stop());
const setup: Setup = {
  version: line.versions.length === 1 ? line.versions[0]! : newestHost,
  folder,
  vsix,
  workspace,
  env: service.env,
};
const cli = await desktopCli();
await (cli === undefined ? startWeb(setup) : startDesktop({ ...setup, cli }));
console.log(`To try:
  Look Up Install…   ${Object.values(sampleInstallTokens).join('\n                     ')}
  Revoke API Key…    ${sampleApiKeyIds.join(', ')}

Ctrl+C ends everything.`);

// `npm start -- [--vscode 1.105] [--desktop | --browser]`: a real VS Code with the packaged extension, a sample workspace and a local service.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp, endWithParent } from './cleanup.js';
import { packageExtension } from './packageExtension.js';
import { projectRoot } from './paths.js';
import { sampleApiKeyIds, sampleData, sampleDeployments, sampleInstallTokens } from './service/sample.js';
import { startService } from './service/service.js';
import { temporaryFolder } from './temporaryFolder.js';
import { downloadDesktop, installedClis, runCli } from './vscode/desktop.js';
import { hostVersion, newestHost } from './vscode/hostVersions.js';
import { installHost } from './vscode/installHost.js';
import { windowUrl } from './vscode/openWindow.js';
import { thisPlatform } from './vscode/platform.js';
import { quietSettings } from './vscode/quietSettings.js';
import { installExtension, startServer } from './vscode/startServer.js';
import { folderSettingsFile, userSettingsFile } from './workbench/settingsFiles.js';

/** A copy of the sample workspace that lists the deployments of the sample data. */
async function copySampleWorkspace(): Promise<void> {
  await cp(join(projectRoot, 'test', 'support', 'sample'), workspace, { recursive: true });
  await folderSettingsFile(workspace).change({ 'automationPlatform.deployments': sampleDeployments });
}

/** People on macOS and Windows have a desktop VS Code, or can download one with `--desktop`; elsewhere the browser is there. */
async function desktopCli(): Promise<string | undefined> {
  if (line.desktop) return (await downloadDesktop(version)).cli;
  if (line.browser || line.vscode) return undefined;
  return installedClis(thisPlatform, process.env).find((file) => existsSync(file));
}

/** Opens a desktop VS Code on a profile of its own, so that the person's stays as it is. Closing its window ends us too. */
async function startDesktop(cli: string): Promise<void> {
  const profile = ['--user-data-dir', join(folder, 'data'), '--extensions-dir', extensionsDir];
  const installing = runCli(cli, [...profile, '--install-extension', vsix]);
  if ((await installing.ended) !== 0) throw new Error(`${cli} did not install the extension:\n${installing.output()}`);
  const shown = ['--disable-workspace-trust', '--skip-welcome', '--new-window', '--wait', workspace];
  const window = runCli(cli, [...profile, ...shown], service.env);
  void window.ended.then(() => end(0));
  console.log(
    `${cli}\nopens with the extension and a profile of its own, signed in to a local service with sample data.\n`,
  );
}

async function startWeb(): Promise<void> {
  const options = { host: await installHost(version), serverDataDir: folder, extensionsDir, env: service.env };
  await installExtension(options, vsix);
  await installSampleTour();
  const server = await startServer(options);
  const url = windowUrl(server.port, { folder: workspace });
  console.log(
    `VS Code ${version.vscode} with the extension, signed in to a local service with sample data:\n\n  ${url}\n`,
  );
  openInBrowser(url);
  void server.process.ended.then((code) => {
    console.error(`The VS Code server ended (${code}):\n${server.process.output()}`);
    return end(1);
  });
}

/**
 * Puts a little extension beside ours that opens the tree and a file with references: a VS Code in a browser starts with the
 * Explorer, and neither its address nor a setting can say otherwise.
 */
async function installSampleTour(): Promise<void> {
  const target = join(extensionsDir, 'automation-platform-tools-dev.sample-tour-0.0.0');
  await cp(join(projectRoot, 'test', 'support', 'sampleTour'), target, { recursive: true });
  // Without the list of what is installed VS Code takes every folder.
  await rm(join(extensionsDir, 'extensions.json'));
}

/** Opens the address in the person's browser, if there is a screen to show it on. */
function openInBrowser(url: string): void {
  const hasScreen = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  if (!hasScreen || process.env['CI']) return;
  const openers: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ['open', url],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', url],
  };
  const [program, ...args] = openers[process.platform] ?? ['xdg-open', url];
  // The browser is the person's: it stays when we end.
  const child = spawn(program!, args, { stdio: 'ignore', detached: true });
  child.once('error', () => console.log('(No browser could be opened; open the address by hand.)'));
  child.unref();
}

async function end(code: number): Promise<never> {
  await cleanUp();
  process.exit(code);
}

// Ctrl+C is the way to end this, no failure.
process.exitCode = 0;
endWithParent();
const { values: line } = parseArgs({
  options: {
    vscode: { type: 'string' },
    /** In a downloaded desktop VS Code instead of the server. */
    desktop: { type: 'boolean' },
    /** Not in the desktop VS Code that is installed. */
    browser: { type: 'boolean' },
  },
});
const version = line.vscode ? hostVersion(line.vscode) : newestHost;
const { path: folder } = await temporaryFolder();
const extensionsDir = join(folder, 'extensions');
const workspace = join(folder, 'sample');
const vsix = join(folder, 'automation-platform.vsix');
console.log('Packaging the extension …');
const [service] = await Promise.all([
  startService({ data: sampleData() }),
  packageExtension(vsix),
  copySampleWorkspace(),
  userSettingsFile(folder).write(quietSettings),
]);
const cli = await desktopCli();
await (cli === undefined ? startWeb() : startDesktop(cli));
console.log(`To try:
  Look Up Install...   ${Object.values(sampleInstallTokens).join('\n                     ')}
  Revoke API Key...    ${sampleApiKeyIds.join(', ')}

Ctrl+C ends everything.`);

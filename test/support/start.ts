// `npm start -- [--vscode 1.105]`: a real VS Code with the packaged extension, a sample workspace and a local platform.
import { spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp } from './cleanup.js';
import { packageExtension } from './packageExtension.js';
import { projectRoot } from './paths.js';
import { startPlatform } from './platform/platform.js';
import {
  sampleApiKeyIds,
  sampleData,
  sampleDeployments,
  sampleInstallTokens,
} from './platform/sample.js';
import { temporaryFolder } from './temporaryFolder.js';
import { hostVersion, newestHost } from './vscode/hostVersions.js';
import { installHost } from './vscode/installHost.js';
import { windowUrl } from './vscode/openWindow.js';
import { quietSettings } from './vscode/quietSettings.js';
import { installExtension, startServer } from './vscode/startServer.js';
import { folderSettingsFile, userSettingsFile } from './workbench/settingsFiles.js';

async function copySampleWorkspace(): Promise<void> {
  await cp(join(projectRoot, 'test', 'support', 'sample'), workspace, { recursive: true });
  await folderSettingsFile(workspace).change({
    'automationPlatform.deployments': sampleDeployments,
  });
}

async function startCode(): Promise<void> {
  const extensionsDir = join(folder, 'extensions');
  const vsix = join(folder, 'automation-platform.vsix');
  console.log('Packaging the extension …');
  await packageExtension(vsix);
  const options = {
    host: await installHost(version),
    serverDataDir: folder,
    extensionsDir,
    env: platform.env,
  };
  await installExtension(options, vsix);
  await installSampleTour(extensionsDir);
  const server = await startServer(options);
  const url = windowUrl(server.port, { folder: workspace });
  console.log(
    `VS Code ${version.vscode} with the extension, signed in to a local platform with sample data:\n\n  ${url}\n`,
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
async function installSampleTour(extensionsDir: string): Promise<void> {
  const target = join(extensionsDir, 'automation-platform-tools-dev.sample-tour-0.0.0');
  await cp(join(projectRoot, 'test', 'support', 'sampleTour'), target, { recursive: true });
  // Without the list of what is installed VS Code takes every folder.
  await rm(join(extensionsDir, 'extensions.json'));
}

function openInBrowser(url: string): void {
  const hasScreen =
    process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
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
const { values: line } = parseArgs({ options: { vscode: { type: 'string' } } });
const version = line.vscode ? hostVersion(line.vscode) : newestHost;
const { path: folder } = await temporaryFolder();
const workspace = join(folder, 'sample');
const platform = await startPlatform({ data: sampleData() });
await copySampleWorkspace();
await userSettingsFile(folder).write(quietSettings);
await startCode();
console.log(`To try:
  Look Up Install...   ${Object.values(sampleInstallTokens).join('\n                     ')}
  Revoke API Key...    ${sampleApiKeyIds.join(', ')}

Ctrl+C ends everything.`);

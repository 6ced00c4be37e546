// What all windows of one run of UI tests share: one VS Code version, one browser, the extension installed once.
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { temporaryFolder } from '../temporaryFolder.js';
import type { HostVersion } from '../vscode/hostVersions.js';
import { type InstalledHost, installHost } from '../vscode/installHost.js';
import { launchBrowser } from '../vscode/launchBrowser.js';
import { installExtension } from '../vscode/startServer.js';

export interface Session {
  readonly host: InstalledHost;
  readonly browser: Browser;
  readonly extensionsDir: string;
}

let current: Session | undefined;

export function session(): Session {
  if (!current) {
    throw new Error('No session: UI tests are started by test/support/e2e.ts.');
  }
  return current;
}

export async function startSession(version: HostVersion, vsix: string): Promise<void> {
  const host = await installHost(version);
  const { path } = await temporaryFolder();
  const extensionsDir = join(path, 'extensions');
  const [{ browser }] = await Promise.all([
    launchBrowser(),
    installExtension({ host, extensionsDir, serverDataDir: join(path, 'server') }, vsix),
  ]);
  current = { host, browser, extensionsDir };
}

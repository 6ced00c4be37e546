import { type Browser, chromium } from 'playwright-core';
import { onEnd } from '../cleanup.js';
import { environment } from '../processes.js';
import { installBrowser } from './installBrowser.js';

/** A headless Chromium that runs offline and also as root (containers), where Chromium's own sandbox refuses to. */
export async function launchBrowser(): Promise<{ browser: Browser; close: () => Promise<void> }> {
  const { executablePath, env } = await installBrowser();
  const flags =
    '--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
  const browser = await chromium.launch({
    executablePath,
    env: environment(env),
    args: flags.split(' '),
    chromiumSandbox: false,
    // Ours end the servers too; Playwright's would end the process under them.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return { browser, close: onEnd(() => browser.close()) };
}

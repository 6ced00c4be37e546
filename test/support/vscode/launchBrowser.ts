import { chromium } from 'playwright-core';
import { onEnd } from '../cleanup.js';
import { environment } from '../processes.js';
import { installBrowser } from './installBrowser.js';

/** A headless Chromium that runs offline and also as root (containers), where Chromium's own sandbox refuses to. */
export async function launchBrowser() {
  const { executablePath, env } = await installBrowser();
  const unused = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'];
  const browser = await chromium.launch({
    executablePath,
    env: environment(env),
    args: ['--no-first-run', ...unused.map((part) => `--disable-${part}`)],
    chromiumSandbox: false,
    // Ours end the servers too; Playwright's would end the process under them.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return { browser, close: onEnd(() => browser.close()) };
}

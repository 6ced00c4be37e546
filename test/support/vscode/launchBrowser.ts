import { chromium, type LaunchOptions } from '@playwright/test';
import { onEnd } from '../cleanup.js';
import { environment } from '../processes.js';
import { installBrowser } from './installBrowser.js';

/** For a headless Chromium that runs offline and also as root (containers), where Chromium's own sandbox refuses to. */
export async function launchOptions(): Promise<LaunchOptions> {
  const { executablePath, env } = await installBrowser();
  const unused = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'];
  return {
    executablePath,
    env: environment(env),
    args: ['--no-first-run', ...unused.map((part) => `--disable-${part}`)],
    chromiumSandbox: false,
  };
}

export async function launchBrowser() {
  // Our handlers end the servers too; Playwright's would end the process under them.
  const handled = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ ...(await launchOptions()), ...handled });
  return { browser, close: onEnd(() => browser.close()) };
}

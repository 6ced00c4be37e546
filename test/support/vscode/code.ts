// Stands in for the `code` executable where there is no desktop VS Code: takes the part of its command line that a test run
// uses, opens the same in a VS Code server with a headless browser, and exits with the tests' code.
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp, endWithParent } from '../cleanup.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { hostVersion } from './hostVersions.js';
import { installHost } from './installHost.js';
import { launchBrowser } from './launchBrowser.js';
import { openWindow } from './openWindow.js';
import { startServer, usualBuiltins } from './startServer.js';

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string', multiple: true },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
    'disable-workspace-trust': { type: 'boolean' },
  },
});

async function main(): Promise<number> {
  const version = hostVersion(process.env['AUTOMATION_PLATFORM_TEST_VSCODE'] ?? '');
  const timeLimit = Number(process.env['AUTOMATION_PLATFORM_TEST_TIME_LIMIT'] ?? 300_000);
  const host = await installHost(version);
  const { path } = await temporaryFolder();
  const serverDataDir = join(path, 'd');
  const userData = values['user-data-dir'];
  if (typeof userData === 'string') {
    // The desktop's user data folder and the server's `data` folder have the same contents.
    await Promise.all([mkdir(resolve(userData, 'User'), { recursive: true }), mkdir(serverDataDir)]);
    await symlink(resolve(userData), join(serverDataDir, 'data'), 'junction');
  }
  const extensionsDir = values['extensions-dir'];
  const [server, { browser }] = await Promise.all([
    startServer({
      host,
      serverDataDir,
      extensionsDir: typeof extensionsDir === 'string' ? resolve(extensionsDir) : join(path, 'e'),
      trust: !values['disable-workspace-trust'],
      env: process.env,
      builtinExtensions: usualBuiltins,
    }),
    launchBrowser(),
  ]);
  const context = await browser.newContext();
  const seen: string[] = [];
  const finished = new Promise<number>((done, fail) => {
    void context.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) =>
      seen.push(`${type}: ${args.join(' ')}`),
    );
    void context.exposeFunction('codeAutomationExit', done);
    setTimeout(() => fail(new Error(`The tests did not end within ${timeLimit / 1000} s.`)), timeLimit);
    void server.process.ended.then((code) => fail(new Error(`The VS Code server ended with ${code}.`)));
    server.process.child.stdout?.on('data', (text: string) => {
      const crash = /Extension Host Process exited with code: (?!0\b).*/.exec(text);
      if (crash) {
        fail(new Error(crash[0]));
      }
    });
  });
  try {
    const target = positionals.map(String).find((argument) => !argument.startsWith('-'));
    const page = openWindow(context, server, {
      ...(target !== undefined && { [target.endsWith('.code-workspace') ? 'workspace' : 'folder']: resolve(target) }),
      developmentExtensions: (values.extensionDevelopmentPath ?? []).map((folder) => resolve(String(folder))),
      ...(typeof values.extensionTestsPath === 'string' && { testsPath: resolve(values.extensionTestsPath) }),
    });
    return (await Promise.all([finished, page]))[0];
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(
      `--- the VS Code server ---\n${server.process.output()}\n--- the window ---\n${seen.slice(-100).join('\n')}`,
    );
    return 1;
  }
}

endWithParent();
const code = await main();
await cleanUp();
process.exit(code);

// What all windows of one VS Code share in a run: its server with the extension installed, and the browser.
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { temporaryFolder } from '../temporaryFolder.js';
import type { HostVersion } from '../vscode/hostVersions.js';
import { installHost } from '../vscode/installHost.js';
import { launchBrowser } from '../vscode/launchBrowser.js';
import { installExtension, startServer, usualBuiltins } from '../vscode/startServer.js';
import type { Workbench } from './workbench.js';

type Session = Awaited<ReturnType<typeof startSession>>;

/** The run of one test file. */
export interface FileRun extends Session {
  /** The windows that are open now. */
  readonly windows: Set<Workbench>;
  /** Resolves when the pictures of a failure are taken, which no window may close before. */
  pictures: Promise<void>;
  /** What ends with it. */
  readonly ends: (() => Promise<void>)[];
}

const running = new AsyncLocalStorage<FileRun>();

export function fileRun(): FileRun {
  const run = running.getStore();
  if (!run) throw new Error('No session: UI tests are started by test/support/e2e.ts.');
  return run;
}

/** Several files may run at once, in one session or another. What one has opened is closed after it, the newest first. */
export async function inSession<T>(session: Session, play: () => Promise<T>): Promise<T> {
  const run: FileRun = { ...session, windows: new Set(), pictures: Promise.resolve(), ends: [] };
  try {
    return await running.run(run, play);
  } finally {
    for (const end of run.ends.toReversed()) await end();
  }
}

/** `folder` is for what a window needs and does not keep. */
export async function startSession(version: HostVersion, vsix: string) {
  const folder = (await temporaryFolder()).path;
  const options = {
    host: await installHost(version),
    serverDataDir: join(folder, 'server'),
    extensionsDir: join(folder, 'extensions'),
    builtinExtensions: [...usualBuiltins, 'ipynb', 'python'],
    // Each window says for itself.
    trust: true,
  };
  await installExtension(options, vsix);
  const [browser, server] = await Promise.all([launchBrowser(), startServer(options)]);
  return { ...browser, options, server, folder };
}

import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from '@playwright/test';
import { quietSettings } from './quietSettings.js';
import type { RunningServer } from './startServer.js';

export interface WindowOptions {
  readonly folder?: string;
  /** A workspace to open instead. */
  readonly workspaceFile?: string;
  /** Is it to be one that was never saved? VS Code keeps such a file below the folder of user data. */
  readonly isUntitled?: boolean;
  readonly developmentExtensions?: readonly string[];
  readonly testsPath?: string;
  /** Where user settings are, if not where the server has its own. */
  readonly userDataPath?: string;
  /** `true`: the workspace has to be trusted by hand. */
  readonly trust?: boolean;
  /** A JSON file with environment variables for the extension host. */
  readonly variables?: string;
}

/** Opens a window and waits until the workbench has restored itself; extensions come one or two seconds later. */
export async function openWindow(
  context: BrowserContext,
  server: RunningServer,
  options: WindowOptions,
): Promise<Page> {
  const page = await context.newPage();
  // "Leave the page?": asked when a window with unsaved text is reloaded or closed.
  page.on('dialog', (dialog) => {
    void dialog.accept();
  });
  await preparePage(page, server, options);
  await page.goto(windowUrl(server.port, options));
  await restored(page);
  return page;
}

export function windowUrl(port: number, options: WindowOptions): string {
  const { folder, workspaceFile, isUntitled } = options;
  const origin = `http://127.0.0.1:${port}/`;
  if (isUntitled) return origin;
  if (workspaceFile !== undefined)
    return `${origin}?workspace=${encodeURIComponent(remotePath(workspaceFile))}`;
  return `${origin}?${folder === undefined ? 'ew=true' : `folder=${encodeURIComponent(remotePath(folder))}`}`;
}

/** A path as a remote window names it: with a slash in front, on Windows too (`/c:/Users/…`). */
export function remotePath(path: string): string {
  return decodeURIComponent(pathToFileURL(path).pathname);
}

export async function restored(page: Page): Promise<void> {
  await page.waitForFunction(
    () => performance.getEntriesByName('code/LifecyclePhase/Restored').length > 0,
    undefined,
    {
      timeout: 60_000,
    },
  );
}

async function preparePage(
  page: Page,
  server: RunningServer,
  options: WindowOptions,
): Promise<void> {
  const remote = (path: string) => ({
    $mid: 1,
    scheme: 'vscode-remote',
    authority: `127.0.0.1:${server.port}`,
    path: remotePath(path),
  });
  const changes = {
    developmentOptions: {
      extensions: options.developmentExtensions?.map(remote),
      extensionTestsPath: options.testsPath && remote(options.testsPath),
    },
    configurationDefaults: quietSettings,
    productConfiguration: {
      serviceWorker: null,
      linkProtectionTrustedDomains: ['*'],
      // Reaches the extension host as an environment variable, as nothing else of a window does in every version.
      proxyEndpointTemplate:
        options.variables && `./proxy/{{port}}/#variables=${options.variables}`,
    },
    userDataPath: options.userDataPath,
    // Where the page's address names nothing; an address would have the server's authority, as the folder of user data has not.
    workspaceUri: options.isUntitled && {
      $mid: 1,
      scheme: 'vscode-remote',
      path: remotePath(options.workspaceFile ?? ''),
    },
    enableWorkspaceTrust: options.trust,
  };
  // The page reads its configuration from an attribute. A changed answer instead (page.route) makes Chromium refuse the
  // page's WebSockets.
  await page.addInitScript((changed) => {
    const getAttribute = Reflect.get(Element.prototype, 'getAttribute');
    Element.prototype.getAttribute = function (name) {
      const value: string | null = getAttribute.call(this, name);
      if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || !value)
        return value;
      const settings = JSON.parse(value);
      for (const [key, change] of Object.entries(changed)) {
        settings[key] = typeof change === 'object' ? { ...settings[key], ...change } : change;
      }
      return JSON.stringify(settings);
    };
  }, changes);
  // With a key the workbench keeps secrets in the browser's storage, so that they survive a reload as on the desktop.
  await page.route('**/mint-key*', (route) => route.fulfill({ body: Buffer.alloc(32, 7) }));
}

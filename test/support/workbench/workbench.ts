/**
 * The workbench as UI tests drive it: one window, in the real VS Code, with our packaged extension. `openWorkbench` opens one.
 *
 * Everything that is called `waitFor…`, and everything that acts, waits for its effect and fails with what it saw instead. The
 * rest (`rows`, `text`, `badge` …) says what is there now: wait with `until` or `untilRead`. Never sleep.
 * A failing test leaves a screenshot and says where.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { resultsFolder } from '../paths.js';
import type { HostVersion, Theme } from '../vscode/hostVersions.js';
import { restored } from '../vscode/openWindow.js';
import type { RunningServer } from '../vscode/startServer.js';
import { ActivityBar } from './activityBar.js';
import { Commands } from './commands.js';
import { Editor } from './editor.js';
import { Hovers } from './hovers.js';
import { ModalDialog } from './modalDialog.js';
import { Notifications } from './notifications.js';
import { PageObject } from './pageElement.js';
import { Problems } from './problems.js';
import { QuickInput } from './quickInput.js';
import { folderSettingsFile, type SettingsFile, userSettingsFile } from './settingsFiles.js';
import { StatusBar } from './statusBar.js';
import { TreeView } from './treeView.js';
import { until } from './until.js';

/** How the workbench marks itself. */
const themeClasses = { light: 'vs', dark: 'vs-dark', hcDark: 'hc-black', hcLight: 'hc-light' };

// Two reads, further apart than the delay after which the workbench writes, see the same.
const readState = `(async () => {
  await new Promise((resolve) => setTimeout(resolve, 250));
  const promise = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const names = (await indexedDB.databases()).map(({ name }) => name).filter((name) => name.startsWith('vscode-web-state-db'));
  const all = await Promise.all(names.toSorted().map(async (name) => {
    const database = await promise(indexedDB.open(name));
    const stores = [...database.objectStoreNames];
    const contents = await Promise.all(stores.map(async (store) => {
      const objects = database.transaction(store).objectStore(store);
      return Promise.all([promise(objects.getAllKeys()), promise(objects.getAll())]);
    }));
    database.close();
    return [name, contents];
  }));
  return JSON.stringify(all);
})()`;

export class Workbench extends PageObject {
  readonly quickInput = new QuickInput(this.page);
  readonly commands = new Commands(this.page);
  readonly hovers = new Hovers(this.page);
  readonly dialog = new ModalDialog(this.page);
  readonly notifications = new Notifications(this.page);
  readonly editor = new Editor(this.page);
  readonly problems = new Problems(this.page);
  readonly statusBar = new StatusBar(this.page);
  readonly activityBar = new ActivityBar(this.page);
  readonly userSettings: SettingsFile;
  readonly workspaceSettings: SettingsFile;

  constructor(
    page: Page,
    readonly server: RunningServer,
    private readonly version: HostVersion,
    /** Everything that this profile has on the disk, with the workspace; logs only with a server of its own. */
    readonly dataFolder: string,
    readonly close: () => Promise<void>,
  ) {
    super(page);
    this.userSettings = userSettingsFile(dataFolder);
    this.workspaceSettings = folderSettingsFile(join(dataFolder, 'workspace'));
  }

  /** A view of our container in the side bar; opened, if it is not. */
  async view(title: string): Promise<TreeView> {
    await this.activityBar.open('Automation Platform');
    const view = new TreeView(this.page, title);
    await view.open();
    return view;
  }

  /** The text in the clipboard; Windows ends its lines in its own way. */
  async clipboard(): Promise<string> {
    const text: string = await this.page.evaluate('navigator.clipboard.readText()');
    return text.replaceAll('\r\n', '\n');
  }

  async setClipboard(text: string): Promise<void> {
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.workspaceSettings.change({ 'workbench.colorTheme': this.version.themes[theme] });
    await this.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
  }

  /** Drags the border beside the side bar. */
  async setSidebarWidth(width: number): Promise<void> {
    const { x, y, width: before, height } = (await this.page.locator('.part.sidebar').boundingBox())!;
    const middle = y + height / 2;
    await this.page.mouse.move(x + before, middle);
    await this.page.mouse.down();
    await this.page.mouse.move(x + width, middle, { steps: 5 });
    await this.page.mouse.up();
  }

  /** A picture for people to look at; taken only when somebody wants pictures. */
  async screenshot(name: string): Promise<void> {
    if (process.env['AUTOMATION_PLATFORM_PICTURES']) await this.savePicture(name);
  }

  /** Saves the window's picture and returns where. */
  async savePicture(name: string): Promise<string> {
    const file = join(resultsFolder, 'screenshots', this.version.name, `${name}.png`);
    await mkdir(dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
    return file;
  }

  /**
   * As "Developer: Reload Window", once the window has written its state. In a browser the workbench does so a moment after each
   * change, and not when the page goes away; a desktop window writes the rest while it closes.
   */
  async reload(): Promise<void> {
    let last: string | undefined;
    await until('the state to be written', async () => {
      const before = last;
      last = await this.page.evaluate<string>(readState);
      return last === before;
    });
    await this.page.reload();
    await restored(this.page);
  }
}

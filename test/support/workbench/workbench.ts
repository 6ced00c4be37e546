/**
 * The workbench as UI tests drive it: one window, in the real VS Code, with our packaged extension. The fixture `begin` opens one.
 *
 * Everything that is called `waitFor…`, and everything that acts, waits for its effect and fails with what it saw instead. The
 * rest (`rows`, `text`, `badge` …) says what is there now: wait with `expect.poll` or `until`. Never sleep.
 */
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { HostVersion, Theme } from '../vscode/hostVersions.js';
import { restored } from '../vscode/openWindow.js';
import type { RunningServer } from '../vscode/startServer.js';
import { Commands } from './commands.js';
import { Editor } from './editor.js';
import { Hovers } from './hovers.js';
import { ModalDialog } from './modalDialog.js';
import { Notifications } from './notifications.js';
import { clickUntil, PageObject } from './pageElement.js';
import { Problems } from './problems.js';
import { QuickInput } from './quickInput.js';
import { folderSettingsFile, type SettingsFile, userSettingsFile } from './settingsFiles.js';
import { TreeView } from './treeView.js';
import { until } from './until.js';

/** How the workbench marks itself. */
const themeClasses = { light: 'vs', dark: 'vs-dark', hcDark: 'hc-black', hcLight: 'hc-light' };

export class Workbench extends PageObject {
  readonly quickInput = new QuickInput(this.page);
  readonly commands = new Commands(this.page);
  readonly hovers = new Hovers(this.page);
  readonly dialog = new ModalDialog(this.page);
  readonly notifications = new Notifications(this.page);
  readonly editor = new Editor(this.page);
  readonly problems = new Problems(this.page);
  /** Our item in the status bar, and the text that stands there for some seconds. */
  readonly summary = this.page.locator('[id="automation-platform-tools.automation-platform.summary"]');
  readonly statusMessage = this.page.locator('[id="status.extensionMessage"]');
  /** The number on our icon in the activity bar. */
  readonly badge = this.container('Automation Platform').locator('.badge-content');
  /** What the page of a walkthrough or an extension shows; the inner frame is another one until it has loaded. */
  readonly webview = this.page.frameLocator('iframe.webview').frameLocator('#active-frame');
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

  /** Opens a container of the side bar; one that is open stays so. */
  async openContainer(title: string): Promise<void> {
    const item = this.container(title);
    await clickUntil(`the container ${title} to open`, item, async () => {
      return (await item.getAttribute('class', { timeout: 2_000 }))?.includes('checked') === true;
    });
  }

  /** A view of our container in the side bar; opened, if it is not. */
  async view(title: string): Promise<TreeView> {
    await this.openContainer('Automation Platform');
    const view = new TreeView(this.page, title);
    await view.open();
    return view;
  }

  /** The text in the clipboard; Windows ends its lines in its own way. */
  async clipboard(): Promise<string> {
    const text = await this.page.evaluate(() => navigator.clipboard.readText());
    return text.replaceAll('\r\n', '\n');
  }

  async setClipboard(text: string): Promise<void> {
    await this.page.evaluate((wanted) => navigator.clipboard.writeText(wanted), text);
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

  /**
   * As "Developer: Reload Window", once the window has written its state. In a browser the workbench does so a moment after each
   * change, and not when the page goes away; a desktop window writes the rest while it closes.
   */
  async reload(): Promise<void> {
    let last: string | undefined;
    // Two reads, further apart than the delay after which the workbench writes, see the same.
    await until('the state to be written', async () => {
      const before = last;
      await this.page.waitForTimeout(250);
      last = JSON.stringify(await this.page.context().storageState({ indexedDB: true }));
      return last === before;
    });
    await this.page.reload();
    await restored(this.page);
  }

  private container(title: string): Locator {
    const label = this.page.locator(`.action-label[aria-label^="${title}"]`);
    return this.page.locator('.part.activitybar .action-item', { has: label }).first();
  }
}

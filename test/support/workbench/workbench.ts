/**
 * The workbench as UI tests drive it: one window, in the real VS Code, with our packaged extension. The fixture `begin` opens one.
 *
 * Everything that is called `waitFor…`, and everything that acts, waits for its effect and fails with what it saw instead. The
 * rest (`rows`, `text`, `badge` …) says what is there now: wait with `expect.poll` or `toPass`. Never sleep.
 */
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { restored } from '../vscode/openWindow.js';
import type { RunningServer } from '../vscode/startServer.js';
import { Commands } from './commands.js';
import { Editor } from './editor.js';
import { Hovers } from './hovers.js';
import { ModalDialog } from './modalDialog.js';
import { Notifications } from './notifications.js';
import { clickUntil, PageObject } from './pageObject.js';
import { Problems } from './problems.js';
import { QuickInput } from './quickInput.js';
import { folderSettingsFile, type SettingsFile, userSettingsFile } from './settingsFiles.js';
import { TreeView } from './treeView.js';

export class Workbench extends PageObject {
  readonly quickInput = new QuickInput(this.page);
  readonly commands = new Commands(this.page);
  readonly hovers = new Hovers(this.page);
  readonly dialog = new ModalDialog(this.page);
  readonly notifications = new Notifications(this.page);
  readonly editor = new Editor(this.page);
  readonly problems = new Problems(this.page);
  readonly summary = this.page.locator(
    '[id="automation-platform-tools.automation-platform.summary"]',
  );
  readonly statusMessage = this.page.locator('[id="status.extensionMessage"]');
  readonly badge = this.container('Automation Platform').locator('.badge-content');
  /** What the page of a walkthrough or an extension shows; the inner frame is another one until it has loaded. */
  readonly webview = this.page.frameLocator('iframe.webview').frameLocator('#active-frame');
  readonly userSettings: SettingsFile;
  readonly workspaceSettings: SettingsFile;

  constructor(
    page: Page,
    readonly server: RunningServer,
    /** Everything that this profile has on the disk, with the workspace; logs only with a server of its own. */
    readonly dataFolder: string,
    readonly close: () => Promise<void>,
  ) {
    super(page);
    this.userSettings = userSettingsFile(dataFolder);
    this.workspaceSettings = folderSettingsFile(join(dataFolder, 'workspace'));
  }

  async openContainer(title: string): Promise<void> {
    const item = this.container(title);
    await clickUntil(
      item,
      async () => (await item.getAttribute('class'))?.includes('checked') === true,
    );
  }

  async view(title: string): Promise<TreeView> {
    await this.openContainer('Automation Platform');
    const view = new TreeView(this.page, title);
    await view.open();
    return view;
  }

  /** Where there are several windows, gives this one the focus. Playwright lets each believe that it has it. */
  async bringToFront(): Promise<void> {
    const setFocus = (page: Page, isFocused: boolean) =>
      page.evaluate((focused) => {
        document.hasFocus = () => focused;
        // As when the user changes tabs: VS Code then asks the page whether it has the focus.
        document.dispatchEvent(new Event('visibilitychange'));
      }, isFocused);
    for (const page of this.page.context().pages()) await setFocus(page, false);
    await this.page.bringToFront();
    await setFocus(this.page, true);
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  async setClipboard(text: string): Promise<void> {
    await this.page.evaluate((wanted) => navigator.clipboard.writeText(wanted), text);
  }

  /** As when another application takes the focus, or gives it back. A page without a screen always has it by itself. */
  async setFocus(hasFocus: boolean): Promise<void> {
    await this.page.evaluate((has) => {
      document.hasFocus = () => has;
      // VS Code asks for the focus then. At a blur it does so only if an element had the focus before.
      document.dispatchEvent(new Event('visibilitychange'));
    }, hasFocus);
  }

  async setSidebarWidth(width: number): Promise<void> {
    const {
      x,
      y,
      width: before,
      height,
    } = (await this.page.locator('.part.sidebar').boundingBox())!;
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
    await expect(async () => {
      const before = last;
      await this.page.waitForTimeout(250);
      last = JSON.stringify(await this.page.context().storageState({ indexedDB: true }));
      expect(last === before).toBe(true);
    }).toPass();
    await this.page.reload();
    await restored(this.page);
  }

  private container(title: string): Locator {
    const label = this.page.locator(`.action-label[aria-label^="${title}"]`);
    return this.page.locator('.part.activitybar .action-item', { has: label }).first();
  }
}

import { PageObject } from './pageElement.js';
import { QuickInput } from './quickInput.js';
import { until } from './until.js';

/** The command palette. */
export class Commands extends PageObject {
  private readonly input = new QuickInput(this.page);

  /** Runs a command by its whole title, category included. Returns when the palette has given way to what comes. */
  async run(title: string): Promise<void> {
    await until(
      `the command ${title}`,
      async () => {
        if (!(await this.input.isOpen())) {
          await this.page.keyboard.press('F1');
          await until('the palette', async () => (await this.input.value()).startsWith('>'), { timeout: 3_000 });
        }
        // An open palette looks anew only for what is typed anew, and an extension's commands come a moment after the window.
        await this.input.type('>');
        await this.input.type(`>${title}`);
        // A fresh palette shows the commands used before until it has looked; only the right row is taken.
        const find = async () => (await this.input.rows()).find((row) => row.label === title);
        const row = await until('a row', find, { timeout: 3_000 });
        await (row.focused ? this.input.accept() : this.input.choose(title));
        return true;
      },
      { seen: () => this.input.rows(), timeout: 20_000 },
    );
    await until('the palette to close', async () => {
      return !(await this.input.isOpen()) || !(await this.input.value()).startsWith('>');
    });
  }
}

import { Commands } from './commands.js';
import { Hovers } from './hovers.js';
import { PageObject } from './pageElement.js';
import { QuickInput } from './quickInput.js';
import { type Expected, fits, until, untilRead } from './until.js';

export interface Squiggle {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** What is underlined. */
  readonly text: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** In the page: the lines on the screen from top to bottom, what they say, and where each of their characters stands. */
const reading = `
  const editor = document.querySelector('.editor-group-container.active .monaco-editor[role="code"]');
  const lines = [...editor.querySelectorAll('.view-lines .view-line')]
    .toSorted((one, other) => parseFloat(one.style.top) - parseFloat(other.style.top));
  // Editors show spaces as no-break spaces.
  const textOf = (line) => line.textContent.replaceAll('\\u00a0', ' ');
  const charactersOf = (line) => {
    const characters = [];
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let at = 0; at < node.length; at++) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        characters.push({ text: node.data[at], left, right, top, bottom });
      }
    }
    return characters;
  };`;

/** The active text editor. */
export class Editor extends PageObject {
  private readonly group = this.page.locator('.editor-group-container.active');
  private readonly tab = this.group.locator('.tab.active');
  private readonly active = this.group.locator('.monaco-editor[role="code"]').first();
  private readonly hovers = new Hovers(this.page);
  private readonly input = new QuickInput(this.page);

  /** Opens a file of the workspace, by its name or the end of its path, and waits for its text. */
  async open(file: string): Promise<void> {
    const name = file.split('/').at(-1) ?? file;
    await until(
      `${file} in the list of files`,
      async () => {
        await this.page.keyboard.press('ControlOrMeta+P');
        await this.input.type(file);
        const isThere = async () => (await this.input.rows()).some(({ label }) => label === name);
        await until('a row', isThere, { timeout: 3_000 });
        await this.input.choose(name);
        return true;
      },
      { seen: () => this.input.rows() },
    );
    await until(`${file} to be open`, async () => {
      return (await this.title()) === name && (await this.active.locator('.view-line').count()) > 0;
    });
  }

  /** The name on the active tab. */
  async title(): Promise<string> {
    return (await this.tab.getAttribute('data-resource-name', { timeout: 2_000 })) ?? '';
  }

  /** Opens a new text file that is not saved anywhere. */
  async newUntitled(text: string): Promise<void> {
    await new Commands(this.page).run('File: New Untitled Text File');
    await until('an untitled editor', async () => (await this.title()).startsWith('Untitled-'));
    await this.active.locator('.native-edit-context, textarea.inputarea').first().focus();
    // As a paste: without auto-closing brackets and suggestions.
    await this.page.keyboard.insertText(text);
  }

  /** Closes the active editor; its changes must have been saved. */
  async close(): Promise<void> {
    const tabs = this.group.locator('.tab');
    const before = await tabs.count();
    await this.tab.locator('.tab-actions .action-label').first().click();
    await until('the editor to close', async () => (await tabs.count()) < before);
  }

  /** The hover over a piece of text. */
  async hover(text: string, expected?: Expected): Promise<string> {
    return this.hovers.read(await this.find(text), expected);
  }

  /** What is underlined on the screen, from top to bottom. */
  async waitForSquiggles(what: string, wanted: (squiggles: Squiggle[]) => boolean): Promise<Squiggle[]> {
    const read = () =>
      this.evaluate<Squiggle[]>(`
        const kinds = { error: 'error', warning: 'warning', info: 'information', hint: 'hint' };
        const squiggles = Object.entries(kinds).flatMap(([kind, severity]) =>
          [...editor.querySelectorAll('.squiggly-' + kind)].map((one) => ({ severity, box: one.getBoundingClientRect() })));
        squiggles.sort((one, other) => one.box.top - other.box.top || one.box.left - other.box.left);
        const isIn = (box) => ({ left, right }) => box.left < (left + right) / 2 && (left + right) / 2 < box.right;
        return squiggles.map(({ severity, box }) => {
          const middle = box.top + box.height / 2;
          const at = (line) => line.getBoundingClientRect();
          const line = lines.find((line) => at(line).top <= middle && middle <= at(line).bottom);
          const underlined = line ? charactersOf(line).filter(isIn(box)) : [];
          return { severity, text: underlined.map(({ text }) => text).join('') };
        });`);
    return untilRead(`squiggles: ${what}`, read, wanted);
  }

  async chooseQuickFix(text: string, title: Expected): Promise<void> {
    const rows = this.page.locator('.action-widget:visible .monaco-list-row.action');
    await this.hovers.leave();
    await until('quick fixes', async () => {
      const { x, y } = await this.find(text);
      await this.page.mouse.click(x, y);
      await this.page.keyboard.press('ControlOrMeta+.');
      await rows.first().waitFor({ timeout: 3_000 });
      return true;
    });
    // With keys: a hover of the editor can lie over the rows.
    const focused = rows.and(this.page.locator('.focused'));
    await until(`the quick fix ${title}`, async () => {
      if (fits((await focused.innerText({ timeout: 2_000 })).trim(), title)) return true;
      await this.page.keyboard.press('ArrowDown');
      return false;
    });
    await this.page.keyboard.press('Enter');
    await until('the menu to close', async () => (await rows.count()) === 0);
  }

  private text(): Promise<string> {
    return this.evaluate(`return lines.map(textOf).join('\\n');`);
  }

  /** The middle of the first place on the screen that says so. */
  private async find(text: string): Promise<Point> {
    const look = () =>
      this.evaluate<Point | undefined>(`
        const wanted = ${JSON.stringify(text)};
        const line = lines.find((line) => textOf(line).includes(wanted));
        if (!line) return undefined;
        const at = textOf(line).indexOf(wanted);
        const found = charactersOf(line).slice(at, at + wanted.length);
        return { x: (found[0].left + found.at(-1).right) / 2, y: (found[0].top + found[0].bottom) / 2 };`);
    return until(`the text ${text} on the screen`, look, { seen: () => this.text() });
  }

  private evaluate<T>(script: string): Promise<T> {
    return this.page.evaluate<T>(`(() => {${reading}\n${script}})()`);
  }
}

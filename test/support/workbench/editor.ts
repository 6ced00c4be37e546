import type { Locator, Page } from 'playwright-core';
import type { Commands } from './commands.js';
import type { Hovers } from './hovers.js';
import type { QuickInput } from './quickInput.js';
import { type Expected, fits, until, untilRead } from './until.js';

export interface Squiggle {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** What is underlined. */
  readonly text: string;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The active text editor. */
export class Editor {
  private readonly active: Locator;
  private readonly tab: Locator;

  constructor(
    private readonly page: Page,
    private readonly hovers: Hovers,
    private readonly input: QuickInput,
    private readonly commands: Commands,
  ) {
    this.tab = page.locator('.editor-group-container.active .tab.active');
    this.active = page.locator('.editor-group-container.active .monaco-editor[role="code"]').first();
  }

  /** Opens a file of the workspace, by its name or the end of its path, and waits for its text. */
  async open(file: string): Promise<void> {
    const name = file.split('/').at(-1) ?? file;
    await until(
      `${file} in the list of files`,
      async () => {
        await this.page.keyboard.press('ControlOrMeta+P');
        await this.input.type(file);
        const row = await until('a row', async () => (await this.input.rows()).find(({ label }) => label === name), {
          timeout: 3_000,
        });
        await this.input.choose(row.label);
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
    await this.commands.run('File: New Untitled Text File');
    await until('an untitled editor', async () => (await this.title()).startsWith('Untitled-'));
    await this.insert(text);
  }

  /**
   * Replaces the whole text by one that fits on the screen. As a paste: typed lines are indented and typed brackets closed. An
   * editor that has just been opened may miss keys: then again.
   */
  async replaceAll(text: string): Promise<void> {
    const wanted = text.replaceAll(/\s/g, '');
    const clipboard: string = await this.page.evaluate('navigator.clipboard.readText()');
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await until(
      'the text to be replaced',
      async () => {
        await this.focus();
        await this.page.keyboard.press('ControlOrMeta+A');
        await this.page.keyboard.press('ControlOrMeta+V');
        return until('the text', async () => (await this.text()).replaceAll(/\s/g, '') === wanted, { timeout: 2_000 });
      },
      { seen: () => this.text() },
    );
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(clipboard)})`);
  }

  /** The lines on the screen. */
  async text(): Promise<string> {
    const lines: string = await this.page.evaluate(`(() => {
      const lines = [...document.querySelectorAll('.editor-group-container.active .monaco-editor .view-lines .view-line')];
      lines.sort((one, other) => parseFloat(one.style.top) - parseFloat(other.style.top));
      return lines.map((line) => line.textContent).join('\\n');
    })()`);
    // Editors show spaces as no-break spaces.
    return lines.replaceAll('\u00a0', ' ');
  }

  /** Types where the cursor is, as a paste: without auto-closing brackets and suggestions. */
  async insert(text: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.insertText(text);
  }

  async focus(): Promise<void> {
    await this.active.locator('.native-edit-context, textarea.inputarea').first().focus();
  }

  /** Puts the cursor into the text. */
  async putCursor(text: string, occurrence = 0): Promise<void> {
    const { x, y, width, height } = await this.find(text, occurrence);
    await this.page.mouse.click(x + width / 2, y + height / 2);
  }

  async save(): Promise<void> {
    await this.focus();
    await this.page.keyboard.press('ControlOrMeta+S');
    await until('the file to be saved', async () => {
      return (await this.tab.and(this.page.locator('.dirty')).count()) === 0;
    });
  }

  /** Closes the active editor; its changes must have been saved. */
  async close(): Promise<void> {
    const tabs = this.page.locator('.editor-group-container.active .tab');
    const before = await tabs.count();
    await this.tab.locator('.tab-actions .action-label').first().click();
    await until('the editor to close', async () => (await tabs.count()) < before);
  }

  /** The hover over a piece of text. */
  async hover(text: string, expected?: Expected, occurrence = 0): Promise<string> {
    const { x, y, width, height } = await this.find(text, occurrence);
    return this.hovers.read({ x: x + width / 2, y: y + height / 2 }, expected);
  }

  /** What is underlined on the screen, from top to bottom. */
  async squiggles(): Promise<Squiggle[]> {
    return this.page.evaluate(`(() => {
      const editor = document.querySelector('.editor-group-container.active .monaco-editor');
      const kinds = { error: 'error', warning: 'warning', info: 'information', hint: 'hint' };
      const rectangles = Object.entries(kinds).flatMap(([kind, severity]) =>
        [...editor.querySelectorAll('.squiggly-' + kind)].map((element) => ({ severity, box: element.getBoundingClientRect() })));
      rectangles.sort((one, other) => one.box.top - other.box.top || one.box.left - other.box.left);
      const lines = [...editor.querySelectorAll('.view-lines .view-line')];
      return rectangles.map(({ severity, box }) => {
        const middle = box.top + box.height / 2;
        const line = lines.find((line) => {
          const { top, bottom } = line.getBoundingClientRect();
          return top <= middle && middle <= bottom;
        });
        let text = '';
        if (line) {
          const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            for (let at = 0; at < node.length; at++) {
              const range = document.createRange();
              range.setStart(node, at);
              range.setEnd(node, at + 1);
              const { left, right } = range.getBoundingClientRect();
              const center = (left + right) / 2;
              if (center > box.left && center < box.right) text += node.data[at];
            }
          }
        }
        return { severity, text };
      });
    })()`);
  }

  async waitForSquiggles(what: string, wanted: (squiggles: Squiggle[]) => boolean): Promise<Squiggle[]> {
    return untilRead(`squiggles: ${what}`, () => this.squiggles(), wanted);
  }

  /** The titles of the quick fixes where the cursor is put. */
  async quickFixes(text: string, occurrence = 0): Promise<string[]> {
    const rows = await this.openQuickFixes(text, occurrence);
    const titles = (await rows.locator('.title').allInnerTexts()).map((title) => title.trim());
    await this.page.keyboard.press('Escape');
    await until('the menu to close', async () => (await rows.count()) === 0);
    return titles;
  }

  async chooseQuickFix(text: string, title: Expected, occurrence = 0): Promise<void> {
    const rows = await this.openQuickFixes(text, occurrence);
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

  private async openQuickFixes(text: string, occurrence: number): Promise<Locator> {
    const rows = this.page.locator('.action-widget:visible .monaco-list-row.action');
    await this.hovers.leave();
    await until('quick fixes', async () => {
      await this.putCursor(text, occurrence);
      await this.page.keyboard.press('ControlOrMeta+.');
      await rows.first().waitFor({ timeout: 3_000 });
      return true;
    });
    return rows;
  }

  private async find(text: string, occurrence: number): Promise<Rectangle> {
    return until(
      `the text ${text} on the screen`,
      async () => {
        const found: Rectangle | null = await this.page.evaluate(`((wanted, occurrence) => {
          const lines = [...document.querySelectorAll('.editor-group-container.active .monaco-editor .view-lines .view-line')];
          lines.sort((one, other) => parseFloat(one.style.top) - parseFloat(other.style.top));
          for (const line of lines) {
            const nodes = [];
            const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node);
            const whole = nodes.map((node) => node.data).join('').replaceAll('\\u00a0', ' ');
            for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
              if (occurrence-- > 0) continue;
              const place = (offset) => {
                for (const node of nodes) {
                  if (offset <= node.length) return [node, offset];
                  offset -= node.length;
                }
              };
              const range = document.createRange();
              range.setStart(...place(at));
              range.setEnd(...place(at + wanted.length));
              const { x, y, width, height } = range.getBoundingClientRect();
              return { x, y, width, height };
            }
          }
          return null;
        })(${JSON.stringify(text)}, ${occurrence})`);
        return found ?? undefined;
      },
      { seen: () => this.text() },
    );
  }
}

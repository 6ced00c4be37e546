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

interface Character extends Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'> {
  readonly text: string;
}

/** Runs in the page: the lines on the screen from top to bottom, where each of their characters stands, and what is underlined. */
function readEditor() {
  const editor = document.querySelector('.editor-group-container.active .monaco-editor[role="code"]')!;
  function charactersOf(line: Element): Character[] {
    const characters: Character[] = [];
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      for (let at = 0; at < text.length; at++) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        // Editors show spaces as no-break spaces.
        characters.push({ text: text[at]!.replace('\u00a0', ' '), left, right, top, bottom });
      }
    }
    return characters;
  }
  function byTop(one: Element, other: Element): number {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return a.top - b.top || a.left - b.left;
  }
  const lines = [...editor.querySelectorAll('.view-lines .view-line')].toSorted(byTop).map(charactersOf);
  const kinds = [
    ['error', 'error'],
    ['warning', 'warning'],
    ['info', 'information'],
    ['hint', 'hint'],
  ] as const;
  const all = kinds.map(([kind]) => `.squiggly-${kind}`);
  const squiggles = [...editor.querySelectorAll(all.join())].toSorted(byTop).map((squiggle): Squiggle => {
    const { left, right, top, bottom } = squiggle.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    const isAbove = (one: Character) => {
      const center = (one.left + one.right) / 2;
      return one.top <= middle && middle <= one.bottom && left < center && center < right;
    };
    const [, severity] = kinds.find(([kind]) => squiggle.classList.contains(`squiggly-${kind}`))!;
    const text = lines.flatMap((line) => line.filter(isAbove)).map((character) => character.text);
    return { severity, text: text.join('') };
  });
  return { lines, squiggles };
}

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
    const read = async () => (await this.page.evaluate(readEditor)).squiggles;
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

  /** The middle of the first place on the screen that says so. */
  private async find(text: string): Promise<Point> {
    const read = async () => {
      const { lines } = await this.page.evaluate(readEditor);
      return lines.map((characters) => ({ characters, text: characters.map((one) => one.text).join('') }));
    };
    const look = async () => {
      const line = (await read()).find((one) => one.text.includes(text));
      const at = line?.text.indexOf(text) ?? 0;
      const found = line?.characters.slice(at, at + text.length);
      return found && { x: (found[0]!.left + found.at(-1)!.right) / 2, y: (found[0]!.top + found[0]!.bottom) / 2 };
    };
    return until(`the text ${text} on the screen`, look, { seen: async () => (await read()).map((one) => one.text) });
  }
}

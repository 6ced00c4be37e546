import * as vscode from 'vscode';
import { billing } from '../views/fixtures.js';
import { closeEverything, createWorld, reported, until, untitled, type World } from './world.js';

const pieces = ['dep_1', 'dep_1 ', ' dep_1\n', '"dep_1"', '\n', '\r\n', ' ', 'x', '-', '_', '0', 'é', '😀', '', '', ''];
/** The token rule of the contract, word by word. */
const naive = /(?<![\p{L}\p{N}\p{M}_-])dep_1(?![\p{L}\p{N}\p{M}_-])/gu;

function expected(document: vscode.TextDocument): string[] {
  return Array.from({ length: document.lineCount }, (_, line) =>
    Array.from(document.lineAt(line).text.matchAll(naive), ({ index }) => `${line}:${index}-${index + 5}`),
  ).flat();
}

function found(document: vscode.TextDocument): string[] {
  return reported(document)
    .filter((line) => line.startsWith('warning'))
    .map((line) => line.split(' ')[1] ?? '');
}

describe('references after random edits', () => {
  let world: World;
  beforeEach(async () => {
    world = createWorld('dep_1');
    world.answers.set('dep_1', billing);
    await world.store.refreshAll();
  });
  afterEach(async () => {
    world.dispose();
    await closeEverything();
  });

  for (const [name, end] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ] as const) {
    it(`are those that a naive search finds, with several places changed at once, undo and redo: ${name}`, async () => {
      let seed = end.length;
      // The same in every run.
      const pick = (count: number) => (seed = (seed * 16_807) % 2_147_483_647) % count;
      const content = Array.from({ length: 12 }, () => `a dep_1 ${pieces[pick(pieces.length)]}`).join(end);
      const document = await untitled(content);
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((edit) => edit.setEndOfLine(end === '\n' ? vscode.EndOfLine.LF : vscode.EndOfLine.CRLF));
      const agree = () => JSON.stringify(found(document)) === JSON.stringify(expected(document));
      for (let round = 0; round < 12; round++) {
        await editor.edit((edit) => {
          // Places in order, so that no two overlap.
          let line = 0;
          while ((line += pick(4)) < document.lineCount) {
            const { length } = document.lineAt(line).text;
            const start = pick(length + 1);
            const last = pick(6) === 0 && line + 1 < document.lineCount ? line + 1 : line;
            const stop = last === line ? start + pick(length - start + 1) : pick(document.lineAt(last).text.length + 1);
            edit.replace(new vscode.Range(line, start, last, stop), pieces[pick(pieces.length)] ?? '');
            line = last + 1;
          }
        });
        if (pick(3) === 0) await vscode.commands.executeCommand('undo');
        if (pick(6) === 0) await vscode.commands.executeCommand('redo');
        const state = () => ({ text: document.getText(), found: found(document), expected: expected(document) });
        await until(`round ${round}`, agree, state);
      }
    });
  }
});

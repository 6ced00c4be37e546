// How long the packaged extension holds the extension host for what a repository or the platform can make large.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { longestStall, median } from '../compare.js';
import { command, heldFor, listed, type Stall, show, stall } from './stalls.js';

/** All IDs that are listed begin with this word. */
const commonWord = 'production ';

/** The text has what all IDs begin with, and none of them. */
export async function commonIds(count: number): Promise<readonly Stall[]> {
  await sleep(2000);
  await command('deployments.focus');
  await command('refresh');
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const text = commonWord.repeat(500_000 / commonWord.length);
    times.push(await heldFor(() => show(`common-${round}.txt`, text)));
  }
  return [stall('a document of 500 kB with their common word opened', median(times))];
}

const longLineChars = 40_000_000;

/** Of the only listed deployment, whose answer has as many fields as fit. */
export async function hovers(count: number): Promise<readonly Stall[]> {
  await sleep(2000);
  await command('deployments.focus');
  await command('refresh');
  const [id = ''] = listed();
  const short = await show('short.txt', id);
  const overFields = await hovered(count, short, 1);
  const line = 'a line 8\t'.repeat(longLineChars / 18);
  const long = await vscode.workspace.openTextDocument({ content: `${line}x${line}` });
  // What VS Code does with it when it has opened it is over.
  await sleep(5000);
  const inLine = await hovered(count, long, line.length);
  return [
    stall('a hover over an answer of 400,000 unknown fields', overFields),
    stall(`a hover in a line of ${Math.round(long.lineAt(0).text.length / 1_000_000)} MB`, inLine),
  ];
}

async function hovered(
  count: number,
  { uri }: vscode.TextDocument,
  character: number,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const position = new vscode.Position(0, character);
    times.push(
      await longestStall(() =>
        vscode.commands.executeCommand('vscode.executeHoverProvider', uri, position),
      ),
    );
  }
  return median(times);
}

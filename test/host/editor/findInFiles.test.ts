import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { searchPattern } from '../../../src/model/references/borders.js';
import { ReferenceIndex } from '../../../src/model/references/referenceIndex.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';

/** The path of VS Code's own ripgrep, which depends on the version and on how VS Code was installed. */
function ripgrep(): string {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const system = `${process.platform}-${process.arch}`;
  const found = ['node_modules', 'node_modules.asar.unpacked']
    .map((modules) => join(vscode.env.appRoot, modules, '@vscode'))
    .flatMap((modules) => [
      join(modules, 'ripgrep', 'bin', name),
      join(modules, `ripgrep-${system}`, 'bin', name),
      join(modules, 'ripgrep-universal', 'bin', system, name),
    ])
    .find((path) => existsSync(path));
  assert.ok(found, `no ripgrep in ${vscode.env.appRoot}`);
  return found;
}

interface RipgrepLine {
  readonly type: string;
  readonly data: {
    readonly line_number: number;
    readonly submatches: readonly { readonly end: number }[];
  };
}

/** Where ripgrep finds the ID, called as VS Code does: "line:byte at which the ID ends". */
async function foundByRipgrep(path: string, id: string): Promise<readonly string[]> {
  const rest = ['--crlf', '--engine', 'auto', '--no-config', '--case-sensitive', '--json', '--'];
  const { stdout } = await promisify(execFile)(
    ripgrep(),
    ['--regexp', searchPattern(id), ...rest, path],
    {
      maxBuffer: 100_000_000,
    },
  ).catch((error: { readonly code: unknown; readonly stdout: string }) => {
    // Nothing was found.
    if (error.code === 1) return error;
    throw error;
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => {
    const { type, data }: RipgrepLine = JSON.parse(line);
    return type === 'match'
      ? data.submatches.map(({ end }) => `${data.line_number - 1}:${end}`)
      : [];
  });
}

/** Where VS Code itself finds the ID, as it does in a document that is open. */
function foundByEditor(lines: readonly string[], id: string): readonly string[] {
  const pattern = new RegExp(searchPattern(id), 'gu');
  return lines.flatMap((line, at) =>
    Array.from(line.matchAll(pattern), ({ 0: match, index }) =>
      endIn(line, at, index + match.length),
    ),
  );
}

function foundByIndex(lines: readonly string[], id: string): readonly string[] {
  const index = new ReferenceIndex();
  index.add(id);
  return lines.flatMap((line, at) =>
    index.scan(line, 'markdown').map(({ end }) => endIn(line, at, end)),
  );
}

function endIn(line: string, at: number, end: number): string {
  return `${at}:${Buffer.byteLength(line.slice(0, end))}`;
}

const ids = [
  'dep_1',
  'a/b?c&d=#%',
  String.raw`C:\flows\n1`,
  '2F1',
  '失败',
  '1了',
  '_x_',
  '-x',
  '31m',
  '$(rm)',
  'Dep.1',
  '[a]{2}|b',
];
/** What may stand before or behind an ID. */
const around = fc.constantFrom(
  '',
  '',
  ' ',
  'x',
  '_',
  '__',
  '___',
  '____',
  '-',
  '.',
  '/',
  '失',
  '了',
  'ー',
  'ที่',
  '한',
  'é',
  '1',
  '٣',
  '𝐀',
  '👍',
  '\\',
  '\\\\',
  '\\n',
  '\\\\n',
  '\\\\\\t',
  '\\x0a',
  '\\x',
  '\\u000a',
  '\\U0000000a',
  '\\033',
  '\\0',

  '%2F',
  '%252F',
  '%25252F',
  '%',
  '\x1b[31m',
  '\x1b[m',
  '\x1b[01;31m\x1b[K',
  '\\e[1m',
  '^[[m',
  '[0m',
  '[m',
  '[31',
  '31m',
  'm',
);

/** 3,000 generated lines, each with the ID twice. */
function linesWith(id: string): readonly string[] {
  const line = fc
    .tuple(around, around, around, around)
    .map(([a, b, c, d]) => `${a}${b}${id}${c}${d}${id}`);
  return fc.sample(line, 3000);
}

describe('Find ID in Files', () => {
  for (const id of ids) {
    it(`finds ${id} in closed and open files exactly where it is a reference`, async () => {
      const folder = await temporaryFolder();
      atEndOfTest(folder.remove);
      const file = join(folder.path, 'hostile.md');
      const lines = linesWith(id);
      await writeFile(file, lines.join('\n'));

      const references = foundByIndex(lines, id);
      assert.ok(references.length > 300, `only ${references.length} references`);
      assert.deepEqual(await foundByRipgrep(file, id), references, 'closed file');
      assert.deepEqual(foundByEditor(lines, id), references, 'open file');
    });
  }
});

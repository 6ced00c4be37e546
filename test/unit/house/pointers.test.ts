import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'l10n/README.md',
  'test/README.md',
  ...readdirSync('docs').map((name) => `docs/${name}`),
];

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

const texts = [...pages, ...sourcesIn('src'), ...sourcesIn('test')]
  .filter((file) => !file.endsWith('/pointers.test.ts'))
  .map((file) => [file, readFileSync(file, 'utf8')] as const);

/** Fails with every match in every text, as "file: match". */
function none(pattern: RegExp, isWrong: (match: RegExpMatchArray) => boolean = () => true): void {
  const found = texts.flatMap(([file, text]) =>
    [...text.matchAll(pattern)].filter(isWrong).map(([match]) => `${file}: ${match}`),
  );
  assert.deepEqual(found, []);
}

function isMissing([, page, heading]: RegExpMatchArray): boolean {
  return (
    !existsSync(page!) ||
    (heading !== undefined && !readFileSync(page!, 'utf8').includes(`# ${heading}\n`))
  );
}

describe('a reference in a comment or a page', () => {
  it('names a page and a heading of docs/ that exist', () =>
    none(/(docs\/\w+\.md)(?:, "([^"]*)")?/g, isMissing));

  it('names no document outside the repository', () =>
    none(/\(contract\b|\bcontract, "|\breference, (?:section )?\d|\breference \(\d/gi));

  it('names a file that exists', () =>
    none(/`((?:src|test|docs)\/[\w./-]+\.(?:ts|md))`/g, ([, file]) => !existsSync(file!)));
});

describe('docs/promises.md', () => {
  it('names a test for each promise', () => {
    const rows = readFileSync('docs/promises.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'));
    const untested = rows.filter((row) => !/\| (?:`test\/[\w./-]+\.test\.ts` ?)+\|$/.test(row));
    assert.ok(rows.length > 40, `only ${rows.length} promises found`);
    assert.deepEqual(untested, []);
  });
});

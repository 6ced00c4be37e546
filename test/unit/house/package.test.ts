import { strict as assert } from 'node:assert';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageExtension } from '../../support/packageExtension.js';

describe('the package', function () {
  this.timeout(120_000);
  let folder: string;
  let vsix: string;
  let files: readonly string[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ap-'));
    vsix = join(folder, 'first.vsix');
    await packageExtension(vsix);
    files = entriesOf(await readFile(vsix));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('holds what the extension needs and nothing else', () => {
    // Chunks are named by what is in them.
    const names = files.map((file) => file.replace(/-[A-Z0-9]{8}\.js$/, '-*.js'));
    const others = names.filter(
      (name) =>
        !/^extension\/(?:l10n\/bundle\.l10n\.[^.]+\.json|package\.nls\.[^.]+\.json|media\/walkthrough\/.*\.svg)$/.test(
          name,
        ),
    );
    assert.deepEqual([...new Set(others)].toSorted(), [
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/THIRD-PARTY-NOTICES.txt',
      'extension/changelog.md',
      'extension/dist/app-*.js',
      'extension/dist/chunk-*.js',
      'extension/dist/dispatchers.js',
      'extension/dist/extension.js',
      'extension/media/activity.svg',
      'extension/media/icon.png',
      'extension/package.json',
      'extension/package.nls.json',
      'extension/readme.md',
    ]);
  });

  it('holds the pictures of the walkthrough in every language', async () => {
    const pictures = 'media/walkthrough';
    assert.deepEqual(
      files.filter((file) => file.startsWith(`extension/${pictures}/`)).toSorted(),
      (await readdir(pictures)).map((name) => `extension/${pictures}/${name}`).toSorted(),
    );
  });

  it('is the same file when it is made again', async () => {
    const again = join(folder, 'again.vsix');
    await packageExtension(again);
    assert.ok((await readFile(vsix)).equals(await readFile(again)));
  });

  it('stays small', async () => {
    const { size } = await stat(vsix);
    assert.ok(size <= 300_000, `${size} bytes`);
  });
});

/** The names in a zip file's central directory. */
function entriesOf(zip: Buffer): string[] {
  const names: string[] = [];
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 16);
  while (zip.toString('latin1', at, at + 4) === 'PK\u0001\u0002') {
    const nameLength = zip.readUInt16LE(at + 28);
    names.push(zip.toString('utf8', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return names;
}

import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { packageExtension } from '../../support/packageExtension.js';

describe('the package', function () {
  this.timeout(120_000);
  let folder: string;
  let zip: Buffer;

  const packaged = async (name: string) => {
    const vsix = join(folder, name);
    await packageExtension(vsix);
    return readFile(vsix);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ap-'));
    zip = await packaged('first.vsix');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('holds what the extension needs and nothing else', () => {
    const pictures = readdirSync('media/walkthrough').toSorted();
    // Chunks are named by what is in them.
    const names = directoryOf(zip).map(({ name }) => name.replace(/-[A-Z0-9]{8}\.js$/, '-*.js'));
    const ofLanguages = /^extension\/(?:l10n\/bundle\.l10n\.[^.]+\.json|package\.nls\.[^.]+\.json)$/;
    assert.deepEqual([...new Set(names)].filter((name) => !ofLanguages.test(name)).toSorted(), [
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
      'extension/media/skills/automation-platform/SKILL.md',
      ...pictures.map((name) => `extension/media/walkthrough/${name}`),
      'extension/package.json',
      'extension/package.nls.json',
      'extension/readme.md',
    ]);
  });

  it('holds a README whose pictures and links work where VS Code shows it: none is relative', () => {
    const readme = textOf(zip, 'extension/readme.md');
    assert.match(readme, /^# Automation Platform/);
    for (const [, link] of readme.matchAll(/\]\(([^)]*)\)/g)) assert.match(link!, /^(?:https:\/\/|#)/);
  });

  it('is the same file when it is made again', async () => {
    assert.ok(zip.equals(await packaged('again.vsix')));
  });

  it('stays small', () => assert.ok(zip.length <= 300_000, `${zip.length} bytes`));
});

function textOf(zip: Buffer, wanted: string): string {
  const { local, size } = directoryOf(zip).find(({ name }) => name === wanted)!;
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  return inflateRawSync(zip.subarray(start, start + size)).toString();
}

/** A zip file's central directory. `local`: where the file's own header begins; `size`: compressed. */
function directoryOf(zip: Buffer) {
  const entries: { name: string; size: number; local: number }[] = [];
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 16);
  while (zip.toString('latin1', at, at + 4) === 'PK\u0001\u0002') {
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    entries.push({ name, size: zip.readUInt32LE(at + 20), local: zip.readUInt32LE(at + 42) });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { packageExtension } from '../../support/packageExtension.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';

describe('the package', function () {
  this.timeout(120_000);
  let zip: Buffer;

  before(async () => {
    zip = await packaged();
  });

  it('contains only the files that the extension needs', () => {
    const pictures = readdirSync('media/walkthrough').toSorted();
    // The name of a chunk ends with a hash of its content.
    const names = Array.from(filesIn(zip).keys(), (name) =>
      name.replace(/-[A-Z0-9]{8}\.js$/, '-*.js'),
    );
    const ofLanguages =
      /^extension\/(?:l10n\/bundle\.l10n\.[^.]+\.json|package\.nls\.[^.]+\.json)$/;
    assert.deepEqual([...new Set(names)].filter((name) => !ofLanguages.test(name)).toSorted(), [
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/SECURITY.md',
      'extension/THIRD-PARTY-NOTICES.txt',
      'extension/changelog.md',
      'extension/dist/app-*.js',
      'extension/dist/check.mjs',
      'extension/dist/chunk-*.js',
      'extension/dist/extension.js',
      'extension/dist/undici.js',
      'extension/media/activity.svg',
      ...['AGENTS.md', 'Jenkinsfile', 'azure.yml', 'bitbucket.yml', 'github.yml', 'gitlab.yml'].map(
        (name) => `extension/media/ci/${name}`,
      ),
      'extension/media/icon.png',
      'extension/media/skills/automation-platform/SKILL.md',
      ...pictures.map((name) => `extension/media/walkthrough/${name}`),
      'extension/package.json',
      'extension/package.nls.json',
      'extension/readme.md',
    ]);
  });

  describe('as its README', () => {
    let page: string;

    before(() => {
      page = inflateRawSync(filesIn(zip).get('extension/readme.md')!).toString();
    });

    it('has a page that begins with the title', () =>
      assert.match(page, /^# Automation Platform\n/));

    it('has a page without relative links, which VS Code could not open', () => {
      const links = Array.from(page.matchAll(/\]\(([^)]*)\)/g), ([, link]) => link!);
      const relative = links.filter((link) => !/^(?:https:\/\/|#)/.test(link));
      assert.deepEqual(relative, []);
    });

    it('has a page without a section for developers', () =>
      assert.doesNotMatch(page, /npm |repository -->|## Contributing/));

    it('has a page that ends with one line break', () => assert.match(page, /[^\n]\n$/));
  });

  it('contains the license of each bundled dependency', async () => {
    const notices = inflateRawSync(
      filesIn(zip).get('extension/THIRD-PARTY-NOTICES.txt')!,
    ).toString();
    const { dependencies }: { dependencies: object } = JSON.parse(
      await readFile('package.json', 'utf8'),
    );
    for (const name of Object.keys(dependencies)) {
      const folder = join('node_modules', name);
      const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))!;
      const text = await readFile(join(folder, license), 'utf8');
      const isNamed = notices.includes(`\n${name} (`);
      const hasLicense = notices.includes(text.replaceAll('\r\n', '\n').trim());
      assert.equal(isNamed, true, `${name} is named`);
      assert.equal(hasLicense, true, `the license of ${name} is there`);
    }
  });

  it('has the same bytes when the extension is packaged again', async () => {
    const again = await packaged();
    const isSame = zip.equals(again);
    assert.equal(isSame, true);
  });

  it('has at most 560,000 bytes', () => assert.ok(zip.length <= 560_000, `${zip.length} bytes`));
});

async function packaged(): Promise<Buffer> {
  const { path, remove } = await temporaryFolder();
  const vsix = join(path, 'package.vsix');
  await packageExtension(vsix);
  const bytes = await readFile(vsix);
  await remove();
  return bytes;
}

/** The files of a zip, still compressed. */
function filesIn(zip: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 16);
  while (zip.toString('latin1', at, at + 4) === 'PK\u0001\u0002') {
    const nameLength = zip.readUInt16LE(at + 28);
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    files.set(name, zip.subarray(start, start + zip.readUInt32LE(at + 20)));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

import { strict as assert } from 'node:assert';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../../../src/model/textFile.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';

const maxBytes = 1024 * 1024;

describe('readTextFile()', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const at = (name: string) => join(folder.path, name);
  /** The text that is read of a file with this content; none if it is no text. */
  const readBack = async (content: Buffer | string) => {
    await writeFile(at('file'), content);
    return readTextFile(at('file'), maxBytes);
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  for (const [what, content, text] of [
    ['UTF-8', Buffer.from('dep_é日'), 'dep_é日'],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffdep_1'), 'dep_1'],
    ['UTF-16 LE with its mark', Buffer.from('\ufeffdep_é日', 'utf16le'), 'dep_é日'],
    ['UTF-16 BE with its mark', Buffer.from('\ufeffdep_é日', 'utf16le').swap16(), 'dep_é日'],
    ['UTF-16 BE that ends in half a character', Buffer.from([0xfe, 0xff, 0, 0x61, 0]), 'a\ufffd'],
    ['an empty file', Buffer.of(), ''],
  ] as const) {
    it(`reads ${what}`, async () => assert.equal(await readBack(content), text));
  }

  for (const [what, content] of [
    ['UTF-16 without its mark', Buffer.from('dep_1', 'utf16le')],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
    ['a file with a NUL at its end', Buffer.from(`${'x'.repeat(200_000)}\0`)],
  ] as const) {
    it(`refuses ${what}`, async () => assert.equal(await readBack(content), undefined));
  }

  it('reads a file of the allowed size', async () => {
    const text = await readBack('x'.repeat(maxBytes));
    assert.equal(text?.length, maxBytes);
  });

  it('refuses a larger file', async () => {
    assert.equal(await readBack('x'.repeat(maxBytes + 1)), undefined);
  });

  it('refuses a binary file of 1 TB by its beginning', async () => {
    await writeFile(at('file'), '');
    await truncate(at('file'), 2 ** 40);
    assert.equal(await readTextFile(at('file'), 2 ** 40), undefined);
  });

  it('refuses a folder', async () => {
    await mkdir(at('folder'));
    assert.equal(await readTextFile(at('folder'), maxBytes), undefined);
  });
});

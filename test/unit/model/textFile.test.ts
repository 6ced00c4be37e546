import { strict as assert } from 'node:assert';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../../../src/model/textFile.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';

const maxBytes = 1024 * 1024;

describe('readTextFile', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const at = (name: string) => join(folder.path, name);
  const read = async (content: Buffer | string) => {
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
    ['no UTF-16 without its mark', Buffer.from('dep_1', 'utf16le'), undefined],
    ['no UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), undefined],
    ['no file with a NUL at its end', Buffer.from(`${'x'.repeat(200_000)}\0`), undefined],
  ] as const) {
    it(`reads ${what}`, async () => assert.equal(await read(content), text));
  }

  it('reads up to as many bytes as asked for', async () => {
    assert.deepEqual(
      [(await read('x'.repeat(maxBytes)))?.length, await read('x'.repeat(maxBytes + 1))],
      [maxBytes, undefined],
    );
  });

  it('reads the beginning of a binary file alone', async () => {
    await writeFile(at('file'), '');
    await truncate(at('file'), 2 ** 40);
    assert.equal(await readTextFile(at('file'), 2 ** 40), undefined);
  });

  it('reads no folder', async () => {
    await mkdir(at('folder'));
    assert.equal(await readTextFile(at('folder'), maxBytes), undefined);
  });
});

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readRegularFile } from '../../../src/model/regularFile.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';

/** The content in quotation marks, or why it was not read. */
async function read(path: string, maxBytes = 10): Promise<string> {
  const content = await readRegularFile(path, maxBytes);
  return typeof content === 'string' ? content : `“${content.toString()}”`;
}

describe('readRegularFile()', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const at = (name: string) => join(folder.path, name);

  beforeEach(async () => {
    folder = await temporaryFolder();
    await writeFile(at('ten'), '0123456789');
  });
  afterEach(() => folder.remove());

  it('reads an empty file', async () => {
    await writeFile(at('empty'), '');
    assert.equal(await read(at('empty')), '“”');
  });

  it('reads a file of the allowed size', async () => {
    assert.equal(await read(at('ten'), 10), '“0123456789”');
  });

  it('reads nothing of a larger file', async () => {
    assert.equal(await read(at('ten'), 9), 'tooLarge');
  });

  it('reads nothing of a file of 1 TB', async () => {
    await truncate(at('ten'), 2 ** 40);
    assert.equal(await read(at('ten'), 1_000_000), 'tooLarge');
  });

  describe('with a file that has the size 0', () => {
    before(function () {
      if (process.platform !== 'linux') this.skip();
    });

    it('reads the content', async () => {
      assert.match(await read('/proc/self/status', 100_000), /^“Name:/);
    });

    it('reads nothing when the content is too large', async () => {
      assert.equal(await read('/proc/self/status', 10), 'tooLarge');
    });
  });

  it('refuses a folder', async () => {
    await mkdir(at('folder'));
    assert.equal(await read(at('folder')), 'notRegular');
  });

  it('rejects with the code of Node when there is no file', async () => {
    await assert.rejects(read(at('nothing')), { code: 'ENOENT' });
  });

  describe('on Unix', () => {
    before(function () {
      // Windows keeps FIFOs and devices out of folders.
      if (process.platform === 'win32') this.skip();
    });

    it('reads the file to which a link leads', async () => {
      await symlink('ten', at('link'));
      assert.equal(await read(at('link')), '“0123456789”');
    });

    it('rejects a circle of links', async () => {
      await symlink('circle', at('circle'));
      await assert.rejects(read(at('circle')), { code: 'ELOOP' });
    });

    it('does not wait for the writer of a FIFO', async () => {
      execFileSync('mkfifo', [at('fifo')]);
      assert.equal(await read(at('fifo')), 'notRegular');
    });

    it('does not wait for the writer of a FIFO behind a link', async () => {
      execFileSync('mkfifo', [at('fifo')]);
      await symlink('fifo', at('link'));
      assert.equal(await read(at('link')), 'notRegular');
    });

    it('refuses a device', async () => {
      await symlink('/dev/zero', at('zero'));
      assert.equal(await read(at('zero')), 'notRegular');
    });

    it('refuses a socket', async () => {
      const server = createServer().listen(at('socket'));
      try {
        assert.equal(await read(at('socket')), 'notRegular');
      } finally {
        server.close();
      }
    });
  });
});

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readRegularFile } from '../../../src/model/regularFile.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';

async function read(path: string, maxBytes = 10): Promise<string> {
  const content = await readRegularFile(path, maxBytes);
  return typeof content === 'string' ? content : `“${content.toString()}”`;
}

describe('readRegularFile', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const at = (name: string) => join(folder.path, name);

  beforeEach(async () => {
    folder = await temporaryFolder();
    await writeFile(at('ten'), '0123456789');
  });
  afterEach(() => folder.remove());

  it('reads a file up to the limit, and nothing of a larger one', async () => {
    await writeFile(at('empty'), '');
    assert.equal(await read(at('empty')), '“”');
    assert.equal(await read(at('ten')), '“0123456789”');
    assert.equal(await read(at('ten'), 9), 'tooLarge');
  });

  it('reads no more than the limit of a file without an end', async () => {
    await truncate(at('ten'), 2 ** 40);
    assert.equal(await read(at('ten'), 1_000_000), 'tooLarge');
  });

  it('counts what it reads when the file says the size 0', async function () {
    if (process.platform !== 'linux') return this.skip();
    assert.equal(await read('/proc/self/status', 10), 'tooLarge');
    assert.match(await read('/proc/self/status', 100_000), /^“Name:/);
  });

  it('reads no folder', async () => {
    await mkdir(at('folder'));
    assert.equal(await read(at('folder')), 'notRegular');
  });

  it('rejects with the code of Node where there is nothing', async () => {
    await assert.rejects(read(at('nothing')), { code: 'ENOENT' });
  });

  describe('where files are not only files', () => {
    before(function () {
      // Windows keeps FIFOs and devices out of folders.
      if (process.platform === 'win32') this.skip();
    });

    it('reads what a link leads to', async () => {
      await symlink('ten', at('link'));
      assert.equal(await read(at('link')), '“0123456789”');
    });

    it('rejects a circle of links', async () => {
      await symlink('circle', at('circle'));
      await assert.rejects(read(at('circle')), { code: 'ELOOP' });
    });

    it('does not wait for the writer of a FIFO', async () => {
      execFileSync('mkfifo', [at('fifo')]);
      await symlink('fifo', at('link'));
      assert.equal(await read(at('fifo')), 'notRegular');
      assert.equal(await read(at('link')), 'notRegular');
    });

    it('reads no device', async () => {
      await symlink('/dev/zero', at('zero'));
      assert.equal(await read(at('zero')), 'notRegular');
    });

    it('reads no socket', async () => {
      const server = createServer().listen(at('socket'));
      try {
        assert.equal(await read(at('socket')), 'notRegular');
      } finally {
        server.close();
      }
    });
  });
});

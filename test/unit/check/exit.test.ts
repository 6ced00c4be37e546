import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { account, authorization } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import type { Platform } from '../../support/platform/platform.js';
import { type CheckProgram, changed, endWhileHanging, preload, useCheck } from './run.js';

const isWindows = process.platform === 'win32';
const tooLate = 'The time was up before the list was read. Allow more time with --timeout.\n';

/** Node's `stat` stands for one on a network drive that is gone. */
const statHangs = 'fs.promises.stat = never';

/** Runs this code once the check has sent a request: by then the check handles signals and errors. */
const onceSent = (code: string) =>
  preload(`const { fetch } = globalThis;
    globalThis.fetch = (...request) => { setImmediate(() => { ${code} }); return fetch(...request); };`);

describe('the exit code of the check', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;

  useCheck((world) => {
    ({ program, platform, env } = world);
  });

  /** The arguments for a deployment whose problems are too many for the system's buffer of a pipe. */
  const manyFailing = () => {
    const label = 'x'.repeat(100);
    const accounts = Array.from({ length: 3000 }, (_, nth) =>
      account({ id: `acc_${nth}`, label, error: {} }),
    );
    platform.putDeployment('dep_many', authorization(accounts, []));
    return ['--id', 'dep_many'];
  };
  const fifo = () => execFileSync('mkfifo', [join(program.folder, 'fifo')]);

  describe('when stderr is closed early', () => {
    for (const [id, code] of Object.entries({ dep_ok: 2, dep_failed: 1 })) {
      it(`is ${code} for ${id} beside invalid entries`, async () => {
        await program.write('.vscode/settings.json', {
          'automationPlatform.deployments': [5, 6, 7, 8, id],
        });
        const child = program.start([], env);
        child.stderr.destroy();
        let stdout = '';
        child.stdout.on('data', (data) => {
          stdout += String(data);
        });
        const [exitCode] = await once(child, 'close');
        assert.equal(exitCode, code);
        assert.equal(platform.requests.length, 1);
        assert.match(
          stdout,
          /1 (?:failing|healthy), the list was not read completely \(exit \d\)\n$/,
        );
      });
    }

    it('is 3 when nothing is configured', async () => {
      const child = program.start(['--id', 'dep_ok'], { AUTOMATION_PLATFORM_TOKEN: 'x' });
      child.stderr.destroy();
      const [exitCode] = await once(child, 'exit');
      assert.equal(exitCode, 3);
    });
  });

  describe('when stdout is closed', () => {
    it('is 2 before the verdict', async () => {
      platform.fault('all', faults.silent());
      const closed = onceSent('process.stdout.emit("error", new Error("write EPIPE"))');
      const { end, stderr } = await program.run(['--id', 'dep_ok'], { ...env, ...closed });
      assert.equal(end, 2);
      assert.equal(stderr, '');
    });

    it('stays the verdict after the verdict', async () => {
      const child = program.start(manyFailing(), env);
      let stderr = '';
      child.stderr.on('data', (data) => {
        stderr += String(data);
      });
      child.stdout.once('data', () => child.stdout.destroy());
      const [exitCode] = await once(child, 'close');
      assert.equal(exitCode, 1);
      assert.equal(stderr, '');
    });

    it('stays the verdict while the summary is written', async () => {
      const summary = join(program.folder, 'summary.md');
      const args = ['--id', 'dep_failed', '--format', 'github'];
      const child = program.start(args, { ...env, GITHUB_STEP_SUMMARY: summary });
      child.stdout.destroy();
      const [exitCode] = await once(child, 'exit');
      assert.equal(exitCode, 1);
      assert.match(await readFile(summary, 'utf8'), /1 failing/);
    });
  });

  describe('after an uncaught error', () => {
    const errors: Record<string, string> = {
      'an exception': 'throw new Error("oops")',
      'a rejection': 'Promise.reject(new Error("oops"))',
    };
    for (const [name, code] of Object.entries(errors)) {
      it(`is 2 before the verdict (${name})`, async () => {
        platform.fault('all', faults.silent());
        const late = onceSent(code);
        const { end, stderr } = await program.run(['--id', 'dep_ok'], { ...env, ...late });
        assert.equal(end, 2);
        assert.equal(stderr, 'oops\n');
      });
    }

    for (const [id, code] of Object.entries({ dep_ok: 0, dep_failed: 1, dep_gone: 2 })) {
      it(`stays ${code} after the verdict on ${id}`, async () => {
        const late = preload(`const { stdout } = process; const { write } = stdout;
          stdout.write = (text, ...rest) => {
            if (text !== '') process.nextTick(() => { throw new Error('oops'); });
            return write.call(stdout, text, ...rest);
          };`);
        const { end, stderr } = await program.run(['--id', id], { ...env, ...late });
        assert.equal(end, code);
        assert.equal(stderr, 'oops\n');
      });
    }
  });

  it('is 2 when Node has nothing left to wait for', async () => {
    await program.write('list.txt', 'dep_ok');
    const idle = changed(`${statHangs}; timers.setTimeout = never`);
    const { end } = await program.run(['--list', 'list.txt'], { ...env, ...idle });
    assert.equal(end, 2);
  });

  describe('when the summary fails', () => {
    const failing: Record<string, string> = {
      throws: 'fs.promises.appendFile = () => { throw new Error("oops"); }',
      'rejects later': 'fs.promises.appendFile = () => Promise.reject(new Error("oops"))',
    };
    for (const [name, code] of Object.entries(failing)) {
      for (const [id, end] of Object.entries({ dep_ok: 0, dep_failed: 1, dep_gone: 2 })) {
        it(`stays ${end} for ${id} when writing ${name}`, async () => {
          const more = { ...changed(code), GITHUB_STEP_SUMMARY: 'summary.md' };
          const ran = await program.run(['--id', id, '--format', 'github'], { ...env, ...more });
          assert.match(ran.stderr, /oops\.?\n$/);
          assert.equal(ran.end, end);
        });
      }
    }

    it('stays the verdict when writing never ends', async () => {
      if (!isWindows) fifo();
      const hangs = `fs.promises.appendFile = () => { fs.readFile('fifo', () => {}); return never(); };
        const { setTimeout: sleep } = timers; timers.setTimeout = (ms, ...rest) => sleep(ms / 10, ...rest)`;
      const more = { ...changed(hangs), GITHUB_STEP_SUMMARY: 'summary.md' };
      const ran = await program.run(['--id', 'dep_failed', '--format', 'github'], {
        ...env,
        ...more,
      });
      assert.equal(
        ran.stderr,
        'The summary was not written to $GITHUB_STEP_SUMMARY: the time was up.\n',
      );
      assert.equal(ran.end, endWhileHanging(1));
    });
  });

  describe('when the time is up', () => {
    it('is 2 before the list was read', async () => {
      await program.write('list.txt', 'dep_ok');
      const args = ['--list', 'list.txt', '--timeout', '1'];
      const { end, stdout, stderr } = await program.run(args, { ...env, ...changed(statHangs) });
      assert.equal(end, endWhileHanging(2));
      assert.equal(stdout, '');
      assert.equal(stderr, tooLate);
    });

    it('is 2 while a read hangs', async function () {
      if (isWindows) return this.skip();
      fifo();
      await program.write('list.txt', 'dep_ok');
      const args = ['--list', 'list.txt', '--timeout', '1'];
      const hangs = changed(`${statHangs}; fs.readFile('fifo', () => {})`);
      const { end, stderr } = await program.run(args, { ...env, ...hangs });
      assert.equal(stderr, tooLate);
      assert.equal(end, endWhileHanging(2));
    });
  });

  describe('after a signal', () => {
    beforeEach(function () {
      if (isWindows) this.skip();
    });

    it('is SIGTERM while a read hangs', async () => {
      fifo();
      platform.fault('all', faults.silent());
      const child = program.start(['--id', 'dep_ok'], {
        ...env,
        ...preload(`import fs from 'node:fs'; fs.readFile('fifo', () => {});`),
      });
      await platform.waitForRequests(1, {}, 20_000);
      child.kill('SIGTERM');
      const [, endSignal] = await once(child, 'close');
      assert.equal(endSignal, 'SIGTERM');
    });

    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      it(`is ${signal} while the reader of the output stands still`, async () => {
        const child = program.start(manyFailing(), env);
        // The check writes, and the test reads no more than the first part.
        await once(child.stdout, 'readable');
        child.kill(signal);
        const [, endSignal] = await once(child, 'exit');
        assert.equal(endSignal, signal);
        child.stdout.destroy();
      });
    }
  });
});

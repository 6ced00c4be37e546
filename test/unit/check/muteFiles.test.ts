import { strict as assert } from 'node:assert';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { failedAccount } from '../../support/platform/data.js';
import type { Platform } from '../../support/platform/platform.js';
import { muteAccount, settingsText, startingAt, today, workspaceText } from './muteSettings.js';
import { type CheckProgram, type Ran, useCheck } from './run.js';

const settingsFile = '.vscode/settings.json';

describe('a mute in the check', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const check = (...args: string[]) => program.run(args, env);
  /** Writes the settings of the folder, and runs the check. */
  async function checkSettings(
    ids: readonly unknown[],
    mutes: readonly unknown[],
    ...args: readonly string[]
  ): Promise<Ran> {
    await program.write(settingsFile, settingsText(ids, mutes));
    return check(...args);
  }
  const linesOf = ({ stdout }: Ran) => stdout.trimEnd().split('\n');
  const lastLineOf = (ran: Ran) => linesOf(ran).at(-1);

  useCheck((world) => {
    ({ program, platform, env } = world);
    env = { ...env, ...startingAt(`${today}T12:00:00Z`) };
  });

  const ids = ['dep_failed'];

  it('holds in another folder when it stands in a workspace file', async () => {
    await program.write('web/.vscode/settings.json', settingsText(ids, []));
    await program.write('team.code-workspace', workspaceText([], [muteAccount]));
    const { end } = await check();
    assert.equal(end, 0);
  });

  it('holds for what a workspace file lists when it stands in a folder', async () => {
    await program.write('web/.vscode/settings.json', settingsText([], [muteAccount]));
    await program.write('team.code-workspace', workspaceText(ids, []));
    const { end } = await check();
    assert.equal(end, 0);
  });

  it('does not hold for what only another folder lists', async () => {
    await program.write(settingsFile, settingsText(['dep_ok'], [muteAccount]));
    await program.write('web/.vscode/settings.json', settingsText(ids, []));
    await program.write('team.code-workspace', workspaceText([], []));
    const ran = await check();
    assert.equal(lastLineOf(ran), '1 failing, 1 healthy (exit 1)');
  });

  it('holds for what its folder lists when another folder lists it, too', async () => {
    await program.write(settingsFile, settingsText(ids, []));
    await program.write('web/.vscode/settings.json', settingsText(ids, [muteAccount]));
    await program.write('team.code-workspace', workspaceText([], []));
    const { end } = await check();
    assert.equal(end, 0);
  });

  it('mutes an account in one folder, and not in another one', async () => {
    platform.putDeployment('dep_failed_too', failedAccount());
    await program.write(settingsFile, settingsText(['dep_failed_too'], []));
    await program.write('web/.vscode/settings.json', settingsText(ids, [muteAccount]));
    await program.write('team.code-workspace', workspaceText([], []));
    const ran = await check();
    assert.equal(lastLineOf(ran), '1 failing, 1 muted (exit 1)');
  });

  it('does not hold for what only another list has', async () => {
    await program.write('a.json', settingsText(['dep_ok'], [muteAccount]));
    await program.write('b.json', settingsText(ids, []));
    const { end } = await check('--list', 'a.json', '--list', 'b.json');
    assert.equal(end, 1);
  });

  it('holds for an ID in the arguments beside its list', async () => {
    await program.write('a.json', settingsText(['dep_ok'], [muteAccount]));
    const { end } = await check('--list', 'a.json', '--id', 'dep_failed');
    assert.equal(end, 0);
  });

  it('is not read from the default files beside a settings list', async () => {
    await program.write(settingsFile, settingsText(ids, [muteAccount]));
    await program.write('b.json', settingsText(ids, []));
    const { end } = await check('--list', 'b.json');
    assert.equal(end, 1);
  });

  for (const args of [
    ['--id', 'dep_failed'],
    ['--list', 'ids.txt'],
  ]) {
    describe(`from the default files (${args[0]})`, () => {
      beforeEach(() => program.write('ids.txt', 'dep_failed'));

      it('holds although they list nothing', async () => {
        const { end } = await checkSettings([], [muteAccount], ...args);
        assert.equal(end, 0);
      });

      it('names its file in the first line', async () => {
        const ran = await checkSettings([], [muteAccount], ...args);
        assert.equal(linesOf(ran)[0], `Mutes are read from ${settingsFile}.`);
      });

      it('names its file in JSON', async () => {
        const ran = await checkSettings([], [muteAccount], ...args, '--format', 'json');
        assert.deepEqual(JSON.parse(ran.stdout).settingsFrom, [settingsFile]);
      });

      it('names no file with --ignore-mutes', async () => {
        const ran = await checkSettings([], [muteAccount], ...args, '--ignore-mutes');
        assert.match(ran.stdout, /^(?:ids\.txt:1:1: )?dep_failed: /);
      });

      it('is reported once when malformed', async () => {
        const ran = await checkSettings([], [1], ...args);
        const note = linesOf(ran).at(-2);
        assert.match(note ?? '', /: This entry mutes nothing, because it is not an object\.$/);
        assert.equal(ran.stderr, '');
      });

      it('changes no exit code when its file cannot be read', async () => {
        await mkdir(join(program.folder, settingsFile), { recursive: true });
        const ran = await check(...args, '--id', 'dep_ok');
        assert.equal(lastLineOf(ran), '1 failing, 1 healthy (exit 1)');
      });
    });
  }

  it('names the files of owners and of mutes in the first line', async () => {
    await program.write(settingsFile, { 'automationPlatform.owners': { slack: 'Maria' } });
    await program.write('web/.vscode/settings.json', settingsText([], []));
    await program.write('team.code-workspace', workspaceText([], [muteAccount]));
    const ran = await check('--id', 'dep_failed');
    const files = '.vscode/settings.json, team.code-workspace';
    assert.equal(linesOf(ran)[0], `Owners and mutes are read from ${files}.`);
  });

  it('is read from a nested key', async () => {
    await program.write(settingsFile, {
      automationPlatform: { deployments: ids, mutes: [muteAccount] },
    });
    const { end } = await check();
    assert.equal(end, 0);
  });
});

import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CheckProgram, preload, useCheck } from './run.js';

/** A list of which no entry can be read. */
const malformed = { 'automationPlatform.deployments': [1, 2] };

describe('the check without a verdict', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let env: Record<string, string>;

  useCheck((world) => {
    ({ program, env } = world);
  });

  const run = (...args: readonly string[]) => {
    const summary = { GITHUB_STEP_SUMMARY: join(program.folder, 'step.md') };
    return program.run(args, { ...env, ...summary });
  };
  const stepSummary = () => readFile(join(program.folder, 'step.md'), 'utf8');

  it('writes the reason as JSON', async () => {
    const { end, stdout } = await run('--format', 'json');
    const { format, exitCode, error } = JSON.parse(stdout);
    assert.deepEqual({ end, format, exitCode }, { end: 3, format: 1, exitCode: 3 });
    assert.match(error, /^Nothing to check: /);
  });

  it('writes the reason as an annotation', async () => {
    const { end, stdout, stderr } = await run('--format', 'github');
    const reason = 'Nothing to check: no deployments are listed (see --help).\n';
    assert.equal(end, 3);
    assert.equal(stdout, `::error::${reason}`);
    assert.equal(stderr, reason);
  });

  it('writes the reason to the summary of GitHub', async () => {
    await run('--format', 'github');
    assert.match(
      await stepSummary(),
      /^## Automation Platform: nothing was checked\n\nNothing to check: /,
    );
  });

  it('writes to the summary of GitHub that it was skipped', async () => {
    env['AUTOMATION_PLATFORM_TOKEN'] = '';
    await run('--format', 'github', '--without-token', 'skip');
    assert.match(await stepSummary(), /\n\nSkipped: no token\. Nothing was checked\.\n/);
  });

  it('writes nothing to stdout as text', async () => {
    const { stdout } = await run();
    assert.equal(stdout, '');
  });

  describe('because of a malformed list', () => {
    const places = ['.vscode/settings.json:3:5', '.vscode/settings.json:4:5'];
    const sentences = places.map((place) => `${place}: This is neither an ID nor { "id": "..." }.`);
    beforeEach(() => program.write('.vscode/settings.json', malformed));

    it('has the errors of the list in JSON', async () => {
      const { stdout } = await run('--format', 'json');
      assert.deepEqual(JSON.parse(stdout).listErrors, sentences);
    });

    it('has an annotation for each error of the list', async () => {
      const { stdout } = await run('--format', 'github');
      const annotations = ['Nothing was checked.', ...sentences].map(
        (text) => `::error::${text}\n`,
      );
      assert.equal(stdout, annotations.join(''));
    });

    it('has its errors in the summary file', async () => {
      await run('--summary', 'summary.md');
      const summary = await readFile(join(program.folder, 'summary.md'), 'utf8');
      assert.match(summary, /\n\n`\.vscode\/settings\.json:3:5`: This is neither /);
    });
  });

  it('has a warning for each error of a list of which it reads a part', async () => {
    await program.write('.vscode/settings.json', {
      'automationPlatform.deployments': ['dep_ok', 1],
    });
    const { end, stdout } = await run('--format', 'github');
    assert.equal(end, 2);
    assert.match(stdout, /^::warning::\.vscode\/settings\.json:4:5: This is neither .*\n1 healthy/);
  });

  it('repeats no argument when Node is too old', async () => {
    const old = `delete Array.prototype.toSorted; Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } });`;
    const { end, stderr } = await program.run(['--nothing', 'secret'], { ...env, ...preload(old) });
    assert.equal(end, 64);
    assert.equal(stderr, 'This is Node 18.20.0. Use Node 20.3 or newer.\n');
  });
});

import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { inertJson, inertLogLine } from '../../../src/model/inertText.js';
import { account, authorization, requirement } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { type Platform, startPlatform } from '../../support/platform/platform.js';
import { CheckProgram } from './run.js';

/** A line of ours as GitHub's runner has to read it (`TryParseV2` of src/Runner.Worker/ActionCommand.cs): whatever else it held would be escaped. */
const annotation =
  /^::(?:error|warning) file=(?:[^%:,]|%(?:25|3A|2C))*\.code-workspace,line=\d+,col=\d+::(?:[^%]|%25)*$/;

/** The runner takes any line for a command that begins so. */
const isCommand = (line: string) => line.trimStart().startsWith('::');

/** `TryParseV1`, which finds a command anywhere; Azure Pipelines has `##vso[` beside it. */
const isOldCommand = (line: string) => /##(?:\[|vso\[)/i.test(line);

/** A runner reads a line after each of these. */
const linesOf = (text: string) => text.split(/\r\n|\r|\n/);

const hostile = [
  '::error::pwned',
  '  ::set-output name=a::b',
  ':::warning::x',
  'a\n::add-mask::b',
  'a\r\n::stop-commands::b',
  'a\u2028::error::b\u0085::error::c',
  '##[group]x',
  'x ###[endgroup]',
  '##vso[task.setvariable variable=a]b',
  '%0A::error::x',
  'a,line=7,file=x::y',
  '\u001b[31mred\u202etxt',
  '[link](https://evil.example) <img src=x> @octocat #1 **b** | c `d`',
  '</details><script>',
];

describe('no text of the platform or the repository begins a command of a runner', function () {
  this.timeout(60_000);
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        ':',
        '#',
        '[',
        ' ',
        '\t',
        '\n',
        '\r',
        '%',
        ',',
        'vso',
        '\u00a0',
        'x',
        '"',
        '\\',
      ),
    }),
    fc.constantFrom(...hostile),
  );

  it('in a line, which stays one line', () => {
    fc.assert(
      fc.property(text, (any) => {
        const line = inertLogLine(any);
        assert.equal(linesOf(line).length, 1);
        assert.ok(!isCommand(line) && !isOldCommand(line), line);
        assert.equal(inertLogLine(line), line);
      }),
    );
  });

  it('in JSON, which stays the same value', () => {
    fc.assert(
      fc.property(text, (any) => {
        const json = inertJson({ any: [any] });
        for (const line of linesOf(json)) assert.ok(!isCommand(line) && !isOldCommand(line), line);
        if (/^[ -~]*$/.test(any)) assert.deepEqual(JSON.parse(json), { any: [any] });
      }),
    );
  });

  describe('when the check writes', () => {
    let program: CheckProgram;
    let platform: Platform;
    const summary = () => join(program.folder, 'summary.md');
    const run = (format: string) =>
      program.run(['--format', format], { ...platform.env, GITHUB_STEP_SUMMARY: summary() });

    before(async () => {
      program = await CheckProgram.build();
      platform = await startPlatform();
      // Those of control characters are not read, and named with their place.
      const printable = hostile.map((bad) => bad.replaceAll(/\p{Cc}+/gu, ' '));
      const ids = printable.flatMap((bad, nth) => [
        `failed ${nth}${bad}`,
        `bad ${nth}${bad}`,
        `gone ${nth}`,
      ]);
      for (const [nth, bad] of hostile.entries()) {
        const failed = account({
          id: bad,
          label: bad,
          serviceId: bad,
          error: { code: bad, message: bad },
        });
        const missing = requirement({
          binding: bad,
          serviceId: bad,
          accountId: bad,
          satisfied: false,
        });
        platform.putDeployment(
          `failed ${nth}${printable[nth]}`,
          authorization([failed], [missing]),
        );
        const unknown = requirement({ binding: bad, satisfied: undefined });
        platform.putDeployment(
          `bad ${nth}${printable[nth]}`,
          authorization([], [missing, unknown]),
        );
        platform.fault({ id: `gone ${nth}` }, faults.text(404, bad));
      }
      const labelled = hostile.map((label, nth) => ({ id: `gone ${nth}`, label }));
      const unreadable = hostile.filter((id) => /\p{Cc}/u.test(id));
      const list = [...ids, ...labelled, ...unreadable, 1];
      const file =
        process.platform === 'win32' ? 'a.code-workspace' : '::error::%0A\n##[x],b.code-workspace';
      await program.write(file, { settings: { 'automationPlatform.deployments': list } });
    });
    after(async () => {
      await platform.stop();
      await program.remove();
    });

    for (const format of ['text', 'json']) {
      it(format, async () => {
        const { end, stdout, stderr } = await run(format);
        assert.equal(end, 1);
        for (const line of linesOf(stdout + stderr))
          assert.ok(!isCommand(line) && !isOldCommand(line), line);
        if (format === 'json')
          assert.equal(JSON.parse(stdout).deployments.total, 3 * hostile.length);
      });
    }

    it('annotations, which are ours alone, and a summary that is no Markdown of theirs', async () => {
      const { end, stdout, stderr } = await run('github');
      assert.equal(end, 1);
      for (const line of linesOf(stderr)) assert.ok(!isCommand(line) && !isOldCommand(line), line);
      const lines = linesOf(stdout.trimEnd());
      assert.ok(!isCommand(lines.pop()!), 'the counts');
      assert.ok(lines.length >= 3 * hostile.length);
      for (const line of lines) {
        assert.ok(!isOldCommand(line), line);
        assert.match(line, annotation);
      }
      const rows = (await readFile(summary(), 'utf8'))
        .split('\n')
        .filter((line) => line.startsWith('|'));
      assert.ok(rows.length > hostile.length);
      for (const row of rows) {
        assert.doesNotMatch(
          row.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, ''),
          /[<@#*[\]]|https?:/,
          row,
        );
      }
    });
  });
});

import { strict as assert } from 'node:assert';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { day } from '../../../src/model/base/time.js';
import { dayText } from '../../../src/model/entered/muteEntries.js';
import { inertJson, inertLogLine } from '../../../src/model/inertText.js';
import { visibleControls } from '../../../src/model/invisibleCharacters.js';
import { account, authorization, requirement } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { type Platform, startPlatform } from '../../support/platform/platform.js';
import { readJunit } from './junitReport.js';
import { CheckProgram, type Ran } from './run.js';

/** An annotation as GitHub's runner reads it (`TryParseV2` of src/Runner.Worker/ActionCommand.cs), with all else escaped. */
const annotation =
  /^::(?:error|notice|warning)(?: file=(?:[^%:,]|%(?:25|3A|2C))*\.code-workspace,line=\d+,col=\d+)?::(?:[^%]|%25)*$/;

/** GitHub's runner takes each line that begins with two colons for a command. */
const isCommand = (line: string) => line.trimStart().startsWith('::');

/** `TryParseV1` of the runner finds such a command anywhere in a line; Azure Pipelines has `##vso[` as well. */
const isOldCommand = (line: string) => /##(?:\[|vso\[)/i.test(line);

/** The lines of a text as a runner separates them. */
const linesOf = (text: string) => text.split(/\r\n|\r|\n/);

/** The lines of a text that a runner takes for commands. */
const commandsIn = (text: string) =>
  linesOf(text).filter((line) => isCommand(line) || isOldCommand(line));

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

/** Reasons of mutes, none of which is longer than a reason can be. */
const hostileReasons = [
  ...hostile,
  ']]>',
  '<!-- -->',
  '&amp;',
  '|--|--|',
  '- [ ] @octocat #1',
  'https://evil.example/?a|b',
  '\ud83d lone \ude00',
  'a \u2066\u2069\u200b b',
  '``` `` `',
  'x'.repeat(200),
  '👍'.repeat(200),
  '` '.repeat(100).trim(),
  '|'.repeat(200),
];

/** Names of groups, none of which is longer than a name can be. */
const hostileGroups = [
  ...hostile.map((text) => text.slice(0, 60)),
  ']]><!-- -->',
  '<!-- automation-platform-check exit=0 listed=1 read=1 -->',
  '# 30 healthy (exit 0)',
  'a.b:c/d',
  '\ud83d lone \ude00\uFFFE',
  '|'.repeat(60),
];

/** Three for each hostile text, and two for each hostile reason. */
const deploymentCount = 3 * hostile.length + 2 * hostileReasons.length;

describe('a hostile text', function () {
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

  it('stays on one line of a log', () => {
    fc.assert(
      fc.property(text, (any) => {
        const lines = linesOf(inertLogLine(any));
        assert.equal(lines.length, 1, lines.join('\n'));
      }),
    );
  });

  it('begins no command in a log', () => {
    fc.assert(
      fc.property(text, (any) => {
        const commands = commandsIn(inertLogLine(any));
        assert.deepEqual(commands, []);
      }),
    );
  });

  it('does not change when its line of a log is made inert again', () => {
    fc.assert(
      fc.property(text, (any) => {
        const line = inertLogLine(any);
        const again = inertLogLine(line);
        assert.equal(again, line);
      }),
    );
  });

  it('begins no command in JSON', () => {
    fc.assert(
      fc.property(text, (any) => {
        const commands = commandsIn(inertJson({ any: [any] }));
        assert.deepEqual(commands, []);
      }),
    );
  });

  it('keeps its value in JSON when all its characters are printable ASCII', () => {
    fc.assert(
      fc.property(text, (any) => {
        fc.pre(/^[ -~]*$/.test(any));
        const parsed: unknown = JSON.parse(inertJson({ any: [any] }));
        assert.deepEqual(parsed, { any: [any] });
      }),
    );
  });

  describe('that the check prints', () => {
    let program: CheckProgram;
    let platform: Platform;
    const at = (name: string) => join(program.folder, name);
    const written = (name: string) => readFile(at(name), 'utf8');
    const run = (format: string) =>
      program.run(['--format', format, '--junit', 'junit.xml', '--summary', 'summary.md'], {
        ...platform.env,
        GITHUB_STEP_SUMMARY: at('step-summary.md'),
      });

    before(async () => {
      program = await CheckProgram.build();
      platform = await startPlatform();
      // The check reads no ID with control characters; it prints the place of the entry.
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
      for (const [nth, bad] of hostileReasons.entries()) {
        const error = { code: 'gone' };
        platform.putDeployment(
          `muted ${nth}`,
          authorization([account({ id: `acc ${nth}`, error })], []),
        );
        platform.putDeployment(
          `works ${nth}`,
          authorization([account({ id: bad, label: bad })], []),
        );
      }
      const others = hostileReasons.flatMap((_, nth) => [`muted ${nth}`, `works ${nth}`]);
      const since = dayText(Date.now());
      const until = dayText(Date.now() + 2 * day);
      const mutes = hostileReasons.flatMap((bad, nth) => [
        { account: `acc ${nth}`, error: 'gone', since, until, reason: bad },
        // Changed or obsolete, and malformed.
        { account: bad, error: 'other', since, until, reason: bad },
        { account: bad, error: bad, since: bad, until: bad, reason: bad, [bad]: bad },
      ]);
      const labelled = hostile.map((label, nth) => {
        return { id: `gone ${nth}`, label, group: hostileGroups[nth] };
      });
      const unreadable = hostile.filter((id) => /\p{Cc}/u.test(id));
      const list = [...ids, ...others, ...labelled, ...unreadable, 1];
      const file =
        process.platform === 'win32' ? 'a.code-workspace' : '::error::%0A\n##[x],b.code-workspace';
      const owners = [...hostile, ...ids].map((id, nth) => [id, hostile[nth % hostile.length]]);
      await program.write(file, {
        settings: {
          'automationPlatform.deployments': list,
          'automationPlatform.owners': { ...Object.fromEntries(owners), other: 1 },
          'automationPlatform.mutes': mutes,
        },
      });
    });
    after(async () => {
      await platform.stop();
      await program.remove();
    });

    for (const format of ['text', 'json']) {
      it(`begins no command in the output as ${format}`, async () => {
        const { end, stdout, stderr } = await run(format);
        const commands = commandsIn(`${stdout}\n${stderr}`);
        assert.equal(end, 1);
        assert.deepEqual(commands, []);
      });
    }

    it('leaves the output as JSON readable', async () => {
      const { stdout } = await run('json');
      const { total, muted } = JSON.parse(stdout).deployments;
      assert.equal(total, deploymentCount);
      assert.equal(muted, hostileReasons.length);
    });

    it('is the reason of a mute in JSON, with invisible characters made visible', async () => {
      const { stdout } = await run('json');
      const { mutedProblems }: { mutedProblems: { deploymentId: string; reason: string }[] } =
        JSON.parse(stdout);
      const reasonOf = new Map(mutedProblems.map((one) => [one.deploymentId, one.reason]));
      for (const [nth, bad] of hostileReasons.entries())
        assert.equal(reasonOf.get(`muted ${nth}`), visibleControls(bad.trim()));
    });

    it('is the reason of a mute on one line of text', async () => {
      const { stdout } = await run('text');
      const muted = linesOf(stdout).filter((line) => line.includes('muted for everyone until'));
      assert.equal(muted.length, hostileReasons.length);
    });

    describe('for GitHub', () => {
      let ran: Ran;
      let annotations: readonly string[];
      let counts: string;
      before(async () => {
        ran = await run('github');
        const lines = linesOf(ran.stdout.trimEnd());
        annotations = lines.slice(0, -1);
        counts = lines.at(-1) ?? '';
      });

      it('begins no command beside the annotations', () => {
        const commands = commandsIn(`${ran.stderr}\n${counts}`);
        assert.equal(ran.end, 1);
        assert.deepEqual(commands, []);
      });

      it('stays inside the message of an annotation', () => {
        const least = 3 * hostile.length + 2 * hostileReasons.length;
        assert.ok(annotations.length >= least, `${annotations.length} annotations`);
        for (const line of annotations) assert.match(line, annotation);
      });

      it('begins no command of an older runner', () => {
        const oldCommands = annotations.filter(isOldCommand);
        assert.deepEqual(oldCommands, []);
      });
    });

    describe('to files', () => {
      before(() => run('github'));

      it('leaves the JUnit file readable', async () => {
        const { cases } = await readJunit(at('junit.xml'));
        const ofList = 1;
        assert.equal(cases.length, deploymentCount + ofList);
      });

      for (const file of ['junit.xml', 'summary.md', 'step-summary.md']) {
        it(`begins no command in ${file}`, async () => {
          const commands = commandsIn(await written(file));
          assert.deepEqual(commands, []);
        });
      }

      it('begins no command in the decoded texts of junit.xml', async () => {
        const { cases } = await readJunit(at('junit.xml'));
        const texts = cases.flatMap(({ classname, name, message, text: content }) => [
          classname,
          name,
          message,
          content,
        ]);
        const commands = commandsIn(texts.join('\n'));
        assert.deepEqual(commands, []);
      });

      it('is the reason of a mute in a row of its own in summary.md', async () => {
        const lines = (await written('summary.md')).split('\n');
        const rows = lines.filter((line) => line.endsWith('· It ends in 2 days. |'));
        assert.equal(rows.length, hostileReasons.length);
      });

      it('begins no command as the reason of no verdict', async () => {
        const missing = '::error::a ##[group]b ##vso[task.complete]';
        const args = ['--list', missing, '--junit', 'none.xml', '--summary', 'none.md'];
        const { end } = await program.run(args, platform.env);
        assert.equal(end, 3);
        const commands = commandsIn((await written('none.xml')) + (await written('none.md')));
        assert.deepEqual(commands, []);
      });

      for (const file of ['summary.md', 'step-summary.md']) {
        it(`is no Markdown in ${file}`, async () => {
          const summary = await written(file);
          const lines = summary.split('\n').filter((line) => /^[|-]/.test(line));
          assert.ok(lines.length > hostile.length, `${lines.length} lines`);
          for (const line of lines) {
            const withoutCode = line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
            assert.doesNotMatch(withoutCode, /[<@#*[\]]|https?:/, line);
          }
        });
      }
    });

    describe('as the names of groups', () => {
      // Arguments have no lone surrogates. A group with U+FFFD counts as none.
      const names = hostileGroups.map((name) => name.replace(/[\p{Surrogate}\uFFFD]/gu, '?'));
      const asked = names.flatMap((name) => [`--group=${name}`]);
      const files = ['--junit', 'groups.xml', '--summary', 'groups.md'];
      let groupEnv: Record<string, string>;

      /** Runs the check of groups, also of one that is not there. */
      async function runGroups(format: string, ...more: readonly string[]): Promise<Ran> {
        await rm(at('groups.step.md'), { force: true });
        const args = ['--list', 'groups.json', ...asked, ...more, '--format', format, ...files];
        return program.run(args, groupEnv);
      }

      before(async () => {
        groupEnv = { ...platform.env, GITHUB_STEP_SUMMARY: at('groups.step.md') };
        const list = names.map((group, nth) => ({ id: `works ${nth}`, group }));
        await program.write('groups.json', { 'automationPlatform.deployments': list });
      });

      for (const format of ['text', 'json', 'github']) {
        it(`begins no command in the output as ${format}`, async () => {
          const { end, stdout, stderr } = await runGroups(format);
          assert.equal(end, 0);
          assert.deepEqual(commandsIn(`${stdout}\n${stderr}`), []);
        });

        it(`begins no command beside one that is unknown (${format})`, async () => {
          const { end, stdout, stderr } = await runGroups(format, '--group', 'gone');
          assert.equal(end, 3);
          const lines = linesOf(`${stdout}\n${stderr}`);
          const others = lines.filter((line) => !annotation.test(line));
          assert.deepEqual(commandsIn(others.join('\n')), []);
          assert.deepEqual(lines.filter(isOldCommand), []);
        });
      }

      it('are in JSON with invisible characters made visible', async () => {
        const { stdout } = await runGroups('json');
        const { groups } = JSON.parse(stdout);
        assert.deepEqual(groups, names.map(visibleControls));
      });

      it('are on the one line of the counts', async () => {
        const { stdout } = await runGroups('text');
        assert.match(
          stdout,
          new RegExp(`^.*, ${names.length - 5} more: .* healthy \\(exit 0\\)\\n$`),
        );
      });

      for (const more of [[], ['--group', 'gone']]) {
        describe(more.length === 0 ? 'that are all known' : 'beside an unknown one', () => {
          before(() => runGroups('github', ...more));

          it('leave the JUnit file readable', async () => {
            const { cases } = await readJunit(at('groups.xml'));
            const texts = cases.flatMap(({ classname, text: content }) => [classname, content]);
            assert.deepEqual(commandsIn(texts.join('\n')), []);
          });

          for (const file of ['groups.md', 'groups.step.md']) {
            it(`are no Markdown in ${file}`, async () => {
              const summary = await written(file);
              const afterMark = summary.replace(/^<!-- automation-platform-check .* -->\n/, '');
              const withoutCode = afterMark.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
              assert.doesNotMatch(withoutCode.slice('## '.length), /[<@#*[\]|]|https?:/, summary);
              assert.deepEqual(commandsIn(summary), []);
            });
          }
        });
      }

      it('are no second line of the summary for programs', async () => {
        await runGroups('text');
        const [mark, heading] = linesOf(await written('groups.md'));
        const count = names.length;
        assert.equal(
          mark,
          `<!-- automation-platform-check exit=0 listed=${count} read=${count} -->`,
        );
        assert.match(heading ?? '', /^## Automation Platform: /);
      });
    });
  });
});

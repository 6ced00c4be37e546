import { strict as assert } from 'node:assert';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Files } from '../../../src/check/output/files.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { outcomesOf, readJunit } from './junitReport.js';

const didNotEnd = 'The check did not end. Nothing is known.';
/** What is written at the end. */
const texts = { junit: () => '<a/>', summary: (code: number) => `exit ${code}` };

describe('the files that the check writes', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let reports: string[];
  const at = (name: string) => join(folder, name);
  const written = (name: string) => readFile(at(name), 'utf8');
  /** `taken/x` cannot be written, because `taken` is a file. */
  const create = (junit?: string, summary?: string) =>
    new Files({
      paths: { junit: junit && at(junit), summary: summary && at(summary) },
      kept: [],
      endsAt: Number.POSITIVE_INFINITY,
      exit: { trackFileWork: (work) => work },
      redact: (text) => text.replaceAll('secret', '[redacted]'),
      report: (sentence) => reports.push(sentence),
    });

  beforeEach(async () => {
    ({ path: folder, remove } = await temporaryFolder());
    reports = [];
    await writeFile(at('taken'), '');
  });
  afterEach(() => remove());

  it('say first that the check did not end', async () => {
    await create('junit.xml', 'summary.md').begin();
    const { cases } = await readJunit(at('junit.xml'));
    assert.deepEqual(cases, [
      {
        classname: 'automation-platform',
        name: 'The check',
        outcome: 'error',
        message: didNotEnd,
        text: didNotEnd,
      },
    ]);
    assert.equal(
      await written('summary.md'),
      '<!-- automation-platform-check exit=2 listed=0 read=0 -->\n' +
        `## Automation Platform: nothing was checked\n\n${didNotEnd}\n`,
    );
  });

  it('say that the check was skipped', async () => {
    const code = await create('junit.xml', 'summary.md').writeWithoutVerdict(
      { exitCode: 0, reason: 'Why.', details: [] },
      'skipped',
    );
    assert.equal(code, 0);
    assert.equal(outcomesOf(await readJunit(at('junit.xml'))), 'skipped');
    assert.match(await written('summary.md'), /^<!-- .* exit=0 listed=0 read=0 -->\n/);
  });

  for (const [count, end] of [
    [10, 'No 10.'],
    [11, '1 more.'],
  ] as const) {
    it(`end with “${end}” in the summary for ${count} sentences`, async () => {
      const [reason = '', ...details] = Array.from({ length: count }, (_, nth) => `No ${nth + 1}.`);
      await create(undefined, 'summary.md').writeWithoutVerdict(
        { exitCode: 2, reason, details },
        'error',
      );
      const paragraphs = (await written('summary.md')).trimEnd().split('\n\n');
      assert.equal(paragraphs.at(-1), end);
      assert.equal(paragraphs[10], 'No 10.');
    });
  }

  it('have all sentences in the JUnit file', async () => {
    await create('junit.xml').writeWithoutVerdict(
      { exitCode: 2, reason: 'Why.', details: ['A.', 'A secret.'] },
      'error',
    );
    const { cases } = await readJunit(at('junit.xml'));
    assert.equal(cases[0]?.text, 'Why.\nA.\nA [redacted].');
  });

  it('are none when none is asked for', async () => {
    const files = create();
    await files.begin();
    const code = await files.write(0, texts);
    assert.equal(code, 0);
    assert.deepEqual(await readdir(folder), ['taken']);
  });

  it('replace what was there before', async () => {
    await writeFile(at('junit.xml'), 'x'.repeat(10_000));
    await create('junit.xml').write(0, texts);
    assert.equal(await written('junit.xml'), '<a/>');
  });

  it('hold no secret', async () => {
    const files = create('junit.xml', 'summary.md');
    await files.write(0, { junit: () => 'a secret', summary: () => 'a secret' });
    assert.equal(await written('junit.xml'), 'a [redacted]');
    assert.equal(await written('summary.md'), 'a [redacted]');
  });

  it('hold no part of a secret where a reason is cut', async () => {
    const files = create('junit.xml', 'summary.md');
    await files.writeWithoutVerdict(
      { exitCode: 2, reason: `${'x'.repeat(195)}secret`, details: [] },
      'error',
    );
    const { cases } = await readJunit(at('junit.xml'));
    assert.equal(cases[0]?.message, `${'x'.repeat(195)}[red…`);
  });

  for (const [code, end] of [
    [0, 2],
    [1, 1],
    [2, 2],
    [3, 3],
    [64, 64],
  ] as const) {
    it(`make ${end} of the code ${code} when the JUnit file is not written`, async () => {
      const endCode = await create('taken/junit.xml').write(code, texts);
      assert.equal(endCode, end);
    });

    it(`make ${end} of the code ${code} when the summary is not written`, async () => {
      const endCode = await create('junit.xml', 'taken/summary.md').write(code, texts);
      assert.equal(endCode, end);
    });
  }

  it('name 2 in the summary when the JUnit file is not written', async () => {
    await create('taken/junit.xml', 'summary.md').write(0, texts);
    assert.equal(await written('summary.md'), 'exit 2');
  });

  it('are reported once each when they are not written', async () => {
    const files = create('taken/junit.xml', 'taken/summary.md');
    await files.begin();
    await files.write(0, texts);
    const names = reports.map((report) => /^(.*) was not written: E\w+: .*\.$/.exec(report)?.[1]);
    assert.deepEqual(names, [at('taken/junit.xml'), at('taken/summary.md')]);
  });

  it('are not tried again after a failure', async () => {
    const files = create('taken/junit.xml');
    await files.begin();
    await rm(at('taken'));
    const code = await files.write(0, texts);
    assert.equal(code, 2);
    assert.deepEqual(await readdir(folder), []);
  });

  it('are appended to when they are the summary of GitHub', async () => {
    await writeFile(at('step.md'), 'before\n');
    await create().appendStepSummary(at('step.md'), 'a secret\n');
    assert.equal(await written('step.md'), 'before\na [redacted]\n');
    assert.deepEqual(reports, []);
  });

  it('get no folder when they are the summary of GitHub', async () => {
    await create().appendStepSummary(at('new/step.md'), 'a');
    assert.deepEqual(await readdir(folder), ['taken']);
    assert.match(
      reports.join('\n'),
      /^The summary was not written to \$GITHUB_STEP_SUMMARY: ENOENT/,
    );
  });
});

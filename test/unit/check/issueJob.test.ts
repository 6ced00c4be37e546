import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { summaryMark, summaryWithoutVerdict } from '../../../src/check/output/summaryMark.js';
import type { Repository } from '../../support/github/gh.js';
import { compiledTests } from '../../support/paths.js';
import { environment } from '../../support/processes.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { githubWorkflow, scriptOf } from './snippetFiles.js';

/** How a run of the workflow comes to its second job. */
interface Run {
  /** The result of the first job. */
  readonly result: 'success' | 'failure' | 'cancelled' | 'skipped';
  /** `undefined` if the first job left none. */
  readonly summary: string | undefined;
  readonly branch?: string;
}

const table = '## Automation Platform: 2 failing\n\n| problem |\n|---|\n| Finance Slack failed |\n';

function verdict(exitCode: number, listed: number, read: number): string {
  return `${summaryMark({ exitCode, listed, read })}\n${table}`;
}

const red: Run = { result: 'failure', summary: verdict(1, 30, 30) };
const greenHeading = '## Automation Platform: 1 muted, 29 healthy';
const green: Run = {
  result: 'success',
  summary: `${summaryMark({ exitCode: 0, listed: 30, read: 30 })}\n${greenHeading}\n`,
};
const unknown: Run = { result: 'failure', summary: verdict(2, 30, 28) };
/** A run that was told to check one group. */
function ofGroup(exitCode: number): Run {
  const result = exitCode === 0 ? 'success' : 'failure';
  const mark = summaryMark({ exitCode, listed: 30, read: 12 });
  return { result, summary: `${mark}\n## Automation Platform: payments: 12 healthy\n` };
}
const skipped: Run = {
  result: 'success',
  summary: summaryWithoutVerdict(0, ['Skipped: no token.']),
};
const withoutSummary: Run = { result: 'failure', summary: undefined };

const label = 'automation-platform-check';
const openBody = 'What an earlier red run has said.\n';
const title = 'Automation Platform: failing deployments';

describe('the issue on GitHub', function () {
  this.timeout(60_000);
  const workflowScript = scriptOf(githubWorkflow().jobs.issue);
  let folder: string;
  let remove: () => Promise<void>;
  let ran: number;

  before(async function () {
    // The job runs on Linux.
    if (process.platform === 'win32') return this.skip();
    ({ path: folder, remove } = await temporaryFolder());
    await mkdir(join(folder, 'bin'));
    const program = join(compiledTests, 'support', 'github', 'gh.js');
    await writeFile(
      join(folder, 'bin', 'gh'),
      `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`,
    );
    await chmod(join(folder, 'bin', 'gh'), 0o755);
  });
  after(() => remove?.());
  beforeEach(async () => {
    ran = 0;
    await putRepository({});
  });

  const putRepository = (changes: Partial<Repository>) => {
    const empty = { visibility: 'private', default_branch: 'main' } as const;
    const repository = { ...empty, labels: [], issues: [], changes: [], ...changes };
    return writeFile(join(folder, 'repository.json'), JSON.stringify(repository));
  };
  const repository = async (): Promise<Repository> =>
    JSON.parse(await readFile(join(folder, 'repository.json'), 'utf8'));

  /** Runs the second job. Each has the number of its run in its address. Returns what it printed. */
  const play = async (run: Run, script = workflowScript) => {
    ran += 1;
    const temp = join(folder, 'temp');
    await rm(temp, { recursive: true, force: true });
    await mkdir(join(temp, 'automation-platform'), { recursive: true });
    if (run.summary !== undefined) {
      await writeFile(join(temp, 'automation-platform', 'summary.md'), run.summary);
    }
    await writeFile(join(temp, 'script.sh'), script);

    const child = spawn('bash', ['-e', join(temp, 'script.sh')], {
      cwd: temp,
      env: environment({
        PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
        RUNNER_TEMP: temp,
        GITHUB_SERVER_URL: 'https://github.example',
        GITHUB_RUN_ID: String(ran),
        GITHUB_REF_NAME: run.branch ?? 'main',
        CHECK_RESULT: run.result,
        GH_REPO: 'acme/operations',
        GH_TOKEN: 'token',
        GH_STATE: join(folder, 'repository.json'),
      }),
      timeout: 20_000,
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const playAll = async (...runs: readonly Run[]) => {
    for (const run of runs) await play(run);
  };

  const addressOf = (run: number) => `https://github.example/acme/operations/actions/runs/${run}`;
  const bodyOf = ({ summary }: Run, run: number) => `${summary}\nReported by ${addressOf(run)}\n`;
  const today = () => new Date().toISOString().slice(0, 10);
  const notChecked = (code: number | 'unknown', run: number) =>
    `Not everything was checked on ${today()} (exit code ${code}): ${addressOf(run)}. What stands above is older.\n`;

  /** The only issue. */
  const issue = async () => {
    const { issues } = await repository();
    assert.equal(issues.length, 1, 'number of issues');
    return issues[0]!;
  };
  /** Puts an open issue there, as a red run leaves one. */
  const putOpenIssue = (body = openBody) => {
    const open = { number: 1, title, labels: [label], state: 'open', body } as const;
    return putRepository({ labels: [label], issues: [{ ...open, comments: [] }] });
  };
  const stateAndBody = async () => {
    const { body, state } = await issue();
    return { state, body };
  };

  describe('after a red run', () => {
    it('is open', async () => {
      await playAll(red);
      assert.equal((await issue()).state, 'open');
    });

    it('has the label, which is made first', async () => {
      await playAll(red);
      assert.deepEqual((await issue()).labels, [label]);
    });

    it('has a title', async () => {
      await playAll(red);
      assert.equal((await issue()).title, title);
    });

    it('has the summary and the address of the run', async () => {
      await playAll(red);
      assert.equal((await issue()).body, bodyOf(red, 1));
    });

    it('is the same one as after the run before', async () => {
      await putOpenIssue();
      const next = { ...red, summary: verdict(1, 31, 29) };
      await play(next);
      const body = bodyOf(next, 1);
      assert.deepEqual(await stateAndBody(), { state: 'open', body });
    });

    it('is only edited when it is open', async () => {
      await putOpenIssue();
      await play(red);
      assert.deepEqual((await repository()).changes, ['issue edit']);
    });

    it('has the summary of one group when only that was checked', async () => {
      await playAll(ofGroup(1));
      assert.deepEqual(await stateAndBody(), { state: 'open', body: bodyOf(ofGroup(1), 1) });
    });

    it('is opened again when it was closed', async () => {
      await putOpenIssue();
      await playAll(green, red);
      assert.deepEqual(await stateAndBody(), { state: 'open', body: bodyOf(red, 2) });
    });

    it('is open although a setting lets the job succeed', async () => {
      await playAll({ ...red, result: 'success' });
      assert.equal((await issue()).state, 'open');
    });
  });

  describe('after a run without a problem', () => {
    it('is closed', async () => {
      await putOpenIssue();
      await play(green);
      assert.equal((await issue()).state, 'closed');
    });

    it('has a comment with its counts and its address', async () => {
      await putOpenIssue();
      await play(green);
      const verdictText = 'exit code 0 (1 muted, 29 healthy)';
      const comment = `All 30 deployments were read, with ${verdictText}: ${addressOf(1)}`;
      assert.deepEqual((await issue()).comments, [comment]);
    });

    it('is not closed twice', async () => {
      await putOpenIssue();
      await playAll(green, green);
      assert.equal((await issue()).comments.length, 1);
    });

    it('is not opened', async () => {
      await playAll(green);
      assert.deepEqual((await repository()).changes, []);
    });
  });

  describe('gets one line after a run', () => {
    const doubtful: Record<string, readonly [run: Run, code: number | 'unknown']> = {
      'that could not read everything': [unknown, 2],
      'that read none of the listed deployments': [{ ...unknown, summary: verdict(2, 30, 0) }, 2],
      'that did not end': [
        { result: 'failure', summary: summaryWithoutVerdict(2, ['The check did not end.']) },
        2,
      ],
      'with nothing to check': [
        { result: 'failure', summary: summaryWithoutVerdict(3, ['Nothing to check.']) },
        3,
      ],
      'with wrong arguments': [
        { result: 'failure', summary: summaryWithoutVerdict(64, ['This is Node 18.']) },
        64,
      ],
      'without a summary': [withoutSummary, 'unknown'],
      'without a summary, but with success': [{ ...withoutSummary, result: 'success' }, 'unknown'],
      'whose job failed after a good verdict': [{ ...green, result: 'failure' }, 0],
      'that read one deployment less than are listed': [
        { result: 'success', summary: verdict(0, 30, 29) },
        0,
      ],
      'of one group, which is healthy': [ofGroup(0), 0],
      'of one group, which could not read everything': [ofGroup(2), 2],
      'that read more deployments than are listed': [
        { result: 'success', summary: verdict(0, 3, 30) },
        0,
      ],
      'whose success is another code than 0': [{ result: 'success', summary: verdict(2, 3, 3) }, 2],
      'whose code only begins with 0': [
        { result: 'success', summary: verdict(0.5, 3, 3) },
        'unknown',
      ],
      'whose code only ends with 0': [{ result: 'success', summary: verdict(10, 3, 3) }, 10],
      'whose first line goes on': [
        { result: 'success', summary: verdict(0, 3, 3).replace('-->', '--> more') },
        'unknown',
      ],
      'whose first line begins with something else': [
        { result: 'success', summary: `x${verdict(0, 3, 3)}` },
        'unknown',
      ],
      'whose mark is in the second line': [
        { result: 'success', summary: `\n${verdict(0, 3, 3)}` },
        'unknown',
      ],
    };
    for (const [name, [run, code]] of Object.entries(doubtful)) {
      it(name, async () => {
        await putOpenIssue();
        await play(run);
        const body = `${openBody}\n${notChecked(code, 1)}`;
        assert.deepEqual(await stateAndBody(), { state: 'open', body });
      });
    }

    it('in place of the line of the run before', async () => {
      await putOpenIssue();
      await playAll(unknown, withoutSummary);
      assert.equal((await issue()).body, `${openBody}\n${notChecked('unknown', 2)}`);
    });

    it('in place of all of its text when that was such a line', async () => {
      await putOpenIssue(notChecked(2, 9));
      await play(unknown);
      assert.equal((await issue()).body.trimStart(), notChecked(2, 1));
    });

    it('that the next red run takes away', async () => {
      await putOpenIssue();
      await playAll(unknown, red);
      assert.equal((await issue()).body, bodyOf(red, 2));
    });
  });

  for (const [name, run] of Object.entries({
    'reads too little': unknown,
    'writes no summary': withoutSummary,
  })) {
    it(`is not opened by a run that ${name}`, async () => {
      await playAll(run);
      assert.deepEqual((await repository()).changes, []);
    });

    it(`is not changed by a run that ${name} when it is closed`, async () => {
      await putOpenIssue();
      await play(green);
      const before = await repository();
      await play(run);
      assert.deepEqual(await repository(), before);
    });
  }

  describe('is not touched', () => {
    const without: Record<string, Run> = {
      'when the check was skipped': skipped,
      'when the check was cancelled': { ...green, result: 'cancelled' },
      'when the check was cancelled with a problem': { ...red, result: 'cancelled' },
      'when the check was cancelled without a summary': { ...withoutSummary, result: 'cancelled' },
      'when the job of the check was skipped': { ...withoutSummary, result: 'skipped' },
      'by a good run on another branch': { ...green, branch: 'shorter-list' },
      'by a red run on another branch': { ...red, branch: 'longer-list' },
      'by a run on another branch that could not read': { ...unknown, branch: 'longer-list' },
    };
    for (const [name, run] of Object.entries(without)) {
      it(name, async () => {
        await putOpenIssue();
        const before = await repository();
        await play(run);
        assert.deepEqual(await repository(), before);
      });
    }
  });

  it('stays open after a healthy run of one group, and is closed by one that reads all', async () => {
    const states: string[] = [];
    for (const run of [ofGroup(1), ofGroup(0), green]) {
      await play(run);
      states.push((await issue()).state);
    }
    assert.deepEqual(states, ['open', 'open', 'closed']);
  });

  it('goes through red, red, skip, unknown, green, and red as one issue', async () => {
    const states: string[] = [];
    for (const run of [red, red, skipped, unknown, green, red]) {
      await play(run);
      states.push((await issue()).state);
    }
    assert.deepEqual(states, ['open', 'open', 'open', 'open', 'closed', 'open']);
  });

  it('is the oldest one with the label', async () => {
    const other = { title: 'Mine', labels: [label], body: '', comments: [] };
    const issues = [
      { ...other, number: 3, state: 'open' as const },
      { ...other, number: 7, state: 'open' as const },
    ];
    await putRepository({ labels: [label], issues });
    await play(red);
    const bodies = (await repository()).issues.map(({ body }) => body);
    assert.deepEqual(bodies, [bodyOf(red, 1), '']);
  });

  it('is no pull request with the label', async () => {
    const pullRequest = { number: 3, title, labels: [label], state: 'open' as const };
    await putRepository({
      labels: [label],
      issues: [{ ...pullRequest, body: 'Mine', comments: [], pull_request: {} }],
    });
    await play(red);
    const bodies = (await repository()).issues.map(({ body }) => body);
    assert.deepEqual(bodies, ['Mine', bodyOf(red, 1)]);
  });

  it('is none without the label', async () => {
    const issues = [
      { number: 3, title, labels: [], state: 'open' as const, body: 'Mine', comments: [] },
    ];
    await putRepository({ issues });
    await play(red);
    assert.equal((await repository()).issues[0]!.body, 'Mine');
  });

  describe('in a repository that is', () => {
    it('internal is opened', async () => {
      await putRepository({ visibility: 'internal' });
      await play(red);
      assert.equal((await issue()).state, 'open');
    });

    it('public is not opened', async () => {
      await putRepository({ visibility: 'public' });
      await play(red);
      assert.deepEqual((await repository()).issues, []);
    });

    it('public makes no label', async () => {
      await putRepository({ visibility: 'public' });
      await play(red);
      assert.deepEqual((await repository()).labels, []);
    });

    it('public is said to be the reason', async () => {
      await putRepository({ visibility: 'public' });
      const printed = await play(red);
      assert.equal(printed, 'No issue: the repository is neither private nor internal.\n');
    });

    it('public is opened when the line is uncommented', async () => {
      await putRepository({ visibility: 'public' });
      await play(red, workflowScript.replace('# visibility=private', 'visibility=private'));
      assert.equal((await issue()).state, 'open');
    });
  });

  describe('with a hostile summary', () => {
    const hostile = [
      '$(touch "$RUNNER_TEMP/made") `touch "$RUNNER_TEMP/made"` %s %n \\n ${GH_TOKEN}',
      '"; touch "$RUNNER_TEMP/made"; \' EOF',
      verdict(0, 1, 1),
      '--title evil',
      '*',
    ].join('\n');
    const hostileRed: Run = { ...red, summary: `${verdict(1, 30, 30)}${hostile}` };
    const madeFile = () => readFile(join(folder, 'temp', 'made')).catch(() => 'none');

    it('has the text as it is', async () => {
      await play(hostileRed);
      assert.equal((await issue()).body, bodyOf(hostileRed, 1));
    });

    it('has the text as it is when a line is added', async () => {
      await playAll(hostileRed, unknown);
      assert.equal((await issue()).body, `${bodyOf(hostileRed, 1)}\n${notChecked(2, 2)}`);
    });

    it('runs nothing of the text', async () => {
      await play(hostileRed);
      assert.equal(await madeFile(), 'none');
    });

    it('runs nothing of the text when a line is added', async () => {
      await playAll(hostileRed, unknown);
      assert.equal(await madeFile(), 'none');
    });

    for (const field of ['exit', 'listed', 'read']) {
      it(`runs nothing of the value of ${field}`, async () => {
        const command = 'a[$(touch "$RUNNER_TEMP/made")]';
        const summary = verdict(0, 3, 3).replace(new RegExp(`${field}=\\d`), `${field}=${command}`);
        await putOpenIssue();
        await play({ result: 'success', summary });
        assert.equal(await madeFile(), 'none');
        assert.equal((await issue()).state, 'open');
      });
    }
  });
});

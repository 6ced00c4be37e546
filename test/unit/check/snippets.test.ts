import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environment } from '../../support/processes.js';
import { type CheckWorld, useCheck } from './run.js';
import {
  azurePipeline,
  bitbucketPipelines,
  githubWorkflow,
  gitlabJob,
  jenkinsfile,
  scriptOf,
  snippetText,
} from './snippetFiles.js';

const token = 'AUTOMATION_PLATFORM_TOKEN';
const junitPath = 'test-results/automation-platform.xml';

describe('the snippet for GitHub Actions', () => {
  const { jobs, on, permissions } = githubWorkflow();
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const [checkStep] = jobs.check.steps.filter(({ run }) => run !== undefined);
  const stepUsing = (action: string) => steps.find(({ uses }) => uses?.startsWith(action));

  it('runs on a schedule', () => assert.match(on.schedule[0]!.cron, /^\d+ \d+ \* \* 1-5$/));

  it('runs on pushes to main', () => assert.deepEqual(on.push, { branches: ['main'] }));

  it('runs by hand and for nothing else', () =>
    assert.deepEqual(Object.keys(on).toSorted(), ['push', 'schedule', 'workflow_dispatch']));

  it('may only read the repository', () => assert.deepEqual(permissions, { contents: 'read' }));

  it('gives no other permission to the job that has the token', () =>
    assert.equal(jobs.check.permissions, undefined));

  it('gives the token to one step', () => {
    const withToken = steps.filter((step) => JSON.stringify(step).includes(token));
    assert.deepEqual(withToken, [checkStep]);
  });

  it('uses no other secret', () => {
    const secrets = snippetText('github.yml').match(/secrets\.\w+/g);
    assert.deepEqual(secrets, [`secrets.${token}`]);
  });

  it('puts no value of an expression into a script', () => {
    for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/);
  });

  it('keeps the summary of a check that has failed', () =>
    assert.equal(stepUsing('actions/upload-artifact')!.if, 'always()'));

  it('keeps the summary that the check writes', () => {
    const { path } = stepUsing('actions/upload-artifact')!.with!;
    const [, written] = /--summary "([^"]*)"/.exec(checkStep!.run!)!;
    assert.equal(path, written!.replace('$RUNNER_TEMP', '${{ runner.temp }}'));
  });

  describe('has a second job that', () => {
    const { issue } = jobs;

    it('waits for the check', () => assert.equal(issue.needs, 'check'));

    it('runs also when the check has failed', () => assert.equal(issue.if, 'always()'));

    it('may write issues and nothing else', () =>
      assert.deepEqual(issue.permissions, { issues: 'write' }));

    it('is never cancelled for a newer one', () =>
      assert.deepEqual(issue.concurrency, { group: 'automation-platform-issue' }));

    it('runs nothing but its own script', () => {
      const actions = issue.steps.flatMap(({ uses = [] }) => uses);
      assert.deepEqual(
        actions.map((action) => action.split('@')[0]),
        ['actions/download-artifact'],
      );
    });

    it('runs without a summary, too', () =>
      assert.equal(stepUsing('actions/download-artifact')!['continue-on-error'], true));

    it('reads the artifact of the check', () =>
      assert.equal(
        stepUsing('actions/download-artifact')!.with!['name'],
        stepUsing('actions/upload-artifact')!.with!['name'],
      ));
  });
});

describe('the snippet for GitLab', () => {
  const { artifacts, rules } = gitlabJob();
  const conditions = rules.map((rule) => rule.if);

  it('runs on a schedule', () => assert.equal(conditions[0], '$CI_PIPELINE_SOURCE == "schedule"'));

  it('runs by hand', () => assert.equal(conditions[1], '$CI_PIPELINE_SOURCE == "web"'));

  it('runs on pushes to the default branch', () =>
    assert.equal(
      conditions[2],
      '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH',
    ));

  it('runs for nothing else', () => assert.equal(conditions.length, 3));

  it('reads nothing but the condition of a rule', () => {
    const keys = new Set(rules.flatMap((rule) => Object.keys(rule)));
    assert.deepEqual([...keys], ['if']);
  });

  it('keeps the report of a check that has failed', () => assert.equal(artifacts.when, 'always'));

  it('shows the report that the check writes', () =>
    assert.equal(artifacts.reports.junit, junitPath));
});

describe('the snippet for Azure Pipelines', () => {
  const pipeline = azurePipeline();
  const [job] = pipeline.jobs;
  const [checkStep] = job.steps.filter(({ script }) => script !== undefined);
  const publish = job.steps.find(({ task }) => task === 'PublishTestResults@2')!;
  const onMain = { include: ['main'] };

  it('runs on pushes to main', () => assert.deepEqual(pipeline.trigger, { branches: onMain }));

  it('runs on a schedule', () => assert.match(pipeline.schedules[0]!.cron, /^\d+ \d+ \* \* 1-5$/));

  it('runs on a schedule for main', () =>
    assert.deepEqual(pipeline.schedules[0]!.branches, onMain));

  it('runs on a schedule when no file has changed', () =>
    assert.equal(pipeline.schedules[0]!.always, true));

  it('does not run for pull requests of GitHub and Bitbucket', () =>
    assert.equal(pipeline.pr, 'none'));

  it('does not run for pull requests of Azure Repos', () =>
    assert.equal(job.condition, "and(succeeded(), ne(variables['Build.Reason'], 'PullRequest'))"));

  it('gives the token to one step', () => {
    const withToken = job.steps.filter((step) => JSON.stringify(step).includes(token));
    assert.deepEqual(withToken, [checkStep]);
  });

  it('leaves no token of the repository in the checkout', () => {
    const checkout = job.steps.find((step) => step.checkout !== undefined)!;
    assert.equal(checkout.persistCredentials, false);
  });

  it('names the token outside of that step in a comment only', () => {
    const code = snippetText('azure.yml').replaceAll(/#.*/g, '');
    assert.deepEqual(code.match(/AUTOMATION_PLATFORM_TOKEN.*/g), [`${token}: $(${token})`]);
  });

  it('shows the report of a check that has failed', () =>
    assert.equal(publish.condition, 'succeededOrFailed()'));

  it('shows the report that the check writes', () =>
    assert.equal(publish.inputs!['testResultsFiles'], junitPath));
});

describe('the snippet for Bitbucket', () => {
  const pipelines = bitbucketPipelines();

  it('runs on pushes to main', () => assert.deepEqual(Object.keys(pipelines.branches), ['main']));

  it('runs on a schedule and by hand', () =>
    assert.deepEqual(Object.keys(pipelines.custom), ['automation-platform']));

  it('runs for nothing else', () =>
    assert.deepEqual(Object.keys(pipelines).toSorted(), ['branches', 'custom']));

  it('runs the same on a push and on a schedule', () =>
    assert.deepEqual(pipelines.branches['main'], pipelines.custom['automation-platform']));

  it('does not contain the token', () => {
    const code = snippetText('bitbucket.yml').replaceAll(/#.*/g, '');
    assert.doesNotMatch(code, /AUTOMATION_PLATFORM/);
  });
});

describe('the snippet for Jenkins', () => {
  const code = jenkinsfile().replaceAll(/\s+/g, ' ');

  it('runs on a schedule', () => assert.match(code, / triggers \{ cron\('H \d+ \* \* 1-5'\) \}/));

  it('does not run for pull requests', () =>
    assert.match(code, / when \{ beforeAgent true not \{ changeRequest\(\) \}/));

  it('runs on the branch main of a multibranch job, and in a job with one branch', () =>
    assert.match(
      code,
      / anyOf \{ branch 'main' expression \{ env\.BRANCH_NAME == null \} \} \} agent /,
    ));

  it('gives the token to one step', () => {
    assert.match(code, / withCredentials\(\[[^\]]*\]\) \{ sh '[^']*' \}/);
  });

  it('names the token in one place', () => assert.equal(code.split(token).length, 2));

  it('shows the report of a check that has failed', () =>
    assert.match(code, new RegExp(` post \\{ always \\{ junit '${junitPath}' \\} \\}`)));

  it('ends after a time', () => assert.match(code, / timeout\(time: 10, unit: 'MINUTES'\)/));
});

describe('the command for', function () {
  this.timeout(30_000);
  let world: CheckWorld;
  useCheck((started) => {
    world = started;
  });

  const systems: Record<
    string,
    { readonly commandFor: (file: string) => string; readonly written: string }
  > = {
    'GitHub Actions': {
      commandFor: (file) => scriptOf(githubWorkflow(file).jobs.check),
      written: 'temp/automation-platform/summary.md',
    },
    GitLab: { commandFor: (file) => gitlabJob(file).script[0]!, written: junitPath },
    'Azure Pipelines': {
      commandFor: (file) => azurePipeline(file).jobs[0].steps.find(({ script }) => script)!.script!,
      written: junitPath,
    },
    Bitbucket: {
      commandFor: (file) => bitbucketPipelines(file).branches['main']![0]!.step.script[0]!,
      written: junitPath,
    },
    Jenkins: {
      commandFor: (file) => / sh '([^']*)'/.exec(jenkinsfile(file))![1]!,
      written: junitPath,
    },
  };

  /** Runs a command as these systems do, in a repository whose list has one failing deployment. */
  const run = async (command: string, checkFile: string) => {
    const { env, program } = world;
    const target = join(program.folder, checkFile);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(program.file, target);
    const list = { 'automationPlatform.deployments': ['dep_ok', 'dep_failed'] };
    await program.write('.vscode/settings.json', list);

    const child = spawn('sh', ['-c', command], {
      cwd: program.folder,
      env: environment({
        ...env,
        PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
        RUNNER_TEMP: join(program.folder, 'temp'),
        GITHUB_STEP_SUMMARY: undefined,
        NO_PROXY: '*',
      }),
      timeout: 20_000,
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code, output: stdout + stderr };
  };

  for (const [system, { commandFor, written }] of Object.entries(systems)) {
    for (const [where, path, checkFile] of [
      ['tools', './tools/automation-platform-check.mjs', 'tools/automation-platform-check.mjs'],
      [
        'my tools',
        '"./my tools/automation-platform-check.mjs"',
        'my tools/automation-platform-check.mjs',
      ],
    ] as const) {
      const runIt = () => run(commandFor(path), checkFile);

      it(`${system} fails for a failing deployment with the check in ${where}`, async function () {
        // These systems run it in a shell of Linux.
        if (process.platform === 'win32') return this.skip();
        const { code, output } = await runIt();
        assert.equal(code, 1, output);
        assert.match(output, /dep_failed: Ops Slack failed/);
      });

      it(`${system} writes its report with the check in ${where}`, async function () {
        if (process.platform === 'win32') return this.skip();
        await runIt();
        const report = await readFile(join(world.program.folder, written), 'utf8');
        assert.match(
          report,
          /^<!-- automation-platform-check exit=1 listed=2 read=2 -->\n|<testsuites? .*\bfailures="1"/,
        );
      });
    }
  }
});

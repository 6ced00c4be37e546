import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { type Fault, faults } from '../../support/platform/faults.js';
import { page } from '../../support/platform/onTheWay.js';
import { type Platform, startPlatform } from '../../support/platform/platform.js';
import { outcomesOf, readJunit } from './junitReport.js';
import { type CheckProgram, useCheck } from './run.js';

const idsOf = (count: number) => Array.from({ length: count }, (_, nth) => `dep_${nth + 1}`);
const withIds = (ids: readonly string[]) => ids.flatMap((id) => ['--id', id]);
const linesOf = (stdout: string) => stdout.trimEnd().split('\n');

interface Cause {
  readonly fault?: Fault;
  readonly baseUrl?: string;
  /** Whether no server listens at the base URL. */
  readonly isStopped?: boolean;
  /** In seconds. */
  readonly timeout?: number;
  /** How the line begins. */
  readonly words: RegExp;
}

const causes: Readonly<Record<string, Cause>> = {
  'a rejected token': { fault: faults.status(401), words: /^Token rejected \(401\)\. / },
  'an unknown host': {
    baseUrl: 'https://platform.test.example/api/v1',
    words: /^Unreachable \(DNS\)\. platform\.test\.example/,
  },
  'a refused connection': { isStopped: true, words: /^Unreachable \(connection refused\)\. / },
  'a server error for all': { fault: faults.status(503), words: /^Server error \(503\)\. / },
  'a redirect for all': { fault: faults.redirect('/login'), words: /^Redirected \(302\)/ },
  'a web filter': { fault: page(403, 'Blocked'), words: /^Not from the platform \(403\)\. / },
  'a pause that is too long': {
    fault: faults.retryAfter(600),
    words: /^Rate limited \(429\)\. .*--timeout\./,
  },
  'the end of the time': {
    fault: faults.silent(),
    timeout: 1,
    words: /^Timed out\. .*--timeout\./,
  },
};

describe('a cause that all deployments share', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const check = (...args: string[]) => program.run(args, env);

  useCheck((world) => {
    ({ program, platform, env } = world);
  });

  /** Checks so many deployments that all fail for this cause. */
  async function checkAll(
    { fault, baseUrl, isStopped, timeout = 20 }: Cause,
    count: number,
    format = 'text',
  ) {
    if (fault) platform.fault('all', fault);
    if (baseUrl) env['AUTOMATION_PLATFORM_BASE_URL'] = baseUrl;
    if (isStopped) env['AUTOMATION_PLATFORM_BASE_URL'] = await stoppedBaseUrl();
    const options = ['--timeout', String(timeout), '--format', format];
    const { end, stdout } = await check(...withIds(idsOf(count)), ...options);
    return { end, lines: linesOf(stdout) };
  }

  async function stoppedBaseUrl(): Promise<string> {
    const stopped = await startPlatform();
    await stopped.stop();
    return stopped.baseUrl;
  }

  for (const [name, cause] of Object.entries(causes)) {
    it(`is one line of text for ${name}`, async () => {
      const { end, lines } = await checkAll(cause, 3);
      const [line, counts, ...others] = lines;
      assert.match(line ?? '', cause.words);
      assert.match(line ?? '', /\. 3 deployments were not read\.$/);
      assert.equal(counts, '3 unknown (exit 2)');
      assert.deepEqual(others, []);
      assert.equal(end, 2);
    });

    it(`is one annotation for ${name}`, async () => {
      const { lines } = await checkAll(cause, 2, 'github');
      const [annotation, counts, ...others] = lines;
      const [, level, line] = /^::(\w+)::(.*)$/.exec(annotation ?? '') ?? [];
      assert.equal(level, 'warning');
      assert.match(line ?? '', cause.words);
      assert.match(line ?? '', /\. 2 deployments were not read\.$/);
      assert.equal(counts, '2 unknown (exit 2)');
      assert.deepEqual(others, []);
    });

    it(`is in the line of one deployment for ${name}`, async () => {
      const { lines } = await checkAll(cause, 1);
      const [line, counts, ...others] = lines;
      assert.match(line ?? '', /^dep_1: /);
      assert.match((line ?? '').replace('dep_1: ', ''), cause.words);
      assert.doesNotMatch(line ?? '', /not read/);
      assert.equal(counts, '1 unknown (exit 2)');
      assert.deepEqual(others, []);
    });
  }

  it('is one line for 200 deployments', async () => {
    const { lines } = await checkAll(causes['a refused connection']!, 200);
    const [line, counts] = lines;
    assert.match(line ?? '', / 200 deployments were not read\.$/);
    assert.equal(counts, '200 unknown (exit 2)');
  });

  it('leaves the lines of deployments that were read before', async () => {
    for (const id of ['dep_1', 'dep_2'])
      platform.fault({ id }, { ...faults.status(401), latency: 500 });
    const ids = ['dep_ok', 'dep_1', 'dep_failed', 'dep_2', 'dep_gone'];
    const { end, stdout } = await check(...withIds(ids));
    const [shared, ...lines] = linesOf(stdout);
    assert.match(shared ?? '', /^Token rejected \(401\)\. .* 2 deployments were not read\.$/);
    const beginnings = lines.map((line) => line.split('. ', 1)[0]);
    assert.deepEqual(beginnings, [
      'dep_failed: Ops Slack failed (token_revoked)',
      'dep_gone: Not found (404)',
      '1 failing, 3 unknown, 1 healthy (exit 1)',
    ]);
    assert.equal(end, 1);
  });

  it('is the time of the run when others were read before', async () => {
    for (const id of ['dep_1', 'dep_2']) platform.fault({ id }, faults.silent());
    const { stdout } = await check(...withIds(['dep_ok', 'dep_1', 'dep_2']), '--timeout', '1');
    assert.equal(
      linesOf(stdout)[0],
      'Timed out. The time of the whole run was up after 1 sec. Allow more time with --timeout. 2 deployments were not read.',
    );
  });

  it('is a line of one deployment after the others were read', async () => {
    platform.fault({ id: 'dep_1' }, { ...faults.status(401), latency: 500 });
    const { stdout } = await check(...withIds(['dep_ok', 'dep_1']));
    assert.match(stdout, /^dep_1: Token rejected \(401\)\. /);
  });

  it('is an error in each test case of the JUnit file', async () => {
    platform.fault('all', faults.status(401));
    await check(...withIds(idsOf(3)), '--junit', 'junit.xml');
    const report = await readJunit(join(program.folder, 'junit.xml'));
    assert.equal(outcomesOf(report), 'error, error, error');
    for (const { text } of report.cases) assert.match(text, /Token rejected \(401\)\./);
  });

  it('is the error of the whole run in JSON', async () => {
    platform.fault('all', faults.status(401));
    const { stdout } = await check(...withIds(idsOf(3)), '--format', 'json');
    const { error }: { error: string } = JSON.parse(stdout);
    assert.match(error, /^Token rejected \(401\)\. /);
  });

  it('is none for three deployments that are not found', async () => {
    const { stdout } = await check(...withIds(idsOf(3)));
    const beginnings = linesOf(stdout).map((line) => line.split('. ', 1)[0]);
    assert.deepEqual(beginnings, [
      'dep_1: Not found (404)',
      'dep_2: Not found (404)',
      'dep_3: Not found (404)',
      '3 unknown (exit 2)',
    ]);
  });

  it('is none for server errors beside a healthy deployment', async () => {
    for (const id of idsOf(2)) platform.fault({ id }, faults.status(503));
    const { stdout } = await check(...withIds([...idsOf(2), 'dep_ok']));
    const beginnings = linesOf(stdout).map((line) => line.split('. ', 1)[0]);
    assert.deepEqual(beginnings, [
      'dep_1: Server error (503)',
      'dep_2: Server error (503)',
      '2 unknown, 1 healthy (exit 2)',
    ]);
  });
});

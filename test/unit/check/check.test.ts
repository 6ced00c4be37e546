import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { account, authorization, requirement, unsatisfied } from '../../support/platform/data.js';
import { type Fault, faults } from '../../support/platform/faults.js';
import { onTheWay, page } from '../../support/platform/onTheWay.js';
import { type Platform, startPlatform } from '../../support/platform/platform.js';
import { encoders, shows, tokens } from '../../support/spellings.js';
import { type CheckProgram, preload, useCheck } from './run.js';

/** The deployments called "Nightly sync" as a text names them, with an ID where there is one. */
function namesIn(text: string) {
  return text.match(/Nightly sync(?: \(`?\w+`?\))?/g);
}

describe('the check', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const check = (...args: string[]) => program.run(args, env);
  const requestedMethods = () => platform.requests.map(({ method }) => method);
  const requestedIds = () => platform.requests.map(({ route }) => route.id);

  useCheck((world) => {
    ({ program, platform, env } = world);
    platform.putDeployment('dep_unsatisfied', unsatisfied());
  });

  const read: Record<string, readonly [args: string, end: number, stdout: RegExp]> = {
    '0 when every listed deployment is healthy': ['--id dep_ok', 0, /^1 healthy \(exit 0\)\n$/],
    '1 for a failed account': [
      '--id dep_failed',
      1,
      /^dep_failed: .* Reconnect Ops Slack\.\n1 failing \(exit 1\)\n$/,
    ],
    '1 for a requirement that is not satisfied': [
      '--id dep_ok --id dep_unsatisfied',
      1,
      /\n1 failing, 1 healthy \(exit 1\)\n$/,
    ],
    '0 for an unsatisfied requirement when only failed accounts count': [
      '--id dep_unsatisfied --fail-on failed',
      0,
      /\n1 failing \(exit 0\)\n$/,
    ],
    '2 for a requirement of unknown state': [
      '--id dep_unknown',
      2,
      /^dep_unknown: other \(slack\): the platform does not say whether it is satisfied\. Look in the dashboard\.\n1 unknown \(exit 2\)\n$/,
    ],
    '1 for an unknown state beside a problem that counts': [
      '--id dep_both',
      1,
      /\n1 failing \(exit 1\)\n$/,
    ],
    '2 for a field that could not be read': [
      '--id dep_unreadable',
      2,
      /^dep_unreadable: 1 field unreadable: accounts\. Look in the dashboard\.\n/,
    ],
    '1 for an account that failed without a reason': [
      '--id dep_silent',
      1,
      /^dep_silent: Ops Slack failed, and the platform gave no reason\. Reconnect Ops Slack\.\n/,
    ],
    '2 for an unknown state beside a problem that does not count': [
      '--id dep_both --fail-on failed',
      2,
      /./,
    ],
  };
  for (const [name, [args, end, stdout]] of Object.entries(read)) {
    it(`exits with ${name}`, async () => {
      const unknown = requirement({ satisfied: undefined, binding: 'other' });
      platform.putDeployment('dep_unknown', authorization([account()], [unknown]));
      platform.putDeployment('dep_silent', authorization([account({ error: {} })], []));
      platform.fault({ id: 'dep_unreadable' }, faults.json({ accounts: 1, requirements: [] }));
      platform.putDeployment(
        'dep_both',
        authorization([account()], [unknown, requirement({ satisfied: false })]),
      );
      const ran = await check(...args.split(' '));
      assert.equal(ran.end, end);
      assert.equal(ran.stderr, '');
      assert.match(ran.stdout, stdout);
      assert.deepEqual([...new Set(requestedMethods())], ['GET']);
    });
  }

  const unread: Record<string, readonly [Fault, RegExp]> = {
    '401': [
      faults.status(401),
      /Token rejected \(401\)\..*Check the token in AUTOMATION_PLATFORM_TOKEN\./,
    ],
    '404': [faults.status(404), /Not found \(404\)\..*Check the ID/],
    'a redirect, which is not followed': [
      faults.redirect('/api/v1/deployments/dep_1/authorization'),
      /Redirected/,
    ],
    'accounts that are no list': [
      faults.json({ accounts: 1, requirements: [] }),
      /1 field unreadable/,
    ],
    'an answer that breaks HTTP': [
      faults.raw('220 smtp.example\r\n'),
      /rules of HTTP \(HPE_\w+\)\. Report this/,
    ],
    'no answer in time': [faults.silent(), /Timed out\..*--timeout/],
    'a pause that is longer than the time': [
      faults.retryAfter(60),
      /Rate limited \(429\)\. Requests resume at .*--timeout/,
    ],
  };
  for (const [name, [fault, words]] of Object.entries(unread)) {
    it(`exits with 2 for ${name} beside a healthy deployment`, async () => {
      platform.fault({ id: 'dep_bad' }, fault);
      const ran = await check('--id', 'dep_bad', '--id', 'dep_ok', '--timeout', '1');
      const unlistedIds = requestedIds().filter((id) => id !== 'dep_bad' && id !== 'dep_ok');
      assert.equal(ran.end, 2);
      assert.equal(ran.stderr, '');
      assert.match(ran.stdout, words);
      assert.deepEqual(unlistedIds, []);
    });
  }

  it('exits with 2 when an entry of the list is unreadable', async () => {
    await program.write('.vscode/settings.json', {
      'automationPlatform.deployments': ['dep_ok', { name: 'dep_2' }],
    });
    const ran = await check();
    assert.equal(ran.end, 2);
    assert.equal(ran.stdout, '1 healthy, the list was not read completely (exit 2)\n');
    assert.match(ran.stderr, /^\.vscode\/settings\.json:4:5: This is neither an ID nor/);
  });

  it('exits with 3 when there is no list', async () => {
    const { end, stderr } = await check();
    assert.equal(end, 3);
    assert.match(stderr, /^Nothing to check/);
  });

  const unconfigured: Record<
    string,
    readonly [args: string, variables: Record<string, string | undefined>]
  > = {
    'the settings hold no list': ['', {}],
    'the file of --list is empty': ['--list empty.txt', {}],
    'the file of --list is missing': ['--list missing.txt', {}],
    'no base URL is set': ['--id dep_ok', { AUTOMATION_PLATFORM_BASE_URL: undefined }],
    'no token is set': ['--id dep_ok', { AUTOMATION_PLATFORM_TOKEN: undefined }],
    'the token is empty': ['--id dep_ok', { AUTOMATION_PLATFORM_TOKEN: '' }],
    'the base URL is http': [
      '--id dep_ok',
      { AUTOMATION_PLATFORM_BASE_URL: 'http://host.example/api/v1' },
    ],
  };
  for (const [name, [args, variables]] of Object.entries(unconfigured)) {
    it(`exits with 3 when ${name}`, async () => {
      await program.write('empty.txt', '\n');
      await program.write('.vscode/settings.json', '// none yet\n');
      const { end, stdout } = await program.run(args.split(' ').filter(Boolean), {
        ...env,
        ...variables,
      });
      assert.equal(end, 3);
      assert.equal(stdout, '');
      assert.deepEqual(requestedIds(), []);
    });
  }

  for (const [variable, advice] of [
    [
      'AUTOMATION_PLATFORM_TOKEN',
      / For runs that get no secrets \(forks\), add --without-token skip\.$/,
    ],
    ['AUTOMATION_PLATFORM_BASE_URL', / Set it for this step\.$/],
  ] as const) {
    it(`says that ${variable} is not set, and what to do`, async () => {
      env[variable] = '';
      const { stderr } = await check('--id', 'dep_ok');
      const isNamed = stderr.startsWith(
        `Not configured: ${variable} is not set. Set it for this step.`,
      );
      assert.equal(isNamed, true, stderr);
      assert.match(stderr.trimEnd(), advice);
    });
  }

  it('says that Node sends nothing to a port that fetch blocks', async () => {
    env['AUTOMATION_PLATFORM_BASE_URL'] = 'http://127.0.0.1:9/api/v1';
    const { end, stdout } = await check('--id', 'dep_ok');
    assert.equal(end, 2);
    assert.match(
      stdout,
      /^dep_ok: Unreachable\. 127\.0\.0\.1:9: no connection \(ERR_BLOCKED_PORT\)\. Node sends nothing to this port\. Check the port/,
    );
  });

  it('names both variables when neither is set', async () => {
    const { stderr } = await program.run(['--id', 'dep_ok'], {});
    assert.match(
      stderr,
      /^Not configured: AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL are not set\./,
    );
  });

  for (const [name, token] of Object.entries({
    'an empty token': '',
    'the token $(VARIABLE)': '$(AUTOMATION_PLATFORM_TOKEN)',
    'the token "$TOKEN"': '"$TOKEN"',
    'the token ${{ secrets.TOKEN }}': 'Bearer ${{ secrets.TOKEN }}',
    'the token <token>': '<token>',
  })) {
    const skipped = 'Skipped: no token. Nothing was checked.';
    const args = ['--id', 'dep_ok', '--without-token', 'skip', '--format'];

    it(`exits with 0 for ${name} when --without-token is skip`, async () => {
      env['AUTOMATION_PLATFORM_TOKEN'] = token;
      // Without a list, too.
      const { end, stdout, stderr } = await check('--without-token', 'skip');
      assert.equal(end, 0);
      assert.equal(stdout, `${skipped}\n`);
      assert.equal(stderr, '');
      assert.deepEqual(requestedIds(), []);
    });

    it(`writes an error as JSON for ${name} when --without-token is skip`, async () => {
      env['AUTOMATION_PLATFORM_TOKEN'] = token;
      const { end, stdout } = await check(...args, 'json');
      assert.equal(end, 0);
      assert.equal(JSON.parse(stdout).error, skipped);
      assert.deepEqual(requestedIds(), []);
    });
  }

  it('exits with 3 for a placeholder in the token', async () => {
    env['AUTOMATION_PLATFORM_TOKEN'] = '$(PLATFORM_TOKEN)';
    const ran = await check('--id', 'dep_ok');
    assert.equal(ran.end, 3);
    assert.equal(ran.stdout, '');
    assert.deepEqual(requestedIds(), []);
    assert.match(
      ran.stderr,
      /: AUTOMATION_PLATFORM_TOKEN holds a placeholder that was not filled in\./,
    );
    assert.match(
      ran.stderr,
      /For runs that get no secrets \(forks\), add --without-token skip\.\n$/,
    );
    assert.doesNotMatch(ran.stderr, /PLATFORM_TOKEN\)/);
  });

  it('exits with 3 for a placeholder in the base URL', async () => {
    env['AUTOMATION_PLATFORM_BASE_URL'] = '$(BASE_URL)';
    const ran = await check('--id', 'dep_ok', '--without-token', 'skip');
    assert.equal(ran.end, 3);
    assert.equal(ran.stdout, '');
    assert.match(
      ran.stderr,
      /: AUTOMATION_PLATFORM_BASE_URL holds a placeholder that was not filled in\./,
    );
    assert.doesNotMatch(ran.stderr, /--without-token/);
  });

  const impossibleToken = '"Bearer tök-1234-5678"';

  it('names the character that no token can have', async () => {
    env['AUTOMATION_PLATFORM_TOKEN'] = impossibleToken;
    const ran = await check('--id', 'dep_ok');
    assert.equal(ran.end, 3);
    assert.equal(ran.stdout, '');
    assert.deepEqual(requestedIds(), []);
    assert.match(ran.stderr, /: the token contains “ö” \(U\+00F6\), which no token can have\./);
    assert.doesNotMatch(ran.stderr, /1234-5678/);
  });

  it('does not repeat a token with an impossible character that is an argument', async () => {
    env['AUTOMATION_PLATFORM_TOKEN'] = impossibleToken;
    const { stderr } = await check('--format', impossibleToken);
    assert.doesNotMatch(stderr, /1234-5678/);
  });

  const groupProblem = '--group takes the name of a group, of 1 to 60 characters.';
  const wrongArguments: Readonly<Record<string, readonly [args: readonly string[], why: string]>> =
    {
      'another kind of problem': [['--fail-on', 'all'], '--fail-on takes not-satisfied or failed.'],
      'another format': [['--format', 'xml'], '--format takes text, json, or github.'],
      'no time': [['--timeout', '0'], '--timeout takes 1 to 99999 seconds.'],
      'half a second': [['--timeout', '1.5'], '--timeout takes 1 to 99999 seconds.'],
      'another value of --without-token': [
        ['--without-token', 'fail'],
        '--without-token takes skip.',
      ],
      'an empty value of --without-token': [['--without-token', ''], '--without-token takes skip.'],
      'an empty ID': [['--id', ''], '--id takes the ID of a deployment.'],
      'a blank ID': [['--id', ' '], '--id takes the ID of a deployment.'],
      'an empty group': [['--group', ''], groupProblem],
      'a group that nobody can see': [['--group', ' \u200b'], groupProblem],
      'a group of 61 characters': [['--group', 'x'.repeat(61)], groupProblem],
      'a missing group': [['--group'], '--group takes a value.'],
      'an empty list': [['--list', ''], '--list takes the name of a file.'],
      'an unknown option': [['--nothing', 'dep_ok'], 'There is no option --nothing.'],
      'an unknown short option': [['-x'], 'There is no option -x.'],
      'the name of a method of objects': [['--toString'], 'There is no option --toString.'],
      'an argument without an option': [['dep_failed'], 'Unexpected argument: “dep_failed”.'],
      'an argument after --': [['--', '--id'], 'Unexpected argument: “--id”.'],
      'an empty argument': [[''], 'Unexpected argument: “”.'],
      'a missing value at the end': [['--junit'], '--junit takes a value.'],
      'a missing value before an option': [
        ['--list', '--junit', 'junit.xml'],
        '--list takes a value. One that begins with a dash is written as --list=-x.',
      ],
      'a value of an option without one': [['--version=1'], '--version takes no value.'],
      'two formats': [['--format', 'text', '--format', 'json'], '--format can be given once.'],
      'two JUnit files': [['--junit', 'a', '--junit=b'], '--junit can be given once.'],
    };
  for (const [name, [args, why]] of Object.entries(wrongArguments)) {
    it(`exits with 64 for ${name}`, async () => {
      const { end, stdout, stderr } = await check('--id', 'dep_ok', ...args);
      const [firstLine] = stderr.split('\n');
      assert.equal(firstLine, why);
      assert.match(stderr, /\n\nnode automation-platform-check\.mjs \[--list FILE\]/);
      assert.equal(end, 64);
      assert.equal(stdout, '');
      assert.deepEqual(platform.requests, []);
    });
  }

  it('reads an ID that begins with a dash', async () => {
    await check('--id=-x');
    assert.deepEqual(requestedIds(), ['-x']);
  });

  it('removes the white space around an ID', async () => {
    await check('--id', ' dep_ok\n');
    assert.deepEqual(requestedIds(), ['dep_ok']);
  });

  for (const option of ['--help', '-h']) {
    it(`prints how it is used with ${option}`, async () => {
      const { end, stdout } = await program.run([option]);
      assert.equal(end, 0);
      assert.match(stdout, /\n\nnode automation-platform-check\.mjs \[--list FILE\]/);
    });
  }

  it('prints how it is used in lines of at most 80 characters', async () => {
    const { stdout } = await program.run(['--help']);
    const longLines = stdout.split('\n').filter((line) => line.length > 80);
    assert.deepEqual(longLines, []);
  });

  it('says with --help that 1 comes before 2', async () => {
    const { stdout } = await program.run(['--help']);
    assert.match(stdout, /\n 1 {2}at least one problem that counts; it comes before 2\n/);
  });

  it('prints its version with --version', async () => {
    const { version }: { version: string } = JSON.parse(await readFile('package.json', 'utf8'));
    const { end, stdout } = await program.run(['--version']);
    assert.equal(end, 0);
    assert.equal(stdout, `${version}\n`);
  });

  it('exits with 3 when NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const { end, stderr } = await check('--id', 'dep_ok');
    assert.match(
      stderr,
      /^NODE_TLS_REJECT_UNAUTHORIZED is 0, .* Unset it\. .* NODE_EXTRA_CA_CERTS/,
    );
    assert.equal(end, 3);
    assert.deepEqual(requestedIds(), []);
  });

  it('runs when NODE_TLS_REJECT_UNAUTHORIZED is 1', async () => {
    env['NODE_TLS_REJECT_UNAUTHORIZED'] = '1';
    const { end } = await check('--id', 'dep_ok');
    assert.equal(end, 0);
  });

  it('exits with 64 for a Node that is too old', async () => {
    // Node has this function since version 20.
    const old = `delete Array.prototype.toSorted; Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.2.0' } });`;
    const ran = await program.run(['--id', 'dep_ok'], { ...env, ...preload(old) });
    assert.equal(ran.stderr, 'This is Node 20.2.0. Use Node 20.3 or newer.\n');
    assert.equal(ran.end, 64);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends without output after ${signal}`, async () => {
      platform.fault('all', faults.silent());
      const child = program.start(['--id', 'dep_ok'], env);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data) => {
          output += String(data);
        });
      }
      await platform.waitForRequests(1, {}, 20_000);
      child.kill(signal);
      const [, endSignal] = await once(child, 'close');
      assert.equal(endSignal, signal);
      assert.equal(output, '');
    });
  }

  it('removes quotes and "Bearer" from a token', async () => {
    const token = env['AUTOMATION_PLATFORM_TOKEN'] ?? '';
    env['AUTOMATION_PLATFORM_TOKEN'] = `\ufeff"Bearer ${token}"`;
    const ran = await check('--id', 'dep_ok');
    assert.equal(ran.end, 0);
    assert.equal(ran.stdout, '1 healthy (exit 0)\n');
    assert.equal(platform.requests[0]?.headers.authorization, `Bearer ${token}`);
  });

  it('sends a request again after the pause of a 429', async () => {
    platform.fault({ id: 'dep_ok' }, { ...faults.retryAfter(1), times: 4 });
    assert.equal((await check('--id', 'dep_ok', '--timeout', '30')).stdout, '1 healthy (exit 0)\n');
    assert.equal(platform.requests.length, 5);
  });

  it('sends nothing more after a 401', async () => {
    platform.fault('all', faults.status(401));
    await program.write(
      'list.txt',
      Array.from({ length: 100 }, (_, nth) => `dep_${nth}`).join('\n'),
    );
    const ran = await check('--list', 'list.txt');
    assert.equal(ran.end, 2);
    assert.ok(platform.requests.length <= 16, `${platform.requests.length} requests`);
  });

  const settings =
    '{\n  // ours\n  "automationPlatform.deployments": [\n    "dep_failed", { "id": "dep_ok", "label": "Fine" },\n  ],\n}\n';

  it('names where each failing deployment stands in the settings', async () => {
    await program.write('.vscode/settings.json', settings);
    await program.write('b.code-workspace', {
      settings: {
        'automationPlatform.deployments': [
          { id: 'dep_failed', label: 'Billing' },
          'dep_unsatisfied',
        ],
      },
    });
    const { end, stdout } = await check();
    assert.equal(end, 1);
    assert.deepEqual(stdout.split('\n'), [
      '.vscode/settings.json:4:5: Billing: Ops Slack failed (token_revoked). Reconnect Ops Slack.',
      'b.code-workspace:8:7: dep_unsatisfied: notifier (slack) is not satisfied. Reconnect Ops Slack (slack). Or use an eligible account: Sales Slack.',
      '2 failing, 1 healthy (exit 1)',
      '',
    ]);
  });

  it('adds the ID to a label that deployments share', async () => {
    const label = 'Nightly sync';
    await program.write('.vscode/settings.json', {
      'automationPlatform.deployments': ['dep_failed', 'dep_unsatisfied', 'dep_ok'].map((id) => ({
        id,
        label,
      })),
    });
    const summary = join(program.folder, 'summary.md');
    const { stdout } = await check();
    const github = await program.run(['--format', 'github'], {
      ...env,
      GITHUB_STEP_SUMMARY: summary,
    });
    const both = ['Nightly sync (dep_failed)', 'Nightly sync (dep_unsatisfied)'];
    assert.deepEqual(namesIn(stdout), both);
    assert.deepEqual(namesIn(github.stdout), both);
    assert.deepEqual(namesIn(await readFile(summary, 'utf8')), both);
  });

  it('reads a file of settings with --list', async () => {
    await program.write('other.txt', `\uFEFF${settings}`);
    const { stdout } = await check('--list', 'other.txt');
    assert.match(stdout, /^other\.txt:4:5: dep_failed: Ops/);
  });

  const fileOfIds = 'dep_ok\r\n\r\n  dep_failed \r\n';

  it('reads a file of IDs with --list', async () => {
    await program.write('ids', fileOfIds);
    const { stdout } = await check('--list', 'ids');
    assert.match(stdout, /^ids:3:3: dep_failed: Ops/);
  });

  it('adds the deployment of --id to the file of --list', async () => {
    await program.write('ids', fileOfIds);
    const { stdout } = await check('--list', 'ids', '--id', 'dep_unsatisfied');
    assert.match(stdout, /\n2 failing, 1 healthy \(exit 1\)\n$/);
  });

  it('reads the file of each --list', async () => {
    await program.write('a.txt', 'dep_failed\n');
    await program.write('b.txt', 'dep_ok\n');
    const { end, stdout } = await check('--list', 'a.txt', '--list', 'b.txt');
    assert.equal(end, 1);
    assert.match(stdout, /^a\.txt:1:1: dep_failed: .*\n1 failing, 1 healthy \(exit 1\)\n$/);
  });

  it('exits with 3 when the file of one --list is missing', async () => {
    await program.write('b.txt', 'dep_ok\n');
    const { end } = await check('--list', 'b.txt', '--list', 'missing.txt');
    assert.equal(end, 3);
  });

  const healthyOne = ['dep_ok'];
  const failedOne = ['dep_failed'];
  /** JSON texts, because an object would lose a key that stands twice. */
  const nested: Record<string, readonly [settings: string, id: string]> = {
    'a nested key': [`{"automationPlatform":{"deployments":["dep_ok"]}}`, 'dep_ok'],
    'a dotted key after a nested key': [
      JSON.stringify({
        automationPlatform: { deployments: healthyOne },
        'automationPlatform.deployments': failedOne,
      }),
      'dep_failed',
    ],
    'a nested key after a dotted key': [
      JSON.stringify({
        'automationPlatform.deployments': healthyOne,
        automationPlatform: { deployments: failedOne },
      }),
      'dep_failed',
    ],
    // VS Code puts the last nested key at the place of the first, before the dotted key.
    'a dotted key between two nested keys': [
      `{"automationPlatform":{},"automationPlatform.deployments":["dep_ok"],"automationPlatform":{"deployments":["dep_failed"]}}`,
      'dep_ok',
    ],
    'the last of two nested keys': [
      `{"automationPlatform":{"deployments":["dep_ok"]},"automationPlatform":{"deployments":["dep_failed"]}}`,
      'dep_failed',
    ],
  };
  for (const [name, [text, id]] of Object.entries(nested)) {
    it(`finds the list in ${name}, as VS Code does`, async () => {
      for (const [file, content] of Object.entries({
        '.vscode/settings.json': text,
        'a.code-workspace': `{"settings":${text}}`,
      })) {
        await program.write(file, content);
        const { end, stderr } = await check('--list', file);
        assert.equal(stderr, '', file);
        assert.equal(end, id === 'dep_ok' ? 0 : 1, file);
      }
    });
  }

  const lost: Record<string, object> = {
    'a dotted key before a section without the list': {
      'automationPlatform.deployments': healthyOne,
      automationPlatform: { hideHealthy: true },
    },
    'a dotted key after a section that is no object': {
      automationPlatform: 1,
      'automationPlatform.deployments': healthyOne,
    },
  };
  for (const [name, settingsOfFile] of Object.entries(lost)) {
    it(`finds no list in ${name}, like VS Code`, async () => {
      await program.write('.vscode/settings.json', settingsOfFile);
      const { end, stderr } = await check();
      assert.match(stderr, /^Nothing to check/);
      assert.equal(end, 3);
    });
  }

  it('names where a nested key holds no list', async () => {
    await program.write(
      '.vscode/settings.json',
      '{ "automationPlatform": { "deployments": "dep_ok" } }',
    );
    const { end, stderr } = await check();
    assert.match(
      stderr,
      /^\.vscode\/settings\.json:1:42: automationPlatform\.deployments is not a list\./,
    );
    assert.equal(end, 2);
  });

  it('names where settings are unreadable', async () => {
    await program.write(
      'a.code-workspace',
      '{ "settings": { "automationPlatform.deployments": {} } }',
    );
    await program.write('.vscode/settings.json', '{ "automationPlatform.deployments": ["dep_ok" }');
    const { end, stderr } = await check();
    assert.equal(end, 2);
    assert.deepEqual(stderr.split('\n'), [
      '.vscode/settings.json:1:47: This is not valid JSON, so entries may be missing.',
      'a.code-workspace:1:51: automationPlatform.deployments is not a list.',
      '',
    ]);
  });

  it('ignores a base URL that the repository holds', async () => {
    const other = await startPlatform();
    try {
      const list = {
        'automationPlatform.deployments': ['dep_ok'],
        'automationPlatform.baseUrl': other.baseUrl,
      };
      await program.write('.vscode/settings.json', list);
      await program.write('.env', `AUTOMATION_PLATFORM_BASE_URL=${other.baseUrl}\n`);
      const withBaseUrl = await check();
      const withoutBaseUrl = await program.run([], { AUTOMATION_PLATFORM_TOKEN: platform.token });
      assert.equal(withBaseUrl.end, 0);
      assert.equal(withoutBaseUrl.end, 3);
      assert.deepEqual(other.requests, []);
    } finally {
      await other.stop();
    }
  });

  it('hides a token that an answer repeats in any encoding', async () => {
    for (const [token, encode] of fc.sample(fc.tuple(tokens, encoders), 4)) {
      const text = `Bearer ${encode(token)}`;
      // A search in the text of the answer does not find a token with one JSON escape.
      const escaped = token.replace(
        /^./,
        (first) => `\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const leaking = authorization(
        [account({ id: '@@', label: text, error: { code: text, message: text } })],
        [],
      );
      const body = JSON.stringify(leaking).replaceAll('@@', () => escaped);
      platform.fault('all', { status: 200, body });
      const checkAs = async (format: string) => {
        const files = ['md', 'xml', 'summary.md'].map((ending) => `${format}.${ending}`);
        await program.write(files[0]!, '');
        const more = { AUTOMATION_PLATFORM_TOKEN: token, GITHUB_STEP_SUMMARY: files[0] };
        const args = ['--id', 'dep_1', '--format', format, '--junit', files[1]!];
        const ran = await program.run([...args, '--summary', files[2]!], { ...env, ...more });
        const written = await Promise.all(
          files.map((file) => readFile(join(program.folder, file), 'utf8')),
        );
        const all = [ran.stdout, ran.stderr, ...written].join('\n');
        const isTokenShown = shows(all, token);
        assert.equal(ran.end, 1, all);
        assert.equal(isTokenShown, false, `${format} shows the token: ${all}\n${body}`);
      };
      await Promise.all(['text', 'json', 'github'].map(checkAs));
    }
  });

  for (const dashes of ['', '--']) {
    it(`does not repeat a token that is an argument (${dashes}TOKEN)`, async () => {
      const { end, stderr } = await check(`${dashes}${platform.token}`);
      assert.equal(end, 64);
      assert.doesNotMatch(stderr, new RegExp(platform.token));
    });
  }

  for (const format of ['text', 'json', 'github']) {
    it(`hides a token that the list and an answer hold (${format})`, async () => {
      const { token } = platform;
      const list = [token, { id: 'dep_failed', label: `old ${token}` }];
      await program.write('.vscode/settings.json', { 'automationPlatform.deployments': list });
      const leaking = account({ label: `Key ${token}`, error: { code: token } });
      platform.putDeployment('dep_failed', authorization([leaking], []));

      env['GITHUB_STEP_SUMMARY'] = join(program.folder, 'summary.md');
      const ran = await check('--format', format);
      const summary = await readFile(env['GITHUB_STEP_SUMMARY'], 'utf8').catch(() => '');

      assert.equal(ran.end, 1);
      assert.doesNotMatch(ran.stdout + ran.stderr + summary, new RegExp(token));
      assert.deepEqual(requestedIds(), ['dep_failed']);
    });
  }

  for (const [name, fault, line] of [
    [
      'a web filter',
      page(403, 'Blocked'),
      'Not from the platform (403). A web filter or gateway probably sent this web page (“Blocked”). Ask your network administrator to let requests with a token through to the platform.',
    ],
    [
      'another web server',
      page(404, 'nginx'),
      'Not from the platform (404). Another web server probably sent this web page (“nginx”), so the base URL is probably wrong. Check AUTOMATION_PLATFORM_BASE_URL.',
    ],
    [
      'a sign-in page',
      faults.redirect('https://sso.example/start'),
      'Redirected (302). This is probably a sign-in page at sso.example in front of the platform. Ask your network administrator to let requests with a token through to the platform.',
    ],
    [
      'the platform that has moved',
      faults.redirect('https://new.example/api/v1/deployments/dep_ok/authorization', 308),
      'Redirected (308). The platform has probably moved to https://new.example/api/v1. Set AUTOMATION_PLATFORM_BASE_URL to its new base URL.',
    ],
    [
      'a sign-in on the same host',
      faults.redirect('/login'),
      'Redirected (302). It leads to /login. The token has probably expired, or a gateway wants a sign-in. Check the token in AUTOMATION_PLATFORM_TOKEN.',
    ],
    ['a proxy that nothing names', faults.status(407), 'Proxy authentication required (407). '],
    [
      'a gateway with Basic',
      onTheWay['a gateway with Basic (401)'].fault,
      'If the token is right, a gateway in front of the platform asks for its own sign-in (“Restricted”).',
    ],
  ] as const) {
    it(`names the probable sender of an answer: ${name}`, async () => {
      platform.fault('all', fault);
      const { end, stdout } = await check('--id', 'dep_ok');
      platform.clearFaults();
      const isSenderNamed = stdout.includes(line);
      assert.equal(end, 2);
      assert.equal(isSenderNamed, true, `expected: ${line}\nprinted: ${stdout}`);
    });
  }

  /** Checks three deployments as a workflow of GitHub, in a folder below the workspace. */
  async function checkOnGitHub() {
    await program.write('sub/list.txt', 'dep_unsatisfied\ndep_failed\ndep_gone\n');
    await program.write('summary.md', 'before\n');
    const summary = join(program.folder, 'summary.md');
    const more = { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: program.folder };
    const args = ['--list', 'list.txt', '--format', 'github', '--fail-on', 'failed'];
    const ran = await program.run(args, { ...env, ...more }, join(program.folder, 'sub'));
    return { ...ran, summary: await readFile(summary, 'utf8') };
  }

  it('annotates the list on GitHub, worst first', async () => {
    const { end, stdout } = await checkOnGitHub();
    assert.equal(end, 1);
    assert.deepEqual(stdout.split('\n'), [
      '::error file=sub/list.txt,line=2,col=1::dep_failed: Ops Slack failed (token_revoked). Reconnect Ops Slack.',
      '::warning file=sub/list.txt,line=1,col=1::dep_unsatisfied: notifier (slack) is not satisfied. Reconnect Ops Slack (slack). Or use an eligible account: Sales Slack. Not counted (--fail-on failed).',
      '::warning file=sub/list.txt,line=3,col=1::dep_gone: Not found (404). The deployment was probably deleted, or its ID belongs to another organization. Check the ID, AUTOMATION_PLATFORM_BASE_URL, and AUTOMATION_PLATFORM_TOKEN.',
      '2 failing, 1 unknown (exit 1)',
      '',
    ]);
  });

  it('appends the table of problems to the summary of GitHub', async () => {
    const { summary } = await checkOnGitHub();
    assert.deepEqual(summary.split('\n').slice(0, 6), [
      'before',
      '## Automation Platform: 2 failing, 1 unknown',
      '',
      '| What is wrong | Deployments | Next step |',
      '| --- | --- | --- |',
      '| Ops Slack failed · `token_revoked` | `dep_failed` | Reconnect Ops Slack. |',
    ]);
  });

  it('begins with its name and version', async () => {
    const code = await readFile(program.file, 'utf8');
    const { version }: { version: string } = JSON.parse(await readFile('package.json', 'utf8'));
    const beginning = `// Automation Platform check ${version}`;
    assert.equal(code.slice(0, beginning.length), beginning);
  });

  it('is a file of at most 301,000 bytes', async () => {
    const { size } = await stat(program.file);
    assert.ok(size <= 301_000, `${size} bytes`);
  });

  it('contains no code that revokes an API key', async () => {
    const code = await readFile(program.file, 'utf8');
    const revoking = code.match(/DELETE|api-keys/g);
    assert.equal(revoking, null);
  });

  it('contains no code of undici or vscode-l10n', async () => {
    const code = await readFile(program.file, 'utf8');
    const foreign = code.match(/undici\/|vscode-l10n|registry\./g);
    assert.equal(foreign, null);
  });

  it('keeps the copyright of the code that it contains', async () => {
    const code = await readFile(program.file, 'utf8');
    const copyright = code.match(/Copyright \(c\) Microsoft/)?.[0];
    assert.equal(copyright, 'Copyright (c) Microsoft');
  });

  it('imports only modules of Node', async () => {
    const code = await readFile(program.file, 'utf8');
    const imported = [...code.matchAll(/^import .*? from "([^"]+)";$/gm)].map(([, name]) => name!);
    const others = imported.filter((name) => !name.startsWith('node:'));
    assert.deepEqual(others, []);
  });
});

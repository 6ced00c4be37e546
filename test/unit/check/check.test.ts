import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import {
  account,
  authorization,
  failedAccount,
  requirement,
  unsatisfied,
} from '../../support/platform/data.js';
import { type Fault, faults } from '../../support/platform/faults.js';
import { onTheWay, page } from '../../support/platform/onTheWay.js';
import { type Platform, startPlatform } from '../../support/platform/platform.js';
import { encoders, shows, tokens } from '../../support/spellings.js';
import { type CheckProgram, preload, useCheck } from './run.js';

/** The name of a shared label, each time that it is written. */
function namesIn(text: string) {
  return text.match(/Nightly sync(?: \(`?\w+`?\))?/g);
}

describe('the check', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const check = (...args: string[]) => program.run(args, env);

  useCheck((world) => {
    ({ program, platform, env } = world);
    platform.putDeployment('dep_unsatisfied', unsatisfied());
  });

  describe('exits with', () => {
    const read: Record<string, readonly [args: string, end: number, stdout: RegExp]> = {
      '0 if every listed deployment is healthy': ['--id dep_ok', 0, /^1 healthy\n$/],
      '1 for a failed account, with what to do': [
        '--id dep_failed',
        1,
        /^dep_failed: .* Reconnect Ops Slack\.\n1 failing\n$/,
      ],
      '1 for a requirement that is not satisfied': [
        '--id dep_ok --id dep_unsatisfied',
        1,
        /\n1 failing\n$/,
      ],
      '0 for one if only failed accounts count': [
        '--id dep_unsatisfied --fail-on failed',
        0,
        /\n1 failing\n$/,
      ],
      '2 for a requirement of unknown state': [
        '--id dep_unknown',
        2,
        /^dep_unknown: unknown \(other \(slack\)\)\. Look in the dashboard\.\n1 unknown\n$/,
      ],
      '1 for one of unknown state beside one that counts': ['--id dep_both', 1, /\n1 failing\n$/],
      '2 for one of unknown state beside one that does not count': [
        '--id dep_both --fail-on failed',
        2,
        /./,
      ],
    };
    for (const [name, [args, end, stdout]] of Object.entries(read)) {
      it(name, async () => {
        const unknown = requirement({ satisfied: undefined, binding: 'other' });
        platform.putDeployment('dep_unknown', authorization([account()], [unknown]));
        platform.putDeployment(
          'dep_both',
          authorization([account()], [unknown, requirement({ satisfied: false })]),
        );
        const ran = await check(...args.split(' '));
        assert.deepEqual([ran.end, ran.stderr], [end, '']);
        assert.match(ran.stdout, stdout);
        assert.ok(platform.requests.every(({ method }) => method === 'GET'));
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
      'an array that is none': [
        faults.json({ accounts: 1, requirements: [] }),
        /1 field unreadable/,
      ],
      'what breaks HTTP': [
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
      it(`2 for ${name}, whatever the others are`, async () => {
        platform.fault({ id: 'dep_bad' }, fault);
        const ran = await check('--id', 'dep_bad', '--id', 'dep_ok', '--timeout', '1');
        assert.deepEqual([ran.end, ran.stderr], [2, '']);
        assert.match(ran.stdout, words);
        assert.ok(
          platform.requests.every(({ route }) => route.id === 'dep_bad' || route.id === 'dep_ok'),
        );
      });
    }

    it('2 if an entry of the list cannot be read', async () => {
      await program.write('.vscode/settings.json', {
        'automationPlatform.deployments': ['dep_ok', { name: 'dep_2' }],
      });
      const ran = await check();
      assert.deepEqual([ran.end, ran.stdout], [2, '1 healthy\n']);
      assert.match(ran.stderr, /^\.vscode\/settings\.json:4:5: This is neither an ID nor/);
    });

    it('3 if nothing is listed, or it is not configured, and sends nothing', async () => {
      assert.match((await check()).stderr, /^Nothing to check/);
      await program.write('empty.txt', '\n');
      await program.write('.vscode/settings.json', '// none yet\n');
      const { AUTOMATION_PLATFORM_TOKEN: token, AUTOMATION_PLATFORM_BASE_URL: baseUrl } = env;
      const runs: [string[], Record<string, string | undefined>][] = [
        [[], env],
        [['--list', 'empty.txt'], env],
        [['--list', 'missing.txt'], env],
        [['--id', 'dep_ok'], { AUTOMATION_PLATFORM_TOKEN: token }],
        [['--id', 'dep_ok'], { AUTOMATION_PLATFORM_BASE_URL: baseUrl }],
        [
          ['--id', 'dep_ok'],
          { ...env, AUTOMATION_PLATFORM_BASE_URL: 'http://host.example/api/v1' },
        ],
      ];
      for (const [args, variables] of runs) {
        const unset = {
          AUTOMATION_PLATFORM_TOKEN: undefined,
          AUTOMATION_PLATFORM_BASE_URL: undefined,
        };
        const ran = await program.run(args, { ...unset, ...variables });
        assert.deepEqual([ran.end, ran.stdout], [3, ''], args.join(' '));
      }
      assert.deepEqual(platform.requests, []);
    });

    it('0 without a token if told so, in a fork that gets no secrets', async () => {
      const skipped = 'Skipped: no token. Nothing was checked.';
      env['AUTOMATION_PLATFORM_TOKEN'] = '';
      assert.equal((await check('--id', 'dep_ok')).end, 3);
      const text = await check('--without-token', 'skip');
      const json = await check('--without-token', 'skip', '--format', 'json');
      assert.deepEqual([text.end, text.stdout], [0, `${skipped}\n`]);
      assert.deepEqual([json.end, JSON.parse(json.stdout)], [0, { error: skipped }]);
    });

    for (const unfilled of [
      '$(AUTOMATION_PLATFORM_TOKEN)',
      '"$TOKEN"',
      'Bearer ${{ secrets.TOKEN }}',
      '<token>',
    ]) {
      it(`0 with a token that was not filled in, if told so: ${unfilled}`, async () => {
        const skipped = 'Skipped: no token. Nothing was checked.';
        env['AUTOMATION_PLATFORM_TOKEN'] = unfilled;
        const args = ['--id', 'dep_ok', '--without-token', 'skip', '--format'];
        const text = await check(...args, 'text');
        assert.deepEqual([text.end, text.stdout, text.stderr], [0, `${skipped}\n`, '']);
        const json = await check(...args, 'json');
        assert.deepEqual([json.end, JSON.parse(json.stdout)], [0, { error: skipped }]);
        assert.equal(platform.requests.length, 0);
      });
    }

    it('3 with a token that was not filled in, and names the variable and what to do', async () => {
      env['AUTOMATION_PLATFORM_TOKEN'] = '$(PLATFORM_TOKEN)';
      const ran = await check('--id', 'dep_ok');
      assert.deepEqual([ran.end, ran.stdout, platform.requests.length], [3, '', 0]);
      assert.match(
        ran.stderr,
        /: AUTOMATION_PLATFORM_TOKEN holds a placeholder that was not filled in\./,
      );
      assert.match(
        ran.stderr,
        /For runs that get no secrets \(forks\), add --without-token skip\.\n$/,
      );
      assert.ok(!ran.stderr.includes('PLATFORM_TOKEN)'));
    });

    it('3 with a base URL that was not filled in, and names the variable', async () => {
      env['AUTOMATION_PLATFORM_BASE_URL'] = '$(BASE_URL)';
      const ran = await check('--id', 'dep_ok', '--without-token', 'skip');
      assert.deepEqual([ran.end, ran.stdout], [3, '']);
      assert.match(
        ran.stderr,
        /: AUTOMATION_PLATFORM_BASE_URL holds a placeholder that was not filled in\./,
      );
      assert.ok(!ran.stderr.includes('--without-token'));
    });

    it('3 with a character that no token can have, which it names', async () => {
      const token = '"Bearer tök-1234-5678"';
      const ran = await program.run(['--id', 'dep_ok'], {
        ...env,
        AUTOMATION_PLATFORM_TOKEN: token,
      });
      assert.deepEqual([ran.end, ran.stdout, platform.requests.length], [3, '', 0]);
      assert.match(ran.stderr, /: the token contains “ö” \(U\+00F6\), which no token can have\./);
      const wrong = await program.run(['--format', token], {
        ...env,
        AUTOMATION_PLATFORM_TOKEN: token,
      });
      assert.ok(!(ran.stderr + wrong.stderr).includes('1234-5678'));
    });

    it('64 for wrong arguments, with the usage', async () => {
      const wrong = [
        '--fail-on all',
        '--format xml',
        '--timeout 0',
        '--timeout 1.5',
        '--without-token fail',
        '--id ',
      ];
      for (const args of [...wrong, '--nothing', 'dep_ok']) {
        const ran = await check('--id', 'dep_ok', ...args.split(' '));
        assert.deepEqual([ran.end, ran.stdout], [64, ''], args);
        assert.match(ran.stderr, /\n\nnode automation-platform-check\.mjs \[--list FILE\]/, args);
      }
      assert.deepEqual(platform.requests, []);
    });

    it('3 where Node would verify no certificate, and sends nothing', async () => {
      const off = await program.run(['--id', 'dep_ok'], {
        ...env,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      });
      assert.match(
        off.stderr,
        /^NODE_TLS_REJECT_UNAUTHORIZED is 0, .* Unset it\. .* NODE_EXTRA_CA_CERTS/,
      );
      assert.deepEqual([off.end, platform.requests.length], [3, 0]);
      const on = await program.run(['--id', 'dep_ok'], {
        ...env,
        NODE_TLS_REJECT_UNAUTHORIZED: '1',
      });
      assert.equal(on.end, 0);
    });

    it('64 for a Node that is too old, without the usage', async () => {
      const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.2.0' } });`;
      const ran = await program.run(['--id', 'dep_ok'], { ...env, ...preload(old) });
      assert.equal(ran.stderr, 'This is Node 20.2.0. Use Node 20.3 or newer.\n');
      assert.equal(ran.end, 64);
    });

    it('the signal that interrupts it, with nothing half-written', async () => {
      platform.fault('all', faults.silent());
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        platform.clearRequests();
        const child = program.start(['--id', 'dep_ok'], env);
        let output = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (data) => (output += String(data)));
        await platform.waitForRequests(1, {}, 20_000);
        child.kill(signal);
        assert.deepEqual([await once(child, 'close'), output], [[null, signal], '']);
      }
    });
  });

  it('sends a token without the quotes and the Bearer before it', async () => {
    const token = env['AUTOMATION_PLATFORM_TOKEN'] ?? '';
    env['AUTOMATION_PLATFORM_TOKEN'] = `\ufeff"Bearer ${token}"`;
    const ran = await check('--id', 'dep_ok');
    assert.deepEqual([ran.end, ran.stdout], [0, '1 healthy\n']);
    assert.equal(platform.requests[0]?.headers.authorization, `Bearer ${token}`);
  });

  it('waits for the end of a 429 and reads then', async () => {
    platform.fault({ id: 'dep_ok' }, { ...faults.retryAfter(1), times: 4 });
    assert.equal((await check('--id', 'dep_ok', '--timeout', '30')).stdout, '1 healthy\n');
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
    assert.equal(ran.stdout.match(/Token rejected \(401\)/g)?.length, 100);
    assert.ok(platform.requests.length <= 16, `${platform.requests.length}`);
  });

  describe('reads the list', () => {
    const settings =
      '{\n  // ours\n  "automationPlatform.deployments": [\n    "dep_failed", { "id": "dep_ok", "label": "Fine" },\n  ],\n}\n';

    it('of the settings files of its folder, with comments, and says where each entry stands', async () => {
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
        'b.code-workspace:8:7: dep_unsatisfied: not satisfied (notifier (slack)). Reconnect Ops Slack.',
        '2 failing',
        '',
      ]);
    });

    it('and names deployments that share a label with their IDs, in each format', async () => {
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
      assert.deepEqual([namesIn(stdout), namesIn(github.stdout)], [both, both]);
      assert.deepEqual(namesIn(await readFile(summary, 'utf8')), both);
    });

    it('of a file of settings, or of IDs one a line', async () => {
      await program.write('other.txt', `\uFEFF${settings}`);
      await program.write('ids', 'dep_ok\r\n\r\n  dep_failed \r\n');
      assert.match((await check('--list', 'other.txt')).stdout, /^other\.txt:4:5: dep_failed: Ops/);
      assert.match((await check('--list', 'ids')).stdout, /^ids:3:3: dep_failed: Ops/);
      assert.match(
        (await check('--list', 'ids', '--id', 'dep_unsatisfied')).stdout,
        /\n2 failing\n$/,
      );
    });

    it('of all files that it is given', async () => {
      await program.write('a.txt', 'dep_failed\n');
      await program.write('b.txt', 'dep_ok\n');
      const { end, stdout } = await check('--list', 'a.txt', '--list', 'b.txt');
      assert.equal(end, 1);
      assert.match(stdout, /^a\.txt:1:1: dep_failed: .*\n1 failing\n$/);
      assert.equal((await check('--list', 'b.txt', '--list', 'missing.txt')).end, 3);
    });

    const healthyOne = ['dep_ok'];
    const failedOne = ['dep_failed'];
    /** JSON, as an object would not keep a key that stands twice. */
    const nested: Record<string, readonly [settings: string, id: string]> = {
      'a nested key': [`{"automationPlatform":{"deployments":["dep_ok"]}}`, 'dep_ok'],
      'a dotted key after a nested one': [
        JSON.stringify({
          automationPlatform: { deployments: healthyOne },
          'automationPlatform.deployments': failedOne,
        }),
        'dep_failed',
      ],
      'a nested key after a dotted one': [
        JSON.stringify({
          'automationPlatform.deployments': healthyOne,
          automationPlatform: { deployments: failedOne },
        }),
        'dep_failed',
      ],
      'a dotted key between two nested ones, which stand at the place of the first': [
        `{"automationPlatform":{},"automationPlatform.deployments":["dep_ok"],"automationPlatform":{"deployments":["dep_failed"]}}`,
        'dep_ok',
      ],
      'the last of two nested keys': [
        `{"automationPlatform":{"deployments":["dep_ok"]},"automationPlatform":{"deployments":["dep_failed"]}}`,
        'dep_failed',
      ],
    };
    for (const [name, [text, id]] of Object.entries(nested)) {
      it(`of ${name}, as VS Code does`, async () => {
        for (const [file, content] of Object.entries({
          '.vscode/settings.json': text,
          'a.code-workspace': `{"settings":${text}}`,
        })) {
          await program.write(file, content);
          const { end, stderr } = await check('--list', file);
          assert.equal(stderr, '');
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
      it(`not of ${name}, as VS Code does not`, async () => {
        await program.write('.vscode/settings.json', settingsOfFile);
        const { end, stderr } = await check();
        assert.match(stderr, /^Nothing to check/);
        assert.equal(end, 3);
      });
    }

    it('and says where a nested one is none', async () => {
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

    it('as far as it can be read, and says where it cannot', async () => {
      await program.write(
        'a.code-workspace',
        '{ "settings": { "automationPlatform.deployments": {} } }',
      );
      await program.write(
        '.vscode/settings.json',
        '{ "automationPlatform.deployments": ["dep_ok" }',
      );
      const { end, stderr } = await check();
      assert.equal(end, 2);
      assert.deepEqual(stderr.split('\n'), [
        '.vscode/settings.json:1:47: This is not valid JSON, so entries may be missing.',
        'a.code-workspace:1:51: automationPlatform.deployments is not a list.',
        '',
      ]);
    });

    it('and nothing else: a base URL of the repository is not used', async () => {
      const other = await startPlatform();
      try {
        const list = {
          'automationPlatform.deployments': ['dep_ok'],
          'automationPlatform.baseUrl': other.baseUrl,
        };
        await program.write('.vscode/settings.json', list);
        await program.write('.env', `AUTOMATION_PLATFORM_BASE_URL=${other.baseUrl}\n`);
        assert.equal((await check()).end, 0);
        assert.equal((await program.run([], { AUTOMATION_PLATFORM_TOKEN: platform.token })).end, 3);
        assert.deepEqual(other.requests, []);
      } finally {
        await other.stop();
      }
    });

    it('and shows no more of a token that is repeated in any encoding than its ends', async () => {
      for (const [token, encode] of fc.sample(fc.tuple(tokens, encoders), 4)) {
        const text = `Bearer ${encode(token)}`;
        // One JSON escape, which a search in the text of the answer does not see.
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
        for (const format of ['text', 'json', 'github']) {
          const summary = join(program.folder, 'summary.md');
          await program.write('summary.md', '');
          const more = { AUTOMATION_PLATFORM_TOKEN: token, GITHUB_STEP_SUMMARY: summary };
          const ran = await program.run(['--id', 'dep_1', '--format', format], { ...env, ...more });
          const all = ran.stdout + ran.stderr + (await readFile(summary, 'utf8'));
          assert.equal(ran.end, 1, all);
          assert.ok(!shows(all, token), `${all}\n${body}`);
        }
      }
    });

    it('and does not say a token that is an argument', async () => {
      for (const argument of [platform.token, `--${platform.token}`]) {
        const { end, stderr } = await check(argument);
        assert.equal(end, 64);
        assert.ok(!stderr.includes(platform.token), stderr);
      }
    });

    it('and never sends an entry that holds the token, or says it', async () => {
      const { token } = platform;
      const list = [token, { id: 'dep_failed', label: `old ${token}` }];
      await program.write('.vscode/settings.json', { 'automationPlatform.deployments': list });
      const leaking = account({ label: `Key ${token}`, error: { code: token } });
      platform.putDeployment('dep_failed', authorization([leaking], []));
      for (const format of ['text', 'json', 'github']) {
        const summary = join(program.folder, `${format}.md`);
        const ran = await program.run(['--format', format], {
          ...env,
          GITHUB_STEP_SUMMARY: summary,
        });
        const written = await readFile(summary, 'utf8').catch(() => '');
        assert.equal(ran.end, 1);
        assert.doesNotMatch(ran.stdout + ran.stderr + written, new RegExp(token));
      }
      assert.ok(platform.requests.every(({ path }) => !path.includes(token)));
    });
  });

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
    it(`exits with 2 and says who probably answered: ${name}`, async () => {
      platform.fault('all', fault);
      const { end, stdout } = await check('--id', 'dep_ok');
      platform.clearFaults();
      assert.equal(end, 2);
      assert.ok(stdout.includes(line), stdout);
    });
  }

  it('leaves the title of a web page to a field of its own as JSON', async () => {
    platform.fault('all', page(403, 'Blocked'));
    const { stdout } = await check('--id', 'dep_ok', '--format', 'json');
    platform.clearFaults();
    const { error, webPageTitle }: { error: string; webPageTitle: string } = JSON.parse(stdout);
    assert.equal(webPageTitle, 'Blocked');
    assert.doesNotMatch(error, /Blocked/);
  });

  it('writes as JSON what the tool for problems gives, of all deployments', async () => {
    await program.write(
      'list.txt',
      Array.from({ length: 60 }, (_, nth) => `dep_${nth}`).join('\n'),
    );
    for (let nth = 0; nth < 60; nth++) platform.putDeployment(`dep_${nth}`, failedAccount());
    const { end, stdout, stderr } = await check(
      '--list',
      'list.txt',
      '--id',
      'dep_ok',
      '--format',
      'json',
    );
    const result: { deployments: unknown; problems: readonly unknown[] } = JSON.parse(stdout);
    assert.deepEqual([end, stderr], [1, '']);
    assert.deepEqual(result.deployments, {
      total: 61,
      failing: 60,
      unknown: 0,
      notYetRead: 0,
      muted: 0,
      healthy: 1,
    });
    assert.equal(result.problems.length, 60);
  });

  it('annotates the list on GitHub, worst first, and adds the table to the summary', async () => {
    await program.write('sub/list.txt', 'dep_unsatisfied\ndep_failed\ndep_gone\n');
    const summary = join(program.folder, 'summary.md');
    await program.write('summary.md', 'before\n');
    const more = { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: program.folder };
    const args = ['--list', 'list.txt', '--format', 'github', '--fail-on', 'failed'];
    const { end, stdout } = await program.run(
      args,
      { ...env, ...more },
      join(program.folder, 'sub'),
    );
    assert.equal(end, 1);
    assert.deepEqual(stdout.split('\n'), [
      '::error file=sub/list.txt,line=2,col=1::dep_failed: Ops Slack failed (token_revoked). Reconnect Ops Slack.',
      '::warning file=sub/list.txt,line=1,col=1::dep_unsatisfied: not satisfied (notifier (slack)). Reconnect Ops Slack.',
      '::warning file=sub/list.txt,line=3,col=1::dep_gone: Not found (404). The deployment was probably deleted, or its ID belongs to another organization. Check the ID, AUTOMATION_PLATFORM_BASE_URL, and AUTOMATION_PLATFORM_TOKEN.',
      '2 failing, 1 unknown',
      '',
    ]);
    assert.deepEqual((await readFile(summary, 'utf8')).split('\n').slice(0, 6), [
      'before',
      '## Automation Platform: 2 failing, 1 unknown',
      '',
      '| What is wrong | Deployments | Next step |',
      '| --- | --- | --- |',
      '| Ops Slack failed · `token_revoked` | `dep_failed` | Reconnect Ops Slack |',
    ]);
  });

  it('is one readable file without undici, with its version in its first line, and cannot revoke a key', async () => {
    const code = await readFile(program.file, 'utf8');
    const { version }: { version: string } = JSON.parse(await readFile('package.json', 'utf8'));
    assert.ok(code.split('\n')[0]!.startsWith(`// Automation Platform check ${version}`));
    assert.ok(Buffer.byteLength(code) <= 230_000, `${Buffer.byteLength(code)}`);
    assert.doesNotMatch(code, /DELETE|api-keys|undici\/|vscode-l10n|registry\./);
    assert.match(code, /Copyright \(c\) Microsoft/);
    const imported = Array.from(
      code.matchAll(/^import .*? from "([^"]+)";$/gm),
      ([, name]) => name!,
    );
    for (const name of imported) assert.match(name, /^node:/);
  });
});

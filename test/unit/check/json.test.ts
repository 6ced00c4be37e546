import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import {
  account,
  authorization,
  failedAccount,
  requirement,
  unsatisfied,
} from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { page } from '../../support/platform/onTheWay.js';
import type { Platform } from '../../support/platform/platform.js';
import { type CheckProgram, useCheck } from './run.js';

interface Unknown {
  readonly deploymentId: string;
  readonly label?: string;
  readonly state: string;
  readonly failure?: {
    readonly kind: string;
    readonly status?: number;
    readonly error: string;
    readonly webPageTitle?: string;
    readonly response?: string;
  };
  readonly unknown?: readonly object[];
  readonly unreadableFields?: readonly string[];
}

interface Result {
  readonly format: number;
  readonly check: string;
  readonly error?: string;
  readonly webPageTitle?: string;
  readonly listErrors?: readonly string[];
  readonly deployments: Readonly<Record<string, number>>;
  readonly problems: readonly { readonly deploymentId: string; readonly kind: string }[];
  readonly unknownDeployments?: readonly Unknown[];
}

describe('the check’s JSON', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const unknown = requirement({ binding: 'other', satisfied: undefined });

  useCheck((world) => {
    ({ program, platform, env } = world);
    platform.putDeployment('dep_unknown', authorization([account()], [unknown]));
    platform.putDeployment('dep_unreadable', { accounts: 1, requirements: [] });
    const both = [...unsatisfied().requirements, unknown];
    platform.putDeployment('dep_both', authorization([account()], both));
    platform.fault({ id: 'dep_denied' }, faults.status(403));
    platform.fault({ id: 'dep_page' }, page(200, 'Sign in'));
  });

  const check = (...args: string[]) => program.run([...args, '--format', 'json'], env);
  async function read(...args: string[]): Promise<Result> {
    const { stdout } = await check(...args);
    return JSON.parse(stdout);
  }
  /** The one deployment that is unknown. */
  async function readUnknown(...args: string[]): Promise<Unknown | undefined> {
    const { unknownDeployments } = await read(...args);
    assert.equal(unknownDeployments?.length, 1);
    return unknownDeployments[0];
  }

  it('begins with its format and the version of the check', async () => {
    const { version }: { version: string } = JSON.parse(await readFile('package.json', 'utf8'));
    const { stdout } = await check('--id', 'dep_ok');
    const beginning = `{\n  "format": 1,\n  "check": "${version}",\n`;
    assert.equal(stdout.slice(0, beginning.length), beginning);
  });

  it('begins with its format and the version when it was skipped', async () => {
    env['AUTOMATION_PLATFORM_TOKEN'] = '';
    const { stdout } = await check('--without-token', 'skip');
    assert.match(
      stdout,
      /^\{\n {2}"format": 1,\n {2}"check": "[\d.]+",\n {2}"exitCode": 0,\n {2}"error": "Skipped: /,
    );
  });

  it('names a deployment that was not found, with its label and the reason', async () => {
    const list = { 'automationPlatform.deployments': [{ id: 'dep_gone', label: 'Billing' }] };
    await program.write('list.json', list);
    const gone = await readUnknown('--list', 'list.json', '--id', 'dep_ok');
    const { error, response: _response, ...failure } = gone?.failure ?? { error: '' };
    assert.deepEqual(
      { ...gone, failure },
      {
        deploymentId: 'dep_gone',
        label: 'Billing',
        state: 'unknown',
        failure: { kind: 'notFound', status: 404 },
      },
    );
    assert.match(error, /^Not found \(404\)\. .* Check the ID, /);
  });

  it('names a deployment that may not be read, with the reason', async () => {
    const denied = await readUnknown('--id', 'dep_denied', '--id', 'dep_ok');
    const { kind, status, error } = denied?.failure ?? {};
    assert.deepEqual([kind, status], ['notPermitted', 403]);
    assert.match(error ?? '', /^Access denied \(403\)\. /);
  });

  it('has the title of a web page for one deployment in a field of its own', async () => {
    const { failure } = (await readUnknown('--id', 'dep_page', '--id', 'dep_ok')) ?? {};
    assert.equal(failure?.webPageTitle, 'Sign in');
    assert.match(failure.error, /^Not from the platform \(200\)\. /);
    assert.doesNotMatch(failure.error, /“Sign in”/);
  });

  it('has the title of a web page for all deployments in a field of its own', async () => {
    platform.fault('all', page(403, 'Blocked'));
    const { error, webPageTitle } = await read('--id', 'dep_ok');
    assert.equal(webPageTitle, 'Blocked');
    assert.doesNotMatch(error ?? '', /Blocked/);
  });

  it('names a requirement of unknown state', async () => {
    const found = await readUnknown('--id', 'dep_unknown', '--id', 'dep_ok');
    assert.deepEqual(found, {
      deploymentId: 'dep_unknown',
      state: 'unknown',
      unknown: [
        { requirement: { binding: 'other', serviceId: 'slack', accountId: 'acc_slack_ops' } },
      ],
    });
  });

  it('names an unreadable field', async () => {
    const found = await readUnknown('--id', 'dep_unreadable', '--id', 'dep_ok');
    assert.deepEqual(found, {
      deploymentId: 'dep_unreadable',
      state: 'unknown',
      unreadableFields: ['accounts'],
    });
  });

  it('names what is unknown of a deployment that is failing, too', async () => {
    const both = await readUnknown('--id', 'dep_both');
    assert.equal(both?.state, 'notSatisfied');
    assert.equal(both.unknown?.length, 1);
  });

  it('has problems that do not count beside what is unknown', async () => {
    const args = ['--id', 'dep_both', '--id', 'dep_gone', '--fail-on', 'failed'];
    const { end, stdout } = await check(...args);
    const { deployments, problems, unknownDeployments }: Result = JSON.parse(stdout);
    assert.equal(end, 2);
    assert.deepEqual(
      problems.map(({ deploymentId, kind }) => [deploymentId, kind]),
      [['dep_both', 'unsatisfiedRequirement']],
    );
    assert.deepEqual([deployments['failing'], deployments['unknown']], [1, 1]);
    const unknownIds = unknownDeployments?.map(({ deploymentId }) => deploymentId);
    assert.deepEqual(unknownIds, ['dep_both', 'dep_gone']);
  });

  it('names all deployments that were not read for one cause', async () => {
    platform.fault('all', faults.status(401));
    const { error, unknownDeployments } = await read('--id', 'dep_ok', '--id', 'dep_failed');
    assert.match(error ?? '', /^Token rejected \(401\)\. /);
    const kinds = unknownDeployments?.map(({ deploymentId, failure }) => [
      deploymentId,
      failure?.kind,
    ]);
    assert.deepEqual(kinds, [
      ['dep_failed', 'tokenRejected'],
      ['dep_ok', 'tokenRejected'],
    ]);
  });

  it('names no unknown deployment when there is none', async () => {
    const { unknownDeployments } = await read('--id', 'dep_ok', '--id', 'dep_failed');
    assert.equal(unknownDeployments, undefined);
  });

  it('has the errors of the list', async () => {
    await program.write('list.json', { 'automationPlatform.deployments': ['dep_ok', 1] });
    const { listErrors } = await read('--list', 'list.json');
    assert.deepEqual(listErrors, ['list.json:4:5: This is neither an ID nor { "id": "..." }.']);
  });

  it('has no errors of a list that was read completely', async () => {
    const { listErrors } = await read('--id', 'dep_ok');
    assert.equal(listErrors, undefined);
  });

  it('has all problems of many deployments', async () => {
    const ids = Array.from({ length: 60 }, (_, nth) => `dep_${nth}`);
    await program.write('list.txt', ids.join('\n'));
    for (const id of ids) platform.putDeployment(id, failedAccount());
    const { end, stdout, stderr } = await check('--list', 'list.txt', '--id', 'dep_ok');
    const { deployments, problems }: Result = JSON.parse(stdout);
    assert.equal(end, 1);
    assert.equal(stderr, '');
    assert.deepEqual(deployments, {
      total: 61,
      failing: 60,
      unknown: 0,
      notYetRead: 0,
      muted: 0,
      healthy: 1,
    });
    assert.equal(problems.length, 60);
  });
});

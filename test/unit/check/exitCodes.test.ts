import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FailOn, Options } from '../../../src/check/arguments.js';
import {
  account,
  authorization,
  failedAccount,
  healthy,
  requirement,
  unsatisfied,
} from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { page } from '../../support/platform/onTheWay.js';
import { type Platform, startPlatform } from '../../support/platform/platform.js';
import { outcomesOf, readJunit } from './junitReport.js';
import { CheckProgram, type Ran } from './run.js';

const unknown = requirement({ binding: 'other', satisfied: undefined });
const unsatisfiedAndUnknown = authorization([account()], [...unsatisfied().requirements, unknown]);
const failedAndUnknown = authorization(failedAccount().accounts, [requirement(), unknown]);
/** The account of the requirement has failed, which is why the requirement is not satisfied. */
const effect = authorization(failedAccount().accounts, [requirement({ satisfied: false })]);

/** `listed` and `read`: what the first line of the summary counts. */
interface Situation {
  readonly args: string;
  readonly listed: number;
  readonly read: number;
  /** The exit code, and the outcomes of the JUnit file, for each --fail-on. */
  readonly ends: Readonly<Record<FailOn, readonly [exit: number, outcomes: string]>>;
}

const always = (exit: number, outcomes: string): Situation['ends'] => ({
  'not-satisfied': [exit, outcomes],
  failed: [exit, outcomes],
});
const one = (id: string, read: number, ends: Situation['ends']): Situation => {
  return { args: `--id ${id}`, listed: 1, read, ends };
};

const situations: Readonly<Record<string, Situation>> = {
  'a healthy deployment': one('ok', 1, always(0, 'passed')),
  'a failed account': one('failed', 1, always(1, 'failure')),
  'an unsatisfied requirement': one('unsatisfied', 1, {
    'not-satisfied': [1, 'failure'],
    failed: [0, 'system-out'],
  }),
  'a requirement whose account has failed': one('effect', 1, always(1, 'failure')),
  'a requirement of unknown state': one('unknown', 0, always(2, 'error')),
  'an unreadable field': one('unreadable', 0, always(2, 'error')),
  'a deployment that is not found': one('gone', 0, always(2, 'error')),
  'a rejected token': one('rejected', 0, always(2, 'error')),
  'a web page': one('page', 0, always(2, 'error')),
  'no answer in time': one('silent', 0, always(2, 'error')),
  'unsatisfied and unknown requirements': one('unsatisfiedAndUnknown', 0, {
    'not-satisfied': [1, 'failure'],
    failed: [2, 'error'],
  }),
  'a failed account beside an unknown requirement': one(
    'failedAndUnknown',
    0,
    always(1, 'failure'),
  ),
  'a failed account beside a 404': {
    args: '--id gone --id failed',
    listed: 2,
    read: 1,
    ends: always(1, 'failure, error'),
  },
  'an unsatisfied requirement beside a 404': {
    args: '--id gone --id unsatisfied',
    listed: 2,
    read: 1,
    ends: { 'not-satisfied': [1, 'failure, error'], failed: [2, 'system-out, error'] },
  },
  'an invalid entry beside a healthy deployment': {
    args: '--list invalid.json --id ok',
    listed: 1,
    read: 1,
    ends: always(2, 'passed, error'),
  },
  'an invalid entry beside a failed account': {
    args: '--list invalid.json --id failed',
    listed: 1,
    read: 1,
    ends: always(1, 'failure, error'),
  },
};

interface Row {
  readonly name: string;
  readonly situation: Situation;
  readonly failOn: FailOn;
  readonly format: Options['format'];
}

const failOns: readonly FailOn[] = ['not-satisfied', 'failed'];
const formats: readonly Row['format'][] = ['text', 'json', 'github'];
const rows = Object.entries(situations).flatMap(([name, situation]) =>
  failOns.flatMap((failOn) => formats.map((format): Row => ({ name, situation, failOn, format }))),
);

describe('the check', function () {
  this.timeout(300_000);
  let program: CheckProgram;
  let platform: Platform;
  const ran = new Map<Row, Ran>();
  const fileOf = ({ name, failOn, format }: Row, ending: string) =>
    join(program.folder, `${name} ${failOn} ${format}.${ending}`);

  before(async () => {
    program = await CheckProgram.build();
    platform = await startPlatform();
    await program.write('invalid.json', { 'automationPlatform.deployments': [1] });
    const answers = { ok: healthy(), failed: failedAccount(), unsatisfied: unsatisfied(), effect };
    for (const [id, answer] of Object.entries({
      ...answers,
      unknown: authorization([account()], [unknown]),
      unreadable: { accounts: 1, requirements: [] },
      unsatisfiedAndUnknown,
      failedAndUnknown,
    })) {
      platform.putDeployment(id, answer);
    }
    platform.fault({ id: 'rejected' }, faults.status(401));
    platform.fault({ id: 'page' }, page(403, 'Blocked'));
    platform.fault({ id: 'silent' }, faults.silent());
    await runAll();
  });
  after(async () => {
    await platform.stop();
    await program.remove();
  });

  /** Three at a time, because most of the time is that of Node's own start. */
  async function runAll(): Promise<void> {
    const waiting = [...rows];
    const runner = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) ran.set(row, await run(row));
    };
    await Promise.all([runner(), runner(), runner()]);
  }

  async function run(row: Row): Promise<Ran> {
    const { situation, failOn, format } = row;
    const timeout = situation.args.includes('silent') ? '2' : '20';
    const files = ['--junit', fileOf(row, 'xml'), '--summary', fileOf(row, 'md')];
    const options = ['--fail-on', failOn, '--format', format, '--timeout', timeout, ...files];
    return program.run([...situation.args.split(' '), ...options], platform.env);
  }

  for (const row of rows) {
    const { name, situation, failOn, format } = row;
    const { listed, read, ends } = situation;
    const [exit, outcomes] = ends[failOn];
    it(`exits with ${exit} for ${name} (${failOn}, ${format})`, async () => {
      const { end, stdout } = ran.get(row)!;
      assert.equal(end, exit);

      const junit = await readJunit(fileOf(row, 'xml'));
      assert.equal(outcomesOf(junit), outcomes);

      const summary = await readFile(fileOf(row, 'md'), 'utf8');
      const mark = `<!-- automation-platform-check exit=${exit} listed=${listed} read=${read} -->`;
      assert.equal(summary.split('\n', 1)[0], mark);

      if (format === 'json') assert.equal(JSON.parse(stdout).deployments.total, listed);
      else assert.equal(/ \(exit (\d)\)\n$/.exec(stdout)?.[1], String(exit), stdout);
    });
  }
});

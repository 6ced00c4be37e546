import { strict as assert } from 'node:assert';
import { deploymentSummary, stateWithCauses } from '../../../../src/host/text/deployment.js';
import { problemSentence } from '../../../../src/host/text/problem.js';
import { deploymentsReport } from '../../../../src/host/text/report.js';
import { requestText } from '../../../../src/host/text/request.js';
import { Impact } from '../../../../src/model/problems/impact.js';
import { repairsByOwner } from '../../../../src/model/problems/repairs.js';
import { authorizationResult } from '../../../../src/model/toolResult.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../support/manualClock.js';
import {
  below,
  deployment,
  look,
  now,
  readIn,
  seenBefore,
  sent,
  sourceOf,
} from '../../../support/window/fixtures.js';

const finance = {
  id: 'acc_1',
  label: 'Finance Slack',
  serviceId: 'slack',
  connectionMethodId: 'oauth',
  scopes: ['a'],
};
const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['a', 'c'] }];
const notifier = {
  serviceId: 'slack',
  binding: 'notifier',
  satisfied: false,
  accountId: 'acc_1',
  connections,
};

/** The rows below a deployment with this answer, and those below them. */
function rowsOf(...answer: Parameters<typeof sent>) {
  const provider = new DeploymentsProvider(
    sourceOf(deployment(sent(...answer))),
    new ManualClock(now),
  );
  return below(provider).map((element) => {
    const item = provider.getTreeItem(element);
    const { tooltip } = provider.resolveTreeItem(item, element);
    return {
      ...look(item),
      kind: element.kind,
      hover: tooltip === undefined ? '' : readIn(tooltip),
    };
  });
}

/** The first row of a kind. */
function rowOf(kind: string, ...answer: Parameters<typeof sent>) {
  return rowsOf(...answer).find((row) => row.kind === kind);
}

describe('an account whose error could not be read', () => {
  const unread = { ...finance, error: 'revoked' };
  const one = deployment(sent([unread]));
  const context = { now, memory: seenBefore };

  it('is unknown in its row', () => {
    assert.equal(rowOf('account', [unread])?.text, 'Finance Slack | unknown');
  });

  it('has a question mark in its row', () => {
    assert.equal(rowOf('account', [unread])?.icon, 'question');
  });

  it('is unknown to a screen reader', () => {
    assert.equal(rowOf('account', [unread])?.spoken, 'Finance Slack, account, unknown, slack');
  });

  it('is not counted among the accounts that work', () => {
    const folded = rowOf('accounts', [unread, { id: 'acc_2' }]);
    assert.equal(folded?.text, '1 account');
  });

  it('has the reason in its hover', () => {
    assert.match(rowOf('account', [unread])!.hover, /What the platform said could not be read\./);
  });

  it('is the reason why its deployment is unknown', () => {
    assert.equal(stateWithCauses(one, context), 'Unknown · Finance Slack (slack)');
  });

  it('is counted in the row of its deployment', () => {
    assert.equal(deploymentSummary(one, context), '1 unknown · 1 field unreadable');
  });

  it('is unknown in the report', () => {
    assert.match(deploymentsReport([one]), /\| unknown · Finance Slack \(slack\) \|/);
  });

  it('is unknown in the result of a tool', () => {
    const { accounts } = JSON.parse(JSON.stringify(authorizationResult('dep_1', one.answer!)));
    assert.equal(accounts[0].state, 'unknown');
  });

  it('is unknown in a view grouped by account', () => {
    const source = sourceOf(one);
    source.grouping = { by: 'account' };
    const provider = new DeploymentsProvider(source, new ManualClock(now));
    const [group] = provider.getChildren();
    assert.equal(look(provider.getTreeItem(group!)).text, 'Finance Slack | unknown');
  });

  it('does not win over an older answer about the account', () => {
    const sound = deployment({ id: 'dep_2', age: 5, ...sent([finance]) });
    const newest = new Impact(sourceOf(one, sound).store).newestReading('acc_1');
    assert.equal(newest?.deployment.id, 'dep_2');
  });
});

describe('an unreadable field', () => {
  it('is the reason of a problem when it is the error code of an account', () => {
    const { answer } = deployment(sent([{ ...finance, error: { code: 5 } }]));
    const [problem] = answer!.findings.problems;
    assert.equal(
      problemSentence(problem!),
      'Finance Slack (slack) failed, and the reason could not be read.',
    );
  });

  for (const [what, sentence, accounts, accountId] of [
    [
      'the error of the bound account',
      'The reason could not be read.',
      [{ ...finance, error: 'revoked', scopes: ['a', 'c'] }],
      'acc_1',
    ],
    ['the ID of the bound account', 'Which account it should be could not be read.', [], 5],
  ] as const) {
    it(`is named in a request for help when it is ${what}`, async () => {
      const one = deployment(sent(accounts, [{ ...notifier, accountId }]));
      const problems = one.answer!.findings.problems.map((problem) => ({
        deployment: one,
        problem,
      }));
      const options = { listed: [one], memory: seenBefore, ownerOf: () => undefined };
      const { byOwner } = await repairsByOwner(problems, [], options);
      const text = await requestText(byOwner, {
        pageOf: () => undefined,
        sharedNames: new Set(),
        redact: (foreign) => foreign,
      });
      const said = /[^.\n]* could not be read\./.exec(text)?.[0].trim();
      assert.equal(said, sentence);
    });
  }

  it('is the reason in a hover when it is the state of a requirement', () => {
    const row = rowOf('requirement', [finance], [{ ...notifier, satisfied: 'no' }]);
    assert.match(row!.hover, /What the platform said could not be read\./);
  });

  it('leaves the bound account unknown when it is an account', () => {
    const row = rowsOf([5], [notifier]).find(({ kind }) => kind === 'account');
    assert.equal(row?.text, 'acc_1 | unknown · bound');
  });

  it('may be the bound account in its hover when it is an account', () => {
    const row = rowOf('account', [5], [notifier]);
    assert.match(row!.hover, /which may be one that could not be read\./);
  });

  it('leaves a connection method unknown when it is the required scopes', () => {
    const row = rowOf(
      'connection',
      [finance],
      [{ ...notifier, connections: [{ requiredScopes: 'a' }] }],
    );
    assert.equal(row?.text, 'unnamed connection method | unknown');
  });

  it('does not count as a missing scope when it is a scope of the account', () => {
    const row = rowOf('requirement', [{ ...finance, scopes: ['a', 5] }], [notifier]);
    assert.equal(row?.text, 'notifier | not satisfied');
  });
});

import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import type { Identity } from '../../../../src/model/findings/findings.js';
import { nothingRemembered, type Remembered } from '../../../../src/model/findings/state.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../support/manualClock.js';
import {
  billing,
  deployment,
  look,
  minutes,
  now,
  readIn,
  satisfied,
  seenBefore,
  sourceOf,
} from '../../../support/window/fixtures.js';

const [finance, ops] = billing.accounts;
const connections = [{ connectionMethodId: 'slack-oauth', requiredScopes: ['users:read'] }];
const answers: Readonly<Record<string, DeploymentAuthorization>> = {
  billing,
  refunds: {
    accounts: [{ ...finance!, scopes: ['chat:write'] }],
    requirements: [
      { serviceId: 'slack', accountId: 'acc_2', binding: 'post', satisfied: false, connections },
    ],
  },
  triage: { accounts: [ops!], requirements: [] },
  plain: satisfied,
  bare: { accounts: [], requirements: [] },
};

const rowsOfGroups = (one: Deployment, memory: Remembered = seenBefore) => {
  const own = sourceOf(one);
  own.memory = memory;
  own.grouping = { isOn: true };
  const groups = new DeploymentsProvider(own, new ManualClock(now));
  return groups.getChildren().map((element) => {
    const item = groups.getTreeItem(element);
    const { icon, text, spoken } = look(item);
    return { row: `${icon.split(' ')[0]} | ${text}`, spoken, menu: item.contextValue };
  });
};
const ofOps = (isSatisfied: boolean) => ({
  accounts: [ops!],
  requirements: [{ binding: 'post', accountId: 'acc_1', satisfied: isSatisfied }],
});

describe('the Deployments view grouped by account', () => {
  const deployments = Object.entries(answers).map(([id, authorization]) =>
    deployment({ id, authorization }),
  );
  const source = sourceOf(...deployments, deployment({ id: 'gone' }));
  source.memory = nothingRemembered;
  const provider = new DeploymentsProvider(source);
  const looks = (elements: readonly TreeElement[]) =>
    elements.map((element) => {
      const { icon, text } = look(provider.getTreeItem(element));
      return `${icon.split(' ')[0]} | ${text}`;
    });

  it('says which account breaks how many deployments, and what all of them together need', () => {
    source.grouping = { isOn: true };
    const roots = provider.getChildren();
    assert.deepEqual(looks(roots), [
      'error | Finance Slack | token_revoked · in 2 deployments · 2 not satisfied',
      'account | Ops Slack | in 2 deployments',
      'question | No account | unknown · in 2 deployments',
      'circle-large-outline | 1 not read yet',
    ]);
    assert.deepEqual(looks(provider.getChildren(roots[3])), [
      'circle-large-outline | gone | not read yet',
    ]);
    assert.deepEqual(looks(provider.getChildren(roots[1])), [
      'error | billing | not bound',
      'pass | triage | not bound',
    ]);
    const below = provider.getChildren(roots[0]);
    assert.deepEqual(looks(below), [
      'lightbulb | Reconnect Finance Slack | with channels:read +1',
      'error | token_revoked | The workspace admin removed the app.',
      'error | billing | notifier',
      'error | refunds | post',
    ]);
    const { spoken } = look(provider.getTreeItem(below[0]!));
    assert.equal(
      spoken,
      'Reconnect Finance Slack (slack) with the scopes channels:read, users:read.',
    );
    assert.deepEqual(looks(provider.getChildren(below[3])), [
      'debug-disconnect | post | needs Finance Slack',
    ]);
  });

  it('says below deployments in how many an account is, as long as it is in several', () => {
    source.grouping = { isOn: false };
    const roots = provider.getChildren();
    assert.ok(looks(roots).includes('error | billing | Finance Slack failed'));
    const shared = looks(provider.getChildren(roots[0])).find((row) =>
      row.startsWith('error | Finance'),
    );
    assert.equal(shared, 'error | Finance Slack | token_revoked · in 2 deployments');
    const { tooltip } = provider.resolveTreeItem(provider.getTreeItem(roots[0]!), roots[0]!);
    assert.match(readIn(tooltip), /Also affects \*\*\[refunds\]/);
    const events: (readonly TreeElement[] | undefined)[] = [];
    provider.onDidChangeTreeData((event) => events.push(event));
    source.store.deployments = deployments.slice(0, 1);
    source.store.progress = { done: 0, total: 1 };
    provider.redraw(new Set());
    assert.deepEqual(events, [], 'while answers come, each changes such numbers');
    source.store.progress = undefined;
    provider.redraw(new Set());
    assert.deepEqual(events, [undefined]);
    const [alone] = provider.getChildren();
    assert.ok(looks(provider.getChildren(alone)).includes('error | Finance Slack | token_revoked'));
  });

  it('says until when what is bound to a sound account is muted, and offers to unmute it', () => {
    const memory = { ...seenBefore, mutedUntil: () => now + minutes(5) };
    const [group] = rowsOfGroups(
      deployment({ id: 'a', authorization: ofOps(false), memory }),
      memory,
    );
    assert.match(group!.row, /^bell-slash \| Ops Slack \| muted until [^·]*$/);
    assert.match(group!.spoken, /^Ops Slack, account, muted until /);
    assert.equal(group!.menu, 'account works canUnmute');
  });

  it('says of several mutes of a sound account the one that ends first', () => {
    const requirements = ['post', 'read'].map((binding) => ({
      binding,
      accountId: 'acc_1',
      satisfied: false,
    }));
    const memory = {
      ...seenBefore,
      mutedUntil: () => now + minutes(5),
      isMutedUntilChange: ({ key }: Identity) => key.includes('post'),
    };
    const ends = {
      ...memory,
      mutedUntil: ({ key }: Identity) => now + minutes(key.includes('post') ? 60 : 5),
    };
    const [group] = rowsOfGroups(
      deployment({ id: 'a', authorization: { accounts: [ops!], requirements }, memory }),
      ends,
    );
    assert.match(group!.row, /^bell-slash \| Ops Slack \| muted until \d/);
  });

  it('says of what is bound to no account how much is not satisfied, and offers no ID to copy', () => {
    const requirements = [{ binding: 'post', satisfied: false }];
    const [group] = rowsOfGroups(
      deployment({ id: 'a', authorization: { accounts: [], requirements } }),
    );
    assert.deepEqual(
      [group!.row, group!.menu],
      ['warning | No account | 1 not satisfied', 'noAccount canMute canNotify'],
    );
  });

  for (const [what, authorization, spoken] of [
    [
      'an account without a code',
      { accounts: [{ ...ops!, error: {} }], requirements: [] },
      'Ops Slack, account, failed',
    ],
    ['requirements that it holds up', ofOps(false), 'Ops Slack, account, 1 not satisfied'],
  ] as const) {
    it(`says the state of ${what} once`, () => {
      const [group] = rowsOfGroups(deployment({ id: 'a', authorization }));
      assert.equal(group!.spoken.replace(', slack', ''), spoken);
    });
  }

  it('shows an account as unknown whose deployments all cannot be read', () => {
    const failure = { kind: 'notFound', status: 404 } as const;
    const rows = rowsOfGroups(
      deployment({ id: 'a', authorization: ofOps(true), age: 10, failure }),
    );
    assert.deepEqual(
      rows.map(({ row }) => row),
      ['question | Ops Slack | unknown · stale, read 10 minutes ago', 'question | 1 unknown'],
    );
  });
});

import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import type { Identity } from '../../../../src/model/findings/findings.js';
import { nothingRemembered, type Remembered } from '../../../../src/model/findings/state.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../support/manualClock.js';
import { atEndOfTest } from '../../../support/window/endOfTest.js';
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

/** The rows of the accounts of one deployment: icon and text, what a screen reader says, and the menu. */
const rowsOfGroups = (one: Deployment, memory: Remembered = seenBefore) => {
  const own = sourceOf(one);
  own.memory = memory;
  own.grouping = { by: 'account' };
  const groups = new DeploymentsProvider(own, new ManualClock(now));
  return groups.getChildren().map((element) => {
    const item = groups.getTreeItem(element);
    const { icon, text, spoken } = look(item);
    return { row: `${icon.split(' ')[0]} | ${text}`, spoken, menu: item.contextValue };
  });
};

/** An answer where a requirement needs Ops Slack, which has no error. */
const ofOps = (isSatisfied: boolean) => ({
  accounts: [ops!],
  requirements: [{ binding: 'post', accountId: 'acc_1', satisfied: isSatisfied }],
});

/** Whether a problem is that of the requirement `post`. */
function isOfPost({ key }: Identity): boolean {
  return key.includes('post');
}

/** The view of all answers, and of a deployment that was not read. */
function create({ isGrouped }: { readonly isGrouped: boolean }) {
  const deployments = Object.entries(answers).map(([id, authorization]) =>
    deployment({ id, authorization }),
  );
  const source = sourceOf(...deployments, deployment({ id: 'gone' }));
  source.memory = nothingRemembered;
  source.grouping = { by: isGrouped ? 'account' : 'deployment' };
  const provider = new DeploymentsProvider(source);
  atEndOfTest(() => provider.dispose());
  const roots = provider.getChildren();
  /** The rows below one, or the first ones, as icon and text. */
  const rowsBelow = (element?: TreeElement) =>
    provider.getChildren(element).map((child) => {
      const { icon, text } = look(provider.getTreeItem(child));
      return `${icon.split(' ')[0]} | ${text}`;
    });
  return { deployments, source, provider, roots, rowsBelow };
}

describe('the view by account', () => {
  it('says how many deployments each account is in', () => {
    const { rowsBelow } = create({ isGrouped: true });
    assert.deepEqual(rowsBelow(), [
      'error | Finance Slack | token_revoked · in 2 deployments · 2 not satisfied',
      'account | Ops Slack | in 2 deployments',
      'question | No account | unknown · in 2 deployments',
      'circle-large-outline | 1 not read yet',
    ]);
  });

  it('lists the deployments that were not read yet', () => {
    const { rowsBelow, roots } = create({ isGrouped: true });
    assert.deepEqual(rowsBelow(roots[3]), ['circle-large-outline | gone | not read yet']);
  });

  it('shows the state of each deployment below an account without an error', () => {
    const { rowsBelow, roots } = create({ isGrouped: true });
    assert.deepEqual(rowsBelow(roots[1]), [
      'error | billing | not bound',
      'pass | triage | not bound',
    ]);
  });

  it('shows the advice for all deployments below a failed account', () => {
    const { rowsBelow, roots } = create({ isGrouped: true });
    assert.deepEqual(rowsBelow(roots[0]), [
      'lightbulb | Reconnect Finance Slack | with channels:read +1',
      'error | token_revoked | The workspace admin removed the app.',
      'error | billing | notifier',
      'error | refunds | post',
    ]);
  });

  it('tells a screen reader the scopes that all deployments together need', () => {
    const { provider, roots } = create({ isGrouped: true });
    const [advice] = provider.getChildren(roots[0]);
    const { spoken } = look(provider.getTreeItem(advice!));
    assert.equal(
      spoken,
      'Reconnect Finance Slack (slack) with the scopes channels:read, users:read.',
    );
  });

  it('shows the requirements that need the account below a deployment', () => {
    const { provider, rowsBelow, roots } = create({ isGrouped: true });
    const refunds = provider.getChildren(roots[0])[3];
    assert.deepEqual(rowsBelow(refunds), ['debug-disconnect | post | needs Finance Slack']);
  });

  describe('with a muted account', () => {
    const mute = { until: now + minutes(5), isUntilChange: false };
    const memory = { ...seenBefore, muteOf: () => mute };
    const group = () =>
      rowsOfGroups(deployment({ id: 'a', authorization: ofOps(false), memory }), memory)[0]!;

    it('says when the mute ends', () => {
      assert.match(group().row, /^bell-slash \| Ops Slack \| muted until [^·]*$/);
    });

    it('tells a screen reader when the mute ends', () => {
      assert.match(group().spoken, /^Ops Slack, account, muted until /);
    });

    it('offers to unmute', () => {
      assert.equal(group().menu, 'account works canUnmute');
    });
  });

  it('says of several mutes when the first one ends', () => {
    const requirements = ['post', 'read'].map((binding) => ({
      binding,
      accountId: 'acc_1',
      satisfied: false,
    }));
    const memory = {
      ...seenBefore,
      muteOf: (problem: Identity) => ({
        until: now + minutes(5),
        isUntilChange: isOfPost(problem),
      }),
    };
    const postEndsLast = {
      ...memory,
      muteOf: (problem: Identity) => ({
        until: now + minutes(isOfPost(problem) ? 60 : 5),
        isUntilChange: isOfPost(problem),
      }),
    };
    const [group] = rowsOfGroups(
      deployment({ id: 'a', authorization: { accounts: [ops!], requirements }, memory }),
      postEndsLast,
    );
    assert.match(group!.row, /^bell-slash \| Ops Slack \| muted until \d/);
  });

  describe('with a requirement without an account', () => {
    const requirements = [{ binding: 'post', satisfied: false }];
    const group = () =>
      rowsOfGroups(deployment({ id: 'a', authorization: { accounts: [], requirements } }))[0]!;

    it('counts the requirement in a row of its own', () => {
      assert.equal(group().row, 'warning | No account | 1 not satisfied');
    });

    it('offers no ID to copy', () => {
      assert.equal(group().menu, 'noAccount canMute canNotify');
    });
  });

  for (const [what, authorization, spoken] of [
    [
      'a failed account without a code',
      { accounts: [{ ...ops!, error: {} }], requirements: [] },
      'Ops Slack, account, failed',
    ],
    [
      'an account with an unsatisfied requirement',
      ofOps(false),
      'Ops Slack, account, 1 not satisfied',
    ],
  ] as const) {
    it(`tells a screen reader once the state of ${what}`, () => {
      const [group] = rowsOfGroups(deployment({ id: 'a', authorization }));
      assert.equal(group!.spoken.replace(', slack', ''), spoken);
    });
  }

  it('shows an account as unknown when none of its deployments can be read', () => {
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

/** The row of Finance Slack among these. */
const rowOfFinance = (rows: readonly string[]) =>
  rows.find((row) => row.startsWith('error | Finance'));

/** The view after another deployment has left the list, and what it has drawn again since then. */
function createWithOneLeft() {
  const world = create({ isGrouped: false });
  const redrawn: unknown[] = [];
  world.provider.onDidChangeTreeData((event) => redrawn.push(event ?? 'all rows'));
  world.source.store.deployments = world.deployments.slice(0, 1);
  return { ...world, redrawn };
}

describe('a failed account of two deployments', () => {
  it('is the cause in the row of a deployment', () => {
    const { rowsBelow } = create({ isGrouped: false });
    assert.equal(rowsBelow()[0], 'error | billing | Finance Slack failed');
  });

  it('has the number of its deployments in its row', () => {
    const { rowsBelow, roots } = create({ isGrouped: false });
    assert.equal(
      rowOfFinance(rowsBelow(roots[0])),
      'error | Finance Slack | token_revoked · in 2 deployments',
    );
  });

  it('has its other deployment in the hover of a deployment', () => {
    const { provider, roots } = create({ isGrouped: false });
    const { tooltip } = provider.resolveTreeItem(provider.getTreeItem(roots[0]!), roots[0]!);
    assert.match(readIn(tooltip), /Also affects \*\*\[refunds\]/);
  });

  describe('that loses one', () => {
    it('is not drawn again while a refresh runs', () => {
      const { source, provider, redrawn } = createWithOneLeft();
      source.store.progress = { done: 0, total: 1 };
      provider.redraw(new Set());
      assert.deepEqual(redrawn, []);
    });

    it('is drawn again when the refresh ends', () => {
      const { source, provider, redrawn } = createWithOneLeft();
      source.store.progress = { done: 0, total: 1 };
      provider.redraw(new Set());
      source.store.progress = undefined;
      provider.redraw(new Set());
      assert.deepEqual(redrawn, ['all rows']);
    });

    it('has no number in its row', () => {
      const { provider, rowsBelow } = createWithOneLeft();
      provider.redraw(new Set());
      const [billingRow] = provider.getChildren();
      assert.equal(rowOfFinance(rowsBelow(billingRow)), 'error | Finance Slack | token_revoked');
    });
  });
});

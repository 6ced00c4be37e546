import { strict as assert } from 'node:assert';
import { clockTime } from '../../../src/host/text/format.js';
import type { Deployment } from '../../../src/model/findings/deployment.js';
import { accountHover, deploymentHover } from '../../../src/views/hover.js';
import type { HoverContext } from '../../../src/views/hoverContext.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { ManualClock } from '../../support/manualClock.js';
import {
  below,
  billing,
  type DeploymentFacts,
  deployment,
  linesOf,
  look,
  minutes,
  now,
  organization,
  sourceOf,
} from '../../support/window/fixtures.js';

/** The account of `billing`, in a deployment that needs it and one that does not. */
const repaired = { accounts: [{ id: 'acc_2', label: 'Finance Slack' }], requirements: [] };
const expired = {
  accounts: [{ ...billing.accounts[0]!, error: { code: 'expired' } }],
  requirements: [],
};

const named = (id: string, facts: DeploymentFacts): Deployment =>
  deployment({ id, label: `Flow ${id}`, ...facts });
const timeOf = (age: number): string => clockTime(now - minutes(age), now);

/** a and b said 30 min ago that the account has failed; c says since 2 min that it works. */
const fixed = [
  named('a', { authorization: billing, age: 30 }),
  named('b', { authorization: billing, age: 30 }),
  named('c', { authorization: repaired, age: 2 }),
];

function contextOf(deployments: readonly Deployment[]): HoverContext {
  const { impact, memory, owners } = sourceOf(...deployments);
  return {
    organization,
    isOneOfSeveral: false,
    cause: undefined,
    now,
    hasDashboard: false,
    impact,
    memory,
    owners,
  };
}

const hoverOf = (one: Deployment, all: readonly Deployment[]) =>
  linesOf(deploymentHover(one, contextOf(all)));

describe('a hover, while deployments say different things of one account,', () => {
  const works = `Finance Slack works in Flow c as of ${timeOf(2)}.`;
  const failed = `Finance Slack failed in Flow a, Flow b as of ${timeOf(30)}: token_revoked.`;

  it('asks nobody to reconnect what works by the newest answer, and says both', () => {
    const lines = hoverOf(fixed[0]!, fixed);
    assert.ok(lines.includes(`${works} ${failed}`), lines.join('\n'));
    const advice = lines.find((line) => line.startsWith('$(lightbulb)'));
    assert.match(
      advice!,
      /^\$\(lightbulb\) Refresh to see whether this is fixed here, too\. notifier needs it\./,
    );
    assert.match(lines.join('\n'), /^Refresh · Notify When Fixed · Mute\.\.\. · /m);
    assert.doesNotMatch(lines.join('\n'), /Reconnect|Copy Request/);
  });

  it('leaves out whom the newest answer clears', () => {
    assert.ok(hoverOf(fixed[0]!, fixed).includes('Also affects Flow b.'));
  });

  it('says of the deployment with the newest answer where the account has failed', () => {
    assert.ok(hoverOf(fixed[2]!, fixed).includes(`${works} ${failed}`));
  });

  it('asks to reconnect what has failed by the newest answer, and says where it worked before', () => {
    const failing = [
      named('a', { authorization: repaired, age: 30 }),
      named('b', { authorization: billing, age: 2 }),
    ];
    const both =
      `Finance Slack failed in Flow b as of ${timeOf(2)}: token_revoked. ` +
      `Finance Slack works in Flow a as of ${timeOf(30)}.`;
    for (const one of failing) assert.ok(hoverOf(one, failing).includes(both));
    assert.match(hoverOf(failing[1]!, failing).join('\n'), /Reconnect Finance Slack/);
  });

  it('names each error and where it is', () => {
    const errors = [
      named('a', { authorization: billing, age: 30 }),
      named('b', { authorization: expired, age: 2 }),
    ];
    const both =
      `Finance Slack failed in Flow b as of ${timeOf(2)}: expired. ` +
      `Finance Slack failed in Flow a as of ${timeOf(30)}: token_revoked.`;
    for (const one of errors) assert.ok(hoverOf(one, errors).includes(both));
  });

  it('of the account says so, too', () => {
    const [finding] = fixed[0]!.answer!.findings.accounts;
    const lines = linesOf(accountHover(finding!, fixed[0]!, contextOf(fixed)));
    assert.ok(lines.includes(`${works} ${failed}`), lines.join('\n'));
    assert.ok(lines.includes('Needed by 2 of 3 deployments: Flow a, Flow b.'), lines.join('\n'));
  });

  it('says nothing of it once all say the same', () => {
    const agreed = [
      named('a', { authorization: billing, age: 2 }),
      named('b', { authorization: billing, age: 30 }),
    ];
    assert.doesNotMatch(hoverOf(agreed[0]!, agreed).join('\n'), / as of /);
  });
});

function rows(isByAccount: boolean, deployments: readonly Deployment[] = fixed) {
  const source = { ...sourceOf(...deployments), grouping: { isOn: isByAccount } };
  const provider = new DeploymentsProvider(source, new ManualClock(now));
  return below(provider).map((element) => {
    const item = provider.getTreeItem(element);
    return { kind: element.kind, ...look(item), menu: item.contextValue };
  });
}

/** Of the account of `billing`, grouped by account. */
function groupOf(deployments: readonly Deployment[]) {
  return rows(true, deployments).find(
    ({ kind, text }) => kind === 'group' && text.startsWith('Finance Slack'),
  )!;
}

describe('a row, while a newer answer contradicts its own,', () => {
  const asOf = `as of ${timeOf(30)}`;

  it('of the deployment keeps state and cause, and says as of when', () => {
    const [a, b, c] = rows(false).filter(({ kind }) => kind === 'deployment');
    for (const row of [a!, b!]) {
      assert.match(row.text, new RegExp(`^Flow [ab] \\| Finance Slack failed · ${asOf}$`));
      assert.match(
        row.spoken,
        new RegExp(`^Flow [ab], deployment, Failing, Finance Slack failed, ${asOf}$`),
      );
      assert.equal(row.icon, 'error problemsErrorIcon.foreground');
    }
    assert.equal(c!.text, 'Flow c');
  });

  it('of its account says as of when, also below a requirement', () => {
    const accounts = rows(false).filter(
      ({ kind, text }) => kind === 'account' && text.startsWith('Finance Slack'),
    );
    assert.deepEqual(
      accounts.map(({ text }) => text.includes(asOf)),
      [true, true, true, true, false],
    );
  });

  it('offers Refresh in place of the advice to reconnect', () => {
    const advice = rows(false).filter(({ kind }) => kind === 'advice');
    const refresh = 'Refresh this deployment | Finance Slack works in Flow c';
    assert.deepEqual(
      advice.map(({ text, menu }) => [text, menu]),
      [
        [refresh, 'outdated'],
        [refresh, 'outdated'],
      ],
    );
  });

  it('of a deployment below the account says as of when', () => {
    const members = rows(true).filter(
      ({ kind, text }) => kind === 'member' && /^Flow [ab] \| notifier/.test(text),
    );
    assert.deepEqual(
      members.map(({ text }) => text),
      ['a', 'b'].map((id) => `Flow ${id} | notifier · ${asOf}`),
    );
  });

  it('of the account is as bad as the worst of its deployments, and says in how many it has failed', () => {
    const failing = [
      named('a', { authorization: repaired, age: 30 }),
      named('b', { authorization: billing, age: 2 }),
    ];
    const red = 'error problemsErrorIcon.foreground';
    const [cleared, broken] = [groupOf(fixed), groupOf(failing)];
    assert.deepEqual(
      [cleared.icon, cleared.text],
      [red, 'Finance Slack | failed in 2 of 3 · 2 not satisfied'],
    );
    assert.deepEqual(
      [broken.icon, broken.text],
      [red, 'Finance Slack | token_revoked · failed in 1 of 2 · 1 not satisfied'],
    );
    assert.match(cleared.spoken, /^Finance Slack, account, failed in 2 of 3, 2 not satisfied$/);
  });

  it('of a healthy deployment says as of when it was', () => {
    const failing = [
      named('a', { authorization: repaired, age: 30 }),
      named('b', { authorization: billing, age: 2 }),
    ];
    const texts = rows(false, failing).filter(({ kind }) => kind === 'deployment');
    assert.deepEqual(
      texts.map(({ text }) => text),
      [`Flow a | ${asOf}`, 'Flow b | Finance Slack failed'],
    );
  });
});

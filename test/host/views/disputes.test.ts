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

/** An answer in which the account of `billing` works. */
const repaired = { accounts: [{ id: 'acc_2', label: 'Finance Slack' }], requirements: [] };
const expired = {
  accounts: [{ ...billing.accounts[0]!, error: { code: 'expired' } }],
  requirements: [],
};

const named = (id: string, facts: DeploymentFacts): Deployment =>
  deployment({ id, label: `Flow ${id}`, ...facts });
const timeOf = (age: number): string => clockTime(now - minutes(age), now);

/** a and b said 30 min ago that the account has failed; c says since 2 min that it works. */
const fixedA = named('a', { authorization: billing, age: 30 });
const fixedB = named('b', { authorization: billing, age: 30 });
const fixedC = named('c', { authorization: repaired, age: 2 });
const fixed = [fixedA, fixedB, fixedC];

function contextOf(deployments: readonly Deployment[]): HoverContext {
  const { impact, memory, muteEntries, owners } = sourceOf(...deployments);
  return {
    organization,
    isOneOfSeveral: false,
    cause: undefined,
    now,
    hasDashboard: false,
    impact,
    memory,
    muteEntries,
    owners,
  };
}

const hoverOf = (one: Deployment, all: readonly Deployment[]) =>
  linesOf(deploymentHover(one, contextOf(all)));

/** a said 30 min ago that the account works; b says since 2 min that it has failed. */
const broken = [
  named('a', { authorization: repaired, age: 30 }),
  named('b', { authorization: billing, age: 2 }),
];

const works = `Finance Slack works in Flow c as of ${timeOf(2)}.`;
const failed = `Finance Slack failed in Flow a, Flow b as of ${timeOf(30)}: token_revoked.`;

/** Shows that the hover has this line; the failure prints the whole hover. */
function assertLine(lines: readonly string[], line: string): void {
  const found = lines.filter((one) => one === line);
  assert.deepEqual(found, [line], lines.join('\n'));
}

describe('the hover of a contradicted deployment', () => {
  it('says where the account works and where it has failed', () => {
    assertLine(hoverOf(fixedA, fixed), `${works} ${failed}`);
  });

  it('advises Refresh, no Reconnect, when the last answer is good', () => {
    const text = hoverOf(fixedA, fixed).join('\n');
    assert.match(
      text,
      /^\$\(lightbulb\) Refresh to see whether this is fixed here, too\. notifier needs it\./m,
    );
    assert.match(text, /^Refresh · Notify When Fixed · Mute\.\.\. · /m);
    assert.doesNotMatch(text, /Reconnect|Copy Request/);
  });

  it('names only failing deployments as affected', () => {
    assertLine(hoverOf(fixedA, fixed), 'Also affects Flow b.');
  });

  it('says where the account has failed when it is the last answer', () => {
    assertLine(hoverOf(fixedC, fixed), `${works} ${failed}`);
  });

  it('says where the account worked when the last answer is bad', () => {
    const both =
      `Finance Slack failed in Flow b as of ${timeOf(2)}: token_revoked. ` +
      `Finance Slack works in Flow a as of ${timeOf(30)}.`;
    for (const one of broken) assertLine(hoverOf(one, broken), both);
  });

  it('advises to reconnect when the last answer is bad', () => {
    assert.match(hoverOf(broken[1]!, broken).join('\n'), /Reconnect Finance Slack/);
  });

  it('names the deployments of each error', () => {
    const errors = [
      named('a', { authorization: billing, age: 30 }),
      named('b', { authorization: expired, age: 2 }),
    ];
    const both =
      `Finance Slack failed in Flow b as of ${timeOf(2)}: expired. ` +
      `Finance Slack failed in Flow a as of ${timeOf(30)}: token_revoked.`;
    for (const one of errors) assertLine(hoverOf(one, errors), both);
  });

  it('says no time once all answers are the same', () => {
    const agreed = [
      named('a', { authorization: billing, age: 2 }),
      named('b', { authorization: billing, age: 30 }),
    ];
    assert.doesNotMatch(hoverOf(agreed[0]!, agreed).join('\n'), / as of /);
  });
});

describe('the hover of a contradicted account', () => {
  const [finding] = fixedA.answer!.findings.accounts;
  const lines = linesOf(accountHover(finding!, fixedA, contextOf(fixed)));

  it('says where the account works and where it has failed', () => {
    assertLine(lines, `${works} ${failed}`);
  });

  it('names the deployments that need the account', () => {
    assertLine(lines, 'Needed by 2 of 3 deployments: Flow a, Flow b.');
  });
});

/** The rows of the view, grouped by account or not: kind, look, and context value of each. */
function rowsOf(
  deployments: readonly Deployment[],
  { isByAccount }: { readonly isByAccount: boolean } = { isByAccount: false },
) {
  const source = {
    ...sourceOf(...deployments),
    grouping: { by: isByAccount ? ('account' as const) : ('deployment' as const) },
  };
  const provider = new DeploymentsProvider(source, new ManualClock(now));
  return below(provider).map((element) => {
    const item = provider.getTreeItem(element);
    return { kind: element.kind, ...look(item), menu: item.contextValue };
  });
}

/** The row of the account of `billing`, grouped by account. */
function groupOf(deployments: readonly Deployment[]) {
  return rowsOf(deployments, { isByAccount: true }).find(
    ({ kind, text }) => kind === 'accountGroup' && text.startsWith('Finance Slack'),
  )!;
}

const texts = (rows: readonly { readonly text: string }[]) => rows.map(({ text }) => text);
const asOf = `as of ${timeOf(30)}`;
const red = 'error problemsErrorIcon.foreground';

describe('the row of a contradicted deployment', () => {
  const deploymentRows = rowsOf(fixed).filter(({ kind }) => kind === 'deployment');
  const contradicted = deploymentRows.slice(0, 2);

  it('says as of when its account has failed', () => {
    assert.deepEqual(texts(deploymentRows), [
      `Flow a | Finance Slack failed · ${asOf}`,
      `Flow b | Finance Slack failed · ${asOf}`,
      'Flow c',
    ]);
  });

  it('says to a screen reader as of when its account has failed', () => {
    const spoken = contradicted.map((row) => row.spoken);
    assert.deepEqual(spoken, [
      `Flow a, deployment, Failing, Finance Slack failed, ${asOf}`,
      `Flow b, deployment, Failing, Finance Slack failed, ${asOf}`,
    ]);
  });

  it('keeps its icon', () => {
    const icons = contradicted.map(({ icon }) => icon);
    assert.deepEqual(icons, [red, red]);
  });

  it('says as of when the deployment was healthy', () => {
    const rows = rowsOf(broken).filter(({ kind }) => kind === 'deployment');
    assert.deepEqual(texts(rows), [`Flow a | ${asOf}`, 'Flow b | Finance Slack failed']);
  });

  it('says as of when its account has failed below the account', () => {
    const members = rowsOf(fixed, { isByAccount: true }).filter(
      ({ kind, text }) => kind === 'member' && /^Flow [ab] \| notifier/.test(text),
    );
    assert.deepEqual(texts(members), [
      `Flow a | notifier · ${asOf}`,
      `Flow b | notifier · ${asOf}`,
    ]);
  });

  it('offers Refresh below it rather than advice to reconnect', () => {
    const advice = rowsOf(fixed).filter(({ kind }) => kind === 'advice');
    const refresh = 'Refresh this deployment | Finance Slack works in Flow c';
    assert.deepEqual(texts(advice), [refresh, refresh]);
    const menus = advice.map(({ menu }) => menu);
    assert.deepEqual(menus, ['outdated', 'outdated']);
  });
});

describe('the row of a contradicted account', () => {
  it('says as of when it has failed, even below a requirement', () => {
    const accounts = rowsOf(fixed).filter(
      ({ kind, text }) => kind === 'account' && text.startsWith('Finance Slack'),
    );
    assert.deepEqual(texts(accounts), [
      `Finance Slack | token_revoked · ${asOf} · in 3 deployments`,
      `Finance Slack | failed: token_revoked · ${asOf} · in 3 deployments`,
      `Finance Slack | token_revoked · ${asOf} · in 3 deployments`,
      `Finance Slack | failed: token_revoked · ${asOf} · in 3 deployments`,
      'Finance Slack | in 3 deployments',
    ]);
  });

  it('counts where it has failed when the last answer is good', () => {
    const { text, spoken } = groupOf(fixed);
    assert.equal(text, 'Finance Slack | failed in 2 of 3 · 2 not satisfied');
    assert.equal(spoken, 'Finance Slack, account, failed in 2 of 3, 2 not satisfied');
  });

  it('begins with the error when the last answer is bad', () => {
    const { text } = groupOf(broken);
    assert.equal(text, 'Finance Slack | token_revoked · failed in 1 of 2 · 1 not satisfied');
  });

  for (const [when, deployments] of [
    ['good', fixed],
    ['bad', broken],
  ] as const) {
    it(`has its worst deployment’s icon when the last answer is ${when}`, () => {
      assert.equal(groupOf(deployments).icon, red);
    });
  }
});

import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { futureDayOrTime } from '../../../src/host/text/format.js';
import { day } from '../../../src/model/base/time.js';
import type { Deployment } from '../../../src/model/findings/deployment.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { ManualClock } from '../../support/manualClock.js';
import {
  below,
  billing,
  deployment,
  look,
  now,
  readIn,
  sourceOf,
} from '../../support/window/fixtures.js';
import { memoryOf, muteOfFinance, mutesOf, reason } from '../../support/window/mutes.js';

const said = 'muted for everyone until Dec 31 · App review at Slack, FIN-1234';

/** An account that works, to which requirements without scopes are bound. */
const ops = { id: 'acc_1', label: 'Ops Slack' };

function unsatisfied(binding: string) {
  return { binding, accountId: 'acc_1', satisfied: false };
}

/** An entry that mutes a requirement of dep_1 without missing scopes. */
function muteOfRequirement(requirement: string, fields: object = {}) {
  const subject = { deployment: 'dep_1', requirement, missing: [] };
  return { ...subject, since: '2026-11-20', until: '2026-12-31', reason, ...fields };
}

/** The rows of dep_1, of which .vscode/settings.json mutes something, and all below it. */
function create(authorization: DeploymentAuthorization, ...entries: readonly object[]) {
  const muteEntries = mutesOf(entries);
  const memory = memoryOf(muteEntries);
  const one = deployment({ authorization, memory });
  const source = { ...sourceOf(one), memory, muteEntries };
  const provider = new DeploymentsProvider(source, new ManualClock(now));
  const rows = () =>
    below(provider).map((element) => {
      const item = provider.getTreeItem(element);
      const hover = () => readIn(provider.resolveTreeItem(item, element).tooltip);
      return { ...look(item), kind: element.kind, menu: item.contextValue, hover };
    });
  return {
    memory,
    one,
    source,
    rows,
    /** The first row of a kind whose text contains this. */
    row: (kind: string, text = '') =>
      rows().find((row) => row.kind === kind && row.text.includes(text))!,
  };
}

/** Mutes what a deployment has for the user alone. */
function muteForUser({ memory, one }: ReturnType<typeof create>, until: number): void {
  const problems = one.answer!.findings.problems.map((problem) => ({ deployment: one, problem }));
  memory.mute(problems, until);
}

describe('a problem that is muted for everyone', () => {
  it('says until when and why in its row, and in each row below', () => {
    const { rows } = create(billing, muteOfFinance());
    const texts = rows().filter(({ text }) => text.includes('muted'));
    assert.deepEqual(
      texts.map(({ icon, text }) => `${icon.split(' ')[0]} | ${text}`),
      [
        `question | dep_1 | 1 unknown · Finance Slack · ${said}`,
        `lightbulb | Reconnect Finance Slack | ${said} · with channels:read`,
        `bell-slash | Finance Slack | token_revoked · ${said}`,
        `circle-slash | notifier | needs Finance Slack · ${said}`,
        `bell-slash | Finance Slack | failed: token_revoked · ${said}`,
      ],
    );
  });

  it('tells a screen reader until when and why', () => {
    const { row } = create(billing, muteOfFinance());
    assert.equal(
      row('account').spoken,
      'Finance Slack, account, failed, token_revoked, muted for everyone until Dec 31, App review at Slack, FIN-1234, slack, checked 3 hours ago',
    );
  });

  it('is gray', () => {
    const { row } = create(billing, muteOfFinance());
    assert.equal(row('account').decorated, 'muted');
  });

  it('names the year of an end that is not in this year', () => {
    const { row } = create(billing, muteOfFinance({ until: '2027-03-03' }));
    assert.match(row('account').text, /muted for everyone until Mar 3, 2027 · /);
  });

  it('names no weekday', () => {
    const { row } = create(billing, muteOfFinance({ until: '2026-11-21' }));
    assert.match(row('account').text, /muted for everyone until Nov 21 · /);
  });

  it('shortens a long reason in rows', () => {
    const { row } = create(billing, muteOfFinance({ reason: 'a'.repeat(200) }));
    assert.match(row('account').text, / · a{79}…$/);
  });

  it('has the whole of a long reason in hovers', () => {
    const { row } = create(billing, muteOfFinance({ reason: 'a'.repeat(200) }));
    assert.match(row('account').hover(), /“a{200}”\./);
  });

  it('says in its hover where the entry stands, and that its day is one in UTC', () => {
    const { row } = create(billing, muteOfFinance());
    const sentence = /Muted for everyone.*”\./.exec(row('account').hover())?.[0];
    assert.equal(
      sentence,
      'Muted for everyone in .vscode/settings.json until Dec 31, 2026 (UTC): “App review at Slack, FIN-1234”.',
    );
  });

  it('names a requirement before the end and the reason', () => {
    const answer = { accounts: [ops], requirements: [unsatisfied('post')] };
    const { row } = create(answer, muteOfRequirement('post'));
    assert.equal(row('deployment').text, `dep_1 | post · ${said}`);
  });

  it('names a requirement before the end and the reason in the row of the advice', () => {
    const answer = { accounts: [ops], requirements: [unsatisfied('post')] };
    const { row } = create(answer, muteOfRequirement('post'));
    assert.equal(row('advice').text, `Reconnect Ops Slack | for post · ${said}`);
  });

  it('tells a screen reader its name before the reason', () => {
    const answer = { accounts: [ops], requirements: [unsatisfied('post')] };
    const { row } = create(answer, muteOfRequirement('post'));
    assert.equal(
      row('deployment').spoken,
      'dep_1, deployment, Muted for everyone until Dec 31, not satisfied, App review at Slack, FIN-1234',
    );
  });

  it('says when the user’s own mute ends if that ends later', () => {
    const world = create(billing, muteOfFinance());
    const end = now + 80 * day;
    muteForUser(world, end);
    const { text } = world.row('account');
    assert.equal(text, `Finance Slack | token_revoked · muted until ${futureDayOrTime(end, now)}`);
  });

  it('says when the mute for everyone ends if that ends later', () => {
    const world = create(billing, muteOfFinance());
    muteForUser(world, now + day);
    assert.equal(world.row('account').text, `Finance Slack | token_revoked · ${said}`);
  });
});

describe('four accounts that are muted for everyone', () => {
  const labels = ['East', 'West', 'North', 'South'];
  const accounts = labels.map((label) => ({ id: label, label, error: {} }));
  const entriesWith = (fieldsOf: (label: string) => object) =>
    labels.map((account) => muteOfFinance({ account, error: '', ...fieldsOf(account) }));
  const textOf = (entries: readonly object[]) =>
    create({ accounts, requirements: [] }, ...entries).row('joinedAdvice').text;

  it('say the reason that all have', () => {
    const entries = entriesWith(() => ({}));
    assert.equal(textOf(entries), `Reconnect 4 accounts | ${said}`);
  });

  it('say only when the first mute ends if the reasons differ', () => {
    const entries = entriesWith((label) => ({ reason: `App review of ${label}` }));
    assert.equal(textOf(entries), 'Reconnect 4 accounts | muted until Dec 31');
  });

  it('say only when the first mute ends if the ends differ', () => {
    const entries = entriesWith((label) => (label === 'East' ? { until: '2026-12-01' } : {}));
    assert.equal(textOf(entries), 'Reconnect 4 accounts | muted until Dec 1');
  });
});

describe('a problem that has changed since it was muted for everyone', () => {
  const changed = () => create(billing, muteOfFinance({ error: 'account_inactive' }));

  it('says so in the row of the account', () => {
    assert.equal(
      changed().row('account').text,
      'Finance Slack | token_revoked · changed since it was muted',
    );
  });

  it('says so in the row of the advice', () => {
    assert.equal(
      changed().row('advice').text,
      'Reconnect Finance Slack | changed since it was muted · with channels:read',
    );
  });

  it('says so at the end of the row of the deployment', () => {
    assert.equal(
      changed().row('deployment').text,
      'dep_1 | Finance Slack failed · changed since it was muted',
    );
  });

  it('tells a screen reader so', () => {
    assert.match(
      changed().row('account').spoken,
      /^Finance Slack, account, failed, token_revoked, changed since it was muted, /,
    );
  });

  it('says in the hover of an account why it counts again', () => {
    assert.match(
      changed().row('account').hover(),
      /The error has changed since the account was muted for everyone, so the problem counts again\./,
    );
  });

  it('says so in the row of a requirement', () => {
    const answer = { accounts: [ops], requirements: [unsatisfied('post')] };
    const { row } = create(answer, muteOfRequirement('post', { missing: ['read'] }));
    assert.equal(row('requirement').text, 'post | not satisfied · changed since it was muted');
  });

  it('says in the hover of a requirement why it counts again', () => {
    const answer = { accounts: [ops], requirements: [unsatisfied('post')] };
    const { row } = create(answer, muteOfRequirement('post', { missing: ['read'] }));
    assert.match(
      row('requirement').hover(),
      /The missing scopes have changed since the requirement was muted for everyone, so the problem counts again\./,
    );
  });

  it('is muted like any other when the user mutes it', () => {
    const world = changed();
    muteForUser(world, now + day);
    assert.doesNotMatch(world.row('account').text, /changed since/);
  });
});

describe('a mute for everyone of what works', () => {
  const works = { accounts: [ops], requirements: [{ binding: 'post', satisfied: true }] };
  const muteOfOps = muteOfFinance({ account: 'acc_1' });

  it('is no longer needed by the row of the account', () => {
    const { row } = create(works, muteOfOps);
    assert.equal(row('account').text, 'Ops Slack | mute no longer needed');
  });

  it('is no longer needed by what a screen reader says', () => {
    const { row } = create(works, muteOfOps);
    assert.equal(row('account').spoken, 'Ops Slack, account, no error, mute no longer needed');
  });

  it('is obsolete by the hover of the account, with the step to remove it', () => {
    const { row } = create(works, muteOfOps);
    assert.match(
      row('account').hover(),
      /Ops Slack works, so the mute for everyone in \.vscode\/settings\.json is obsolete\. Remove the entry\./,
    );
  });

  it('is no longer needed by the row of the requirement', () => {
    const { row } = create(works, muteOfRequirement('post'));
    assert.equal(row('requirement').text, 'post | mute no longer needed');
  });

  it('is obsolete by the hover of the requirement, with the step to remove it', () => {
    const { row } = create(works, muteOfRequirement('post'));
    assert.match(
      row('requirement').hover(),
      /post is satisfied, so the mute for everyone in \.vscode\/settings\.json is obsolete\. Remove the entry\./,
    );
  });

  it('is not obsolete when the account has failed in another deployment', () => {
    const { row, source } = create(works, muteOfOps);
    const failed = { accounts: [{ ...ops, error: { code: 'token_revoked' } }], requirements: [] };
    const { memory } = source;
    const others: readonly Deployment[] = [
      ...source.store.deployments,
      deployment({ id: 'dep_2', authorization: failed, memory }),
    ];
    source.store.deployments = others;
    assert.doesNotMatch(row('account', 'Ops').text, /mute/);
  });

  it('is not obsolete by an answer after which a read failed', () => {
    const muteEntries = mutesOf([muteOfOps]);
    const failure = { kind: 'timedOut', after: 30_000 } as const;
    const source = { ...sourceOf(deployment({ authorization: works, failure })), muteEntries };
    const provider = new DeploymentsProvider(source, new ManualClock(now));
    const texts = below(provider).map((element) => look(provider.getTreeItem(element)).text);
    assert.doesNotMatch(texts.join('\n'), /mute/);
  });

  it('says nothing once it has ended', () => {
    const { rows } = create(
      works,
      muteOfFinance({ account: 'acc_1', until: '2026-11-19', since: '2026-11-01' }),
    );
    assert.doesNotMatch(
      rows()
        .map(({ text }) => text)
        .join('\n'),
      /mute/,
    );
  });
});

describe('a mute for everyone of two requirements of one name', () => {
  const twins = { accounts: [ops], requirements: [unsatisfied('post'), unsatisfied('post')] };
  const rowsOfTwins = () =>
    create(twins, muteOfRequirement('post'))
      .rows()
      .filter(({ kind }) => kind === 'requirement');

  it('is ambiguous by the rows of both', () => {
    const texts = rowsOfTwins().map(({ text }) => text);
    const text = 'post | not satisfied · ambiguous mute';
    assert.deepEqual(texts, [text, text]);
  });

  it('is said to mute none of them by the hovers of both', () => {
    const sentence =
      'Several requirements of the deployment have this name, or may have it, so the mute for everyone in .vscode/settings.json mutes none of them. Remove the entry.';
    const hovers = rowsOfTwins().map(({ hover }) => hover().includes(sentence));
    assert.deepEqual(hovers, [true, true]);
  });
});

describe('the row of an account that is muted for everyone in one of two deployments', () => {
  /** The row of the account in the view by account. `mutedIn`: where the folder's entry holds. */
  function groupOf(...mutedIn: readonly string[]) {
    const muteEntries = mutesOf([muteOfFinance()], new Set(mutedIn));
    const memory = memoryOf(muteEntries);
    const deployments = [
      deployment({ id: 'newest', authorization: billing, memory }),
      deployment({ id: 'older', authorization: billing, age: 5, memory }),
    ];
    const source = {
      ...sourceOf(...deployments),
      memory,
      muteEntries,
      grouping: { by: 'account' as const },
    };
    const provider = new DeploymentsProvider(source, new ManualClock(now));
    const [element] = provider.getChildren();
    const item = provider.getTreeItem(element!);
    const [advice] = provider.getChildren(element);
    return {
      ...look(item),
      menu: item.contextValue,
      hover: readIn(provider.resolveTreeItem(item, element!).tooltip),
      advice: look(provider.getTreeItem(advice!)).text,
    };
  }

  for (const id of ['newest', 'older']) {
    it(`has the color of an error when it is muted in the ${id} one`, () => {
      assert.equal(groupOf(id).decorated, 'failed');
    });

    it(`says in how many it is muted when that is the ${id} one`, () => {
      assert.equal(
        groupOf(id).text,
        'Finance Slack | token_revoked · muted for everyone in 1 of 2 · in 2 deployments · 1 not satisfied',
      );
    });

    it(`tells a screen reader in how many it is muted when that is the ${id} one`, () => {
      assert.match(groupOf(id).spoken, /, muted for everyone in 1 of 2, /);
    });

    it(`offers to mute and to unmute when it is muted in the ${id} one`, () => {
      assert.equal(groupOf(id).menu, 'account canMute canUnmute canNotify');
    });

    it(`says in its hover in how many it is muted when that is the ${id} one`, () => {
      assert.match(groupOf(id).hover, /Muted for everyone in 1 of 2 deployments\./);
    });

    it(`offers a request in its hover when it is muted in the ${id} one`, () => {
      assert.match(groupOf(id).hover, /command:automationPlatform\.copyRequest/);
    });

    it(`has an advice that is not muted when it is muted in the ${id} one`, () => {
      assert.equal(groupOf(id).advice, 'Reconnect Finance Slack | with channels:read');
    });
  }

  it('says until when and why when it is muted in both', () => {
    const { text } = groupOf('newest', 'older');
    assert.equal(text, `Finance Slack | token_revoked · ${said} · in 2 deployments`);
  });

  it('says nothing of an entry that holds for neither', () => {
    assert.doesNotMatch(groupOf('other').text, /muted/);
  });
});

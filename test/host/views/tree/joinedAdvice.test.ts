import { strict as assert } from 'node:assert';
import { absoluteTime, clockTime, futureDayOrTime } from '../../../../src/host/text/format.js';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import type { Problem } from '../../../../src/model/findings/findings.js';
import { nothingRemembered, type Remembered } from '../../../../src/model/findings/state.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../support/manualClock.js';
import {
  below,
  deployment,
  look,
  minutes,
  now,
  readIn,
  type Situation,
  seenBefore,
  sent,
  sourceOf,
} from '../../../support/window/fixtures.js';

const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['read'] }];
const works = { id: 'ok', label: 'Ops Slack', connectionMethodId: 'oauth', scopes: [] };
const failed = ['East', 'West', 'North', 'South'].map((label) => ({
  id: label,
  label,
  serviceId: 'crm',
  error: {},
}));

function manyOf(fields: object) {
  return Array.from({ length: 4 }, (_, at) => ({ binding: `r${at}`, satisfied: false, ...fields }));
}

/** The rows of a deployment with this answer, and all below it. */
function rowsOf(
  accounts: readonly object[],
  requirements: readonly object[],
  memory: Remembered = nothingRemembered,
) {
  const source = sourceOf(deployment(sent(accounts, requirements)));
  source.memory = memory;
  return rowsIn(source);
}

function rowsIn(source: Situation) {
  const provider = new DeploymentsProvider(source, new ManualClock(now));
  return below(provider).map((element) => {
    const item = provider.getTreeItem(element);
    return {
      ...look(item),
      element,
      item,
      hover: () => readIn(provider.resolveTreeItem(item, element).tooltip),
    };
  });
}

/** The one row that stands for several problems. */
const adviceOf = (rows: ReturnType<typeof rowsOf>) =>
  rows.find(({ element }) => element.kind === 'joinedAdvice')!;

/** A memory in which the problems of these labels are muted. */
function mutedUntil(end: number, isMuted: (label: string) => boolean): Remembered {
  const mute = { until: end, isUntilChange: false };
  const muteOf = ({ key }: Pick<Problem, 'key'>) => (isMuted(key) ? mute : undefined);
  return { ...nothingRemembered, muteOf };
}

describe('the row for four problems of one kind', () => {
  describe('of failed accounts', () => {
    it('has a lightbulb', () => {
      assert.equal(adviceOf(rowsOf(failed, [])).icon, 'lightbulb editorLightBulb.foreground');
    });

    it('counts the accounts', () => {
      assert.equal(adviceOf(rowsOf(failed, [])).text, 'Reconnect 4 accounts');
    });

    it('tells a screen reader the names', () => {
      assert.equal(
        adviceOf(rowsOf(failed, [])).spoken,
        'Reconnect 4 accounts, East (crm), North (crm), South (crm), West (crm)',
      );
    });

    it('offers to mute and to notify', () => {
      assert.equal(adviceOf(rowsOf(failed, [])).item.contextValue, 'advice canMute canNotify');
    });
  });

  const eligible = { id: 'other', connectionMethodId: 'oauth', scopes: ['read'] };
  const wordings: readonly [label: string, requirement: object][] = [
    ['Grant scopes for 4 requirements', { accountId: 'ok', connections }],
    ['Reconnect accounts for 4 requirements', { accountId: 'ok' }],
    ['Use eligible accounts for 4 requirements', { eligibleAccountIds: ['other'], connections }],
    ['Connect accounts for 4 requirements', {}],
  ];
  for (const [label, requirement] of wordings) {
    it(`says “${label}”`, () => {
      assert.equal(adviceOf(rowsOf([works, eligible], manyOf(requirement))).text, label);
    });
  }

  describe('of which one is muted', () => {
    const memory = mutedUntil(now + minutes(5), (key) => key.includes('East'));
    const row = () => adviceOf(rowsOf(failed, [], memory));

    it('counts the muted one apart', () => {
      assert.equal(row().text, 'Reconnect 3 accounts | 1 muted');
    });

    it('offers both to mute and to unmute', () => {
      assert.equal(row().item.contextValue, 'advice canMute canUnmute canNotify');
    });
  });

  it('names the account when only one is not muted', () => {
    const memory = mutedUntil(now + minutes(5), (key) => !key.includes('East'));
    assert.equal(adviceOf(rowsOf(failed, [], memory)).text, 'Reconnect East | 3 muted');
  });

  it('says until when all four are muted', () => {
    const end = now + minutes(5);
    const memory = mutedUntil(end, () => true);
    const { text } = adviceOf(rowsOf(failed, [], memory));
    assert.equal(text, `Reconnect 4 accounts | muted until ${futureDayOrTime(end, now)}`);
  });

  describe('of which three are muted', () => {
    const requirements = manyOf({ accountId: 'ok', connections });
    const memory = mutedUntil(now + minutes(5), (key) => !key.includes('r1'));
    const row = () => adviceOf(rowsOf([works], requirements, memory));

    it('gives the advice for the fourth', () => {
      assert.equal(row().text, 'Grant read | for r1 · 3 muted');
    });

    it('tells a screen reader the advice once', () => {
      assert.equal(
        row().spoken,
        'Grant read, Reconnect Ops Slack with the scope read. for r1, 3 muted',
      );
    });
  });
});

/** The labels of the links. */
function labelsOf(hover: string): readonly string[] {
  return Array.from(hover.matchAll(/\[([^\]]*)\]\(command:/g), ([, label = '']) => label);
}

/** With plain spaces in times. */
function linesOf(hover: string): readonly string[] {
  return hover.replaceAll('\u202F', ' ').split('\n');
}

describe('the hover of the row for four problems of one kind', () => {
  it('lists the advice for each', () => {
    const lines = linesOf(adviceOf(rowsOf(failed, [])).hover());
    assert.deepEqual(lines.slice(0, 6), [
      '$(lightbulb) **Reconnect 4 accounts**',
      '',
      '- Reconnect East (crm).',
      '- Reconnect North (crm).',
      '- Reconnect South (crm).',
      '- Reconnect West (crm).',
    ]);
  });

  it('has a link that mutes all four', () => {
    const lastLine = linesOf(adviceOf(rowsOf(failed, [])).hover()).at(-1)!;
    const [, argument = ''] =
      /command:automationPlatform\.muteProblem\?([^)]*)\)/.exec(lastLine) ?? [];
    const [{ problems }] = JSON.parse(decodeURIComponent(argument));
    assert.equal(problems.length, 4);
  });

  it('lists a muted problem last', () => {
    const end = now + minutes(5);
    const memory = mutedUntil(end, (key) => key.includes('East'));
    const lines = linesOf(adviceOf(rowsOf(failed, [], memory)).hover());
    assert.deepEqual(lines.slice(0, 6), [
      '$(lightbulb) **Reconnect 3 accounts**',
      '',
      '- Reconnect North (crm).',
      '- Reconnect South (crm).',
      '- Reconnect West (crm).',
      `- Reconnect East (crm). Muted until ${absoluteTime(end).replaceAll('\u202F', ' ')}.`,
    ]);
  });

  it('says the need, age, and owner of each problem', () => {
    const needing = [{ binding: 'notifier', satisfied: false, accountId: 'East' }];
    const source = sourceOf(deployment(sent(failed, needing)));
    source.memory = seenBefore;
    source.owners = { ownerOf: ({ account }) => (account === 'East' ? 'Maria' : undefined) };
    const line = linesOf(adviceOf(rowsIn(source)).hover())[2];
    const seen = `Seen since ${clockTime(now - minutes(90), now)}.`.replaceAll('\u202F', ' ');
    assert.equal(line, `- Reconnect East (crm). notifier needs it. ${seen} Owner: Maria`);
  });

  it('offers no request when all problems are muted', () => {
    const memory = mutedUntil(now + minutes(5), () => true);
    const labels = labelsOf(adviceOf(rowsOf(failed, [], memory)).hover());
    assert.deepEqual(labels, ['Unmute Problem', 'Refresh']);
  });

  it('offers a request when a problem is not muted', () => {
    const memory = mutedUntil(now + minutes(5), (key) => key.includes('East'));
    const labels = labelsOf(adviceOf(rowsOf(failed, [], memory)).hover());
    assert.deepEqual(labels, ['Copy Request', 'Notify When Fixed', 'Mute...', 'Refresh']);
  });

  for (const { what, count, length } of [
    { what: '1,000 accounts', count: 1000, length: 40 },
    { what: '40 accounts with long IDs', count: 40, length: 2000 },
  ]) {
    it(`is not cut by VS Code when there are ${what}`, () => {
      const accounts = Array.from({ length: count }, (_, at) => ({
        id: `${at} `.padEnd(length, 'é'),
        error: {},
      }));
      const hover = adviceOf(rowsOf(accounts, [])).hover();
      assert.ok(hover.length < 100_000, `${hover.length} characters`);
      assert.deepEqual(labelsOf(hover), ['Refresh']);
    });
  }

  it('has all links for 200 accounts with short IDs', () => {
    const accounts = Array.from({ length: 200 }, (_, at) => ({ id: `acc_${at}`, error: {} }));
    const labels = labelsOf(adviceOf(rowsOf(accounts, [])).hover());
    assert.deepEqual(labels, ['Copy Request', 'Notify When Fixed', 'Mute...', 'Refresh']);
  });
});

describe('the row of four failed accounts', () => {
  const old = deployment({ id: 'old', age: 1, ...sent(failed) });

  /** A newer answer, in which so many of the accounts work. */
  function newer(count: number): Deployment {
    return deployment({
      id: 'new',
      ...sent(failed.slice(0, count).map((one) => ({ ...one, error: null }))),
    });
  }

  const rowWhenWorking = (count: number) => adviceOf(rowsIn(sourceOf(old, newer(count))));
  const elsewhere = 'Refresh to see whether this is fixed here, too.';

  it('counts an account that works elsewhere apart', () => {
    assert.equal(rowWhenWorking(1).text, 'Reconnect 3 accounts | 1 working elsewhere');
  });

  it('tells a screen reader the names of the other accounts', () => {
    assert.equal(
      rowWhenWorking(1).spoken,
      'Reconnect 3 accounts, North (crm), South (crm), West (crm), 1 working elsewhere',
    );
  });

  it('counts in its hover the accounts that do not work elsewhere', () => {
    const [title] = linesOf(rowWhenWorking(2).hover());
    assert.equal(title, '$(lightbulb) **Reconnect 2 accounts**');
  });

  it('names in its hover the accounts that work elsewhere', () => {
    const lines = linesOf(rowWhenWorking(2).hover());
    assert.equal(
      lines.find((line) => line.startsWith('Working')),
      `Working in other deployments: East (crm), West (crm). ${elsewhere}`,
    );
  });

  describe('that work elsewhere', () => {
    it('asks for a refresh', () => {
      assert.match(rowWhenWorking(4).text, /^Refresh this deployment \| East works in /);
    });

    it('asks for a refresh in its hover', () => {
      assert.match(rowWhenWorking(4).hover(), /^\$\(lightbulb\) \*\*Refresh this deployment\*\*\n/);
    });

    it('names the accounts in its hover', () => {
      assert.equal(
        linesOf(rowWhenWorking(4).hover()).find((line) => line.startsWith('Working')),
        `Working in other deployments: East (crm), North (crm), South (crm), West (crm). ${elsewhere}`,
      );
    });

    it('offers a refresh first in its hover', () => {
      assert.equal(labelsOf(rowWhenWorking(4).hover())[0], 'Refresh');
    });

    it('offers no reconnect or request in its hover', () => {
      assert.doesNotMatch(rowWhenWorking(4).hover(), /Reconnect|Copy Request/);
    });
  });
});

/** The row that counts the requirements that need failed accounts. */
const effectsIn = (rows: ReturnType<typeof rowsOf>) =>
  rows.find(({ element }) => element.kind === 'effects')!;

describe('the row of the requirements that need the failed accounts', () => {
  const needing = ['East', 'West'].map((accountId) => ({
    binding: `to ${accountId}`,
    satisfied: false,
    accountId,
  }));

  it('counts the requirements', () => {
    const { text } = effectsIn(rowsOf(failed, needing));
    assert.equal(text, '2 requirements need them | to East, to West');
  });

  it('is gray', () => {
    const { icon, decorated } = effectsIn(rowsOf(failed, needing));
    assert.equal(icon, 'debug-disconnect disabledForeground');
    assert.equal(decorated, 'effect');
  });

  it('has the requirements below it', () => {
    const rows = rowsOf(failed, needing);
    const next = rows[rows.indexOf(effectsIn(rows)) + 1];
    assert.equal(next?.text, 'to East | needs East');
  });

  it('counts a single requirement', () => {
    const { text } = effectsIn(rowsOf(failed, needing.slice(0, 1)));
    assert.equal(text, '1 requirement needs them | to East');
  });
});

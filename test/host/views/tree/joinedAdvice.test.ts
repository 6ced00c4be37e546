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

const adviceOf = (rows: ReturnType<typeof rowsOf>) =>
  rows.find(({ element }) => element.kind === 'joinedAdvice')!;

function mutedUntil(end: number, isMuted: (label: string) => boolean): Remembered {
  const ends = ({ key }: Pick<Problem, 'key'>) => (isMuted(key) ? end : undefined);
  return { ...nothingRemembered, mutedUntil: ends };
}

describe('one row for four problems of one kind', () => {
  it('says what to do, and to a screen reader against what', () => {
    const { icon, text, spoken, item } = adviceOf(rowsOf(failed, []));
    assert.equal(icon, 'lightbulb editorLightBulb.foreground');
    assert.equal(text, 'Reconnect 4 accounts');
    assert.equal(spoken, 'Reconnect 4 accounts, East (crm), North (crm), South (crm), West (crm)');
    assert.equal(item.contextValue, 'advice canMute canNotify');
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

  it('lists in its hover the step against each, with links for all of them', () => {
    const lines = adviceOf(rowsOf(failed, [])).hover().split('\n');
    const steps = ['East', 'North', 'South', 'West'].map((name) => `- Reconnect ${name} (crm).`);
    assert.deepEqual(lines.slice(0, 6), ['$(lightbulb) **Reconnect 4 accounts**', '', ...steps]);
    const [, argument = ''] =
      /command:automationPlatform\.muteProblem\?([^)]*)\)/.exec(lines.at(-1)!) ?? [];
    const [{ problems }] = JSON.parse(decodeURIComponent(argument));
    assert.equal(problems.length, 4);
  });

  it('counts what is muted apart, and offers Mute and Unmute', () => {
    const memory = mutedUntil(now + minutes(5), (key) => key.includes('East'));
    const { text, item } = adviceOf(rowsOf(failed, [], memory));
    assert.equal(text, 'Reconnect 3 accounts | 1 muted');
    assert.equal(item.contextValue, 'advice canMute canUnmute canNotify');
  });

  it('names the one problem of them that is not muted', () => {
    const memory = mutedUntil(now + minutes(5), (key) => !key.includes('East'));
    assert.equal(adviceOf(rowsOf(failed, [], memory)).text, 'Reconnect East | 3 muted');
  });

  it('says until when all of them are muted', () => {
    const end = now + minutes(5);
    const { text } = adviceOf(
      rowsOf(
        failed,
        [],
        mutedUntil(end, () => true),
      ),
    );
    assert.equal(text, `Reconnect 4 accounts | muted until ${futureDayOrTime(end, now)}`);
  });

  it('says of the only problem left what its own row would, and speaks it once', () => {
    const requirements = manyOf({ accountId: 'ok', connections });
    const memory = mutedUntil(now + minutes(5), (key) => !key.includes('r1'));
    const { text, spoken } = adviceOf(rowsOf([works], requirements, memory));
    assert.equal(text, 'Grant read | for r1 · 3 muted');
    assert.equal(spoken, 'Grant read, Reconnect Ops Slack with the scope read. for r1, 3 muted');
  });
});

/** The labels of the links. */
function labelsOf(hover: string): readonly string[] {
  return Array.from(hover.matchAll(/\[([^\]]*)\]\(command:/g), ([, label = '']) => label);
}

describe('the hover of one row for four problems of one kind', () => {
  it('has the label of the row, and lists what is muted last, with until when', () => {
    const end = now + minutes(5);
    const { hover } = adviceOf(
      rowsOf(
        failed,
        [],
        mutedUntil(end, (key) => key.includes('East')),
      ),
    );
    const lines = hover().split('\n');
    const steps = ['North', 'South', 'West'].map((name) => `- Reconnect ${name} (crm).`);
    const muted = `- Reconnect East (crm). Muted until ${absoluteTime(end).replaceAll('\u202F', ' ')}.`;
    assert.deepEqual(
      lines.slice(0, 6).map((line) => line.replaceAll('\u202F', ' ')),
      ['$(lightbulb) **Reconnect 3 accounts**', '', ...steps, muted],
    );
  });

  it('says of each problem what needs it, since when it is seen, and the owner', () => {
    const needing = [{ binding: 'notifier', satisfied: false, accountId: 'East' }];
    const source = sourceOf(deployment(sent(failed, needing)));
    source.memory = seenBefore;
    source.owners = { ownerOf: ({ account }) => (account === 'East' ? 'Maria' : undefined) };
    const line = adviceOf(rowsIn(source)).hover().split('\n')[2];
    const seen = `Seen since ${clockTime(now - minutes(90), now)}.`.replaceAll('\u202F', ' ');
    assert.equal(
      line?.replaceAll('\u202F', ' '),
      `- Reconnect East (crm). notifier needs it. ${seen} Owner: Maria`,
    );
  });

  it('offers no request if all problems are muted', () => {
    const muted = mutedUntil(now + minutes(5), () => true);
    assert.deepEqual(labelsOf(adviceOf(rowsOf(failed, [], muted)).hover()), [
      'Unmute Problem',
      'Refresh',
    ]);
  });

  it('offers a request if not all of them are', () => {
    const muted = mutedUntil(now + minutes(5), (key) => key.includes('East'));
    const labels = labelsOf(adviceOf(rowsOf(failed, [], muted)).hover());
    assert.deepEqual(labels, ['Copy Request', 'Notify When Fixed', 'Mute...', 'Refresh']);
  });

  for (const [what, length] of [
    ['many', 40],
    ['long', 2000],
  ] as const) {
    it(`keeps Refresh, and is not longer than VS Code shows, if its problems have ${what} IDs`, () => {
      const count = what === 'many' ? 1000 : 40;
      const accounts = Array.from({ length: count }, (_, at) => ({
        id: `${at} `.padEnd(length, 'é'),
        error: {},
      }));
      const hover = adviceOf(rowsOf(accounts, [])).hover();
      assert.ok(hover.length < 100_000, String(hover.length));
      assert.deepEqual(labelsOf(hover), ['Refresh']);
    });
  }

  it('has all links for 200 problems with short IDs', () => {
    const accounts = Array.from({ length: 200 }, (_, at) => ({ id: `acc_${at}`, error: {} }));
    assert.equal(labelsOf(adviceOf(rowsOf(accounts, [])).hover()).length, 4);
  });
});

describe('one row for four failed accounts, some of which work by a newer answer,', () => {
  const old = deployment({ id: 'old', age: 1, ...sent(failed) });

  function newer(count: number): Deployment {
    return deployment({
      id: 'new',
      ...sent(failed.slice(0, count).map((one) => ({ ...one, error: null }))),
    });
  }

  const rowWith = (count: number) => adviceOf(rowsIn(sourceOf(old, newer(count))));
  const elsewhere = 'Refresh to see whether this is fixed here, too.';

  it('leaves these out, and says how many they are', () => {
    const { text, spoken } = rowWith(1);
    assert.equal(text, 'Reconnect 3 accounts | 1 working elsewhere');
    assert.equal(
      spoken,
      'Reconnect 3 accounts, North (crm), South (crm), West (crm), 1 working elsewhere',
    );
  });

  it('names them in its hover, and says to refresh', () => {
    const lines = rowWith(2).hover().split('\n');
    assert.equal(lines[0], '$(lightbulb) **Reconnect 2 accounts**');
    assert.ok(
      lines.includes(`Working in other deployments: East (crm), West (crm). ${elsewhere}`),
      lines.join('\n'),
    );
  });

  it('asks for a refresh if nothing is left, and so does its hover', () => {
    const { text, hover } = rowWith(4);
    assert.match(text, /^Refresh this deployment \| East works in /);
    const said = hover();
    assert.match(said, /^\$\(lightbulb\) \*\*Refresh this deployment\*\*\n/);
    assert.ok(
      said.includes(
        `Working in other deployments: East (crm), North (crm), South (crm), West (crm). ${elsewhere}`,
      ),
      said,
    );
    assert.doesNotMatch(said, /Reconnect|Copy Request/);
    assert.equal(labelsOf(said)[0], 'Refresh');
  });
});

describe('the row of what needs the failed accounts', () => {
  const needing = ['East', 'West'].map((accountId) => ({
    binding: `to ${accountId}`,
    satisfied: false,
    accountId,
  }));

  it('says how many requirements do, gray, with these below it', () => {
    const rows = rowsOf(failed, needing);
    const at = rows.findIndex(({ element }) => element.kind === 'effects');
    assert.equal(rows[at]!.text, '2 requirements need them | to East, to West');
    assert.deepEqual(
      [rows[at]!.icon, rows[at]!.decorated],
      ['debug-disconnect disabledForeground', 'effect'],
    );
    assert.equal(rows[at + 1]!.text, 'to East | needs East');
  });

  it('says so of one', () => {
    const row = rowsOf(failed, needing.slice(0, 1)).find(
      ({ element }) => element.kind === 'effects',
    )!;
    assert.equal(row.text, '1 requirement needs them | to East');
  });
});

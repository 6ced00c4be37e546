import { strict as assert } from 'node:assert';
import { dayText } from '../../../../src/host/text/format.js';
import type { Problem } from '../../../../src/model/findings/findings.js';
import { nothingRemembered, type Remembered } from '../../../../src/model/findings/state.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../support/manualClock.js';
import { below, deployment, look, minutes, now, readIn, sent, sourceOf } from '../../../support/window/fixtures.js';

const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['read'] }];
const works = { id: 'ok', label: 'Ops Slack', connectionMethodId: 'oauth', scopes: [] };
const failed = ['East', 'West', 'North', 'South'].map((label) => ({ id: label, label, serviceId: 'crm', error: {} }));

function manyOf(fields: object) {
  return Array.from({ length: 4 }, (_, at) => ({ binding: `r${at}`, satisfied: false, ...fields }));
}

function rowsOf(accounts: readonly object[], requirements: readonly object[], memory: Remembered = nothingRemembered) {
  const source = sourceOf(deployment(sent(accounts, requirements)));
  source.memory = memory;
  const provider = new DeploymentsProvider(source, new ManualClock(now));
  return below(provider).map((element) => {
    const item = provider.getTreeItem(element);
    return { ...look(item), element, item, hover: () => readIn(provider.resolveTreeItem(item, element).tooltip) };
  });
}

const adviceOf = (rows: ReturnType<typeof rowsOf>) => rows.find(({ element }) => element.kind === 'joinedAdvice')!;

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
    const [, argument = ''] = /command:automationPlatform\.muteProblem\?([^)]*)\)/.exec(lines.at(-1)!) ?? [];
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
    assert.equal(text, `Reconnect 4 accounts | muted until ${dayText(end, now)}`);
  });

  it('leaves out what another deployment shows to be fixed, and asks for a refresh if nothing is left', () => {
    const old = deployment({ id: 'old', age: 1, ...sent(failed) });
    const newer = (count: number) =>
      deployment({ id: 'new', ...sent(failed.slice(0, count).map((one) => ({ ...one, error: null }))) });
    const labelOf = (count: number) => {
      const provider = new DeploymentsProvider(sourceOf(old, newer(count)), new ManualClock(now));
      return look(provider.getTreeItem(below(provider).find(({ kind }) => kind === 'joinedAdvice')!)).text;
    };
    assert.equal(labelOf(1), 'Reconnect 3 accounts');
    assert.match(labelOf(4), /^Refresh this deployment \| East works in /);
  });
});

describe('the row of what needs the failed accounts', () => {
  const needing = ['East', 'West'].map((accountId) => ({ binding: `to ${accountId}`, satisfied: false, accountId }));

  it('says how many requirements do, gray, with these below it', () => {
    const rows = rowsOf(failed, needing);
    const at = rows.findIndex(({ element }) => element.kind === 'effects');
    assert.equal(rows[at]!.text, '2 requirements need them | to East, to West');
    assert.deepEqual([rows[at]!.icon, rows[at]!.decorated], ['debug-disconnect disabledForeground', 'effect']);
    assert.equal(rows[at + 1]!.text, 'to East | needs East');
  });

  it('says so of one', () => {
    const row = rowsOf(failed, needing.slice(0, 1)).find(({ element }) => element.kind === 'effects')!;
    assert.equal(row.text, '1 requirement needs them | to East');
  });
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { clockTime } from '../../../../../src/host/text/format.js';
import { billing, type DeploymentFacts, minutes, now, rowsOf, satisfied } from '../../fixtures.js';

const read = `read ${clockTime(now, now)}`;
const tried = `tried ${clockTime(now - minutes(1), now)}`;
const stripe = { serviceId: 'stripe', satisfied: true };
const failing = { id: 'a', label: 'The finance department’s Slack', error: {} };
const timedOut = { kind: 'timedOut', after: 30_000 } as const;
const notFound = { kind: 'notFound', status: 404 } as const;
const unreadable = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
const error = 'error problemsErrorIcon.foreground';
const pass = 'pass charts.green';

/** What the row says, and what a screen reader says after name and kind. */
const cases: readonly [DeploymentFacts, icon: string, text: string, spoken: string, decorated?: string][] = [
  [
    { label: 'Billing sync', authorization: billing },
    error,
    'Billing sync | Finance Slack failed',
    `Failed: 1 account failed, 1 of 3 not satisfied, ${read}`,
    'failed',
  ],
  [
    { label: 'Billing synchronization of EU', authorization: { accounts: [failing], requirements: [] } },
    error,
    'Bill… EU | The financ…t’s Slack failed',
    `Failed: 1 account failed, ${read}`,
    'failed',
  ],
  [
    { authorization: { accounts: [failing, { error: {} }], requirements: [{ satisfied: false }] } },
    error,
    'dep_1 | 2 accounts failed',
    `Failed: 2 accounts failed, 1 of 1 not satisfied, ${read}`,
    'failed',
  ],
  [
    {
      authorization: { accounts: [], requirements: [{ satisfied: false }, stripe] },
      age: 61,
      failure: { kind: 'serverError', status: 503 },
    },
    'warning problemsWarningIcon.foreground',
    'dep_1 | 1 of 2 not satisfied · stale, read 1 hour ago',
    `Not satisfied: 1 of 2 not satisfied, stale, Server error, ${tried}, read ${clockTime(now - minutes(61), now)}`,
    'notSatisfied',
  ],
  [{ authorization: satisfied }, pass, 'dep_1 | 2 of 2 satisfied', `Satisfied: 2 of 2 satisfied, ${read}`],
  [
    { authorization: satisfied, age: 3, failure: timedOut },
    'pass disabledForeground',
    'dep_1 | stale, read 3 minutes ago · 2 of 2 satisfied',
    `Satisfied: 2 of 2 satisfied, stale, Timed out, ${tried}, read ${clockTime(now - minutes(3), now)}`,
  ],
  [
    { authorization: satisfied, failure: timedOut },
    'pass disabledForeground',
    'dep_1 | stale · 2 of 2 satisfied',
    `Satisfied: 2 of 2 satisfied, stale, Timed out, ${tried}, ${read}`,
  ],
  [
    { authorization: satisfied, activity: 'reading' },
    'sync~spin',
    'dep_1 | 2 of 2 satisfied · reading',
    `Satisfied: 2 of 2 satisfied, ${read}, reading`,
  ],
  [
    { authorization: { accounts: [], requirements: [stripe, {}] } },
    'question',
    'dep_1 | 1 unknown · 1 of 2 satisfied',
    `Unknown: 1 unknown, 1 of 2 satisfied, ${read}`,
  ],
  [
    { authorization: { accounts: [], requirements: [] }, unreadable },
    pass,
    'dep_1 | 1 field unreadable · nothing required',
    `Satisfied: nothing required, 1 field unreadable, ${read}`,
  ],
  [{}, 'circle-large-outline disabledForeground', 'dep_1 | not read yet', 'Not read yet'],
  [{ activity: 'waiting' }, 'watch disabledForeground', 'dep_1 | waiting', 'Not read yet, waiting'],
  [{ failure: notFound }, 'question', 'dep_1 | Not found', `Unknown, Not found, ${tried}`],
];

describe('the row of a deployment', () => {
  for (const [facts, icon, text, spoken, decorated] of cases) {
    it(text, () => {
      const [row] = rowsOf(facts);
      const said = `${facts.label ?? 'dep_1'}, deployment, ${spoken}`;
      assert.deepEqual([row?.icon, row?.text, row?.spoken, row?.decorated], [icon, text, said, decorated]);
    });
  }

  it('has the element’s id, a menu, opens if there is something below, and selects on a click', () => {
    const { item } = rowsOf({ authorization: billing })[0]!;
    assert.deepEqual([item.id, item.contextValue, item.command], ['deployment:dep_1', 'deployment canMute', undefined]);
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.equal(item.tooltip, undefined, 'the hover is made when somebody asks for it');
    assert.equal(rowsOf({ failure: notFound })[0]!.item.contextValue, 'deploymentNotFound');
  });
});

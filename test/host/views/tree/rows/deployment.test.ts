import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { clockTime } from '../../../../../src/host/text/format.js';
import { billing, type DeploymentFacts, deployment, minutes, now, satisfied, treeOf } from '../../fixtures.js';
import { type Look, look } from '../../look.js';

const read = `read ${clockTime(now, now)}`;
const tried = `tried ${clockTime(now - minutes(1), now)}`;
const stripe = { serviceId: 'stripe', satisfied: true };

const cases: readonly [string, DeploymentFacts, Look][] = [
  [
    'failed',
    { label: 'Billing sync', authorization: billing, age: 2 },
    {
      icon: 'error problemsErrorIcon.foreground',
      text: 'Billing sync | 1 account failed · 1 of 3 not satisfied · 2 min. ago',
      spoken: 'Billing sync, deployment, 1 account failed, 1 of 3 not satisfied, 2 min. ago',
      decorated: '/failed',
    },
  ],
  [
    'not satisfied, and stale',
    {
      label: 'Nightly report',
      authorization: { accounts: [], requirements: [{ satisfied: false }, stripe] },
      age: 61,
      failure: { kind: 'serverError', status: 503 },
    },
    {
      icon: 'warning problemsWarningIcon.foreground',
      text: 'Nightly report | 1 of 2 not satisfied · stale, last read 1 hr. ago · server error (503)',
      spoken: 'Nightly report, deployment, 1 of 2 not satisfied, stale, last read 1 hr. ago, server error (503)',
      decorated: '/notSatisfied',
    },
  ],
  [
    'satisfied',
    { authorization: satisfied },
    {
      icon: 'pass charts.green',
      text: 'dep_1 | 2 of 2 satisfied',
      spoken: `dep_1, deployment, 2 of 2 satisfied, ${read}`,
    },
  ],
  [
    'satisfied when last read',
    { authorization: satisfied, age: 3, failure: { kind: 'timedOut', after: 30_000 } },
    {
      icon: 'pass disabledForeground',
      text: 'dep_1 | 2 of 2 satisfied · stale, last read 3 min. ago · timed out after 30 sec',
      spoken: 'dep_1, deployment, 2 of 2 satisfied, stale, last read 3 min. ago, timed out after 30 sec',
    },
  ],
  [
    'satisfied, and read again',
    { authorization: satisfied, activity: 'reading' },
    {
      icon: 'sync~spin',
      text: 'dep_1 | 2 of 2 satisfied · reading',
      spoken: `dep_1, deployment, 2 of 2 satisfied, reading, ${read}`,
    },
  ],
  [
    'one requirement of which the service says nothing',
    { authorization: { accounts: [], requirements: [stripe, {}] } },
    {
      icon: 'question',
      text: 'dep_1 | 1 of 2 satisfied · 1 unknown',
      spoken: `dep_1, deployment, 1 of 2 satisfied, 1 unknown, ${read}`,
    },
  ],
  [
    'nothing required, with fields that could not be read',
    {
      authorization: { accounts: [], requirements: [] },
      unreadable: [{ path: 'accounts[0].label', expected: 'string', found: 'number' }],
    },
    {
      icon: 'pass charts.green',
      text: 'dep_1 | nothing required · 1 field unreadable',
      spoken: `dep_1, deployment, nothing required, 1 field unreadable, ${read}`,
    },
  ],
  [
    'not read yet',
    {},
    {
      icon: 'circle-large-outline disabledForeground',
      text: 'dep_1 | not checked yet',
      spoken: 'dep_1, deployment, not checked yet',
    },
  ],
  [
    'waiting',
    { activity: 'waiting' },
    { icon: 'watch disabledForeground', text: 'dep_1 | waiting', spoken: 'dep_1, deployment, waiting' },
  ],
  [
    'reading',
    { activity: 'reading' },
    { icon: 'sync~spin', text: 'dep_1 | reading', spoken: 'dep_1, deployment, reading' },
  ],
  [
    'not found',
    { failure: { kind: 'notFound', status: 404 } },
    { icon: 'question', text: 'dep_1 | not found (404)', spoken: `dep_1, deployment, not found (404), ${tried}` },
  ],
  [
    'a name that would like to be more',
    { label: '$(trash) **x**\u202E', authorization: satisfied },
    {
      icon: 'pass charts.green',
      text: '$ (trash) **x**⟨U+202E⟩ | 2 of 2 satisfied',
      spoken: `$(trash) **x**⟨U+202E⟩, deployment, 2 of 2 satisfied, ${read}`,
    },
  ],
];

describe('the row of a deployment', () => {
  for (const [what, facts, expected] of cases) {
    it(what, () => {
      const { root, provider } = treeOf(deployment(facts));
      const item = provider.getTreeItem(root, now);
      assert.deepEqual(look(item), expected);
    });
  }

  it('has the element’s id, a menu, and opens if there is something below', () => {
    const { root, provider } = treeOf(deployment({ authorization: billing }));
    const item = provider.getTreeItem(root, now);
    assert.equal(item.id, root.id);
    assert.equal(item.contextValue, 'deployment');
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.equal(item.tooltip, undefined, 'the hover is made when somebody asks for it');
  });

  it('is made anew when its words have become others, and only then', () => {
    const later: [what: string, facts: DeploymentFacts, after: number, again: boolean][] = [
      ['an age that grew', { authorization: billing }, minutes(1), true],
      ['an age that did not grow', { authorization: billing }, minutes(1) - 1, false],
      ['no age to see', { authorization: satisfied }, minutes(60), false],
      ['a time of yesterday', { authorization: satisfied }, minutes(12 * 60), true],
      ['a clock that was put back', { authorization: satisfied }, -1, true],
      ['a stale row', { authorization: satisfied, failure: { kind: 'notFound', status: 404 } }, minutes(1), true],
      ['a failure', { failure: { kind: 'notFound', status: 404 } }, minutes(60), false],
      ['a failure of yesterday', { failure: { kind: 'notFound', status: 404 } }, minutes(12 * 60), true],
    ];
    for (const [what, facts, after, again] of later) {
      const { root, provider } = treeOf(deployment(facts));
      const itemAt = (time: number) => provider.getTreeItem(root, time);
      const first = itemAt(now);
      assert.equal(itemAt(now + after) !== first, again, what);
    }
  });

  it('is made anew after the view was hidden', () => {
    const { root, provider } = treeOf(deployment({ authorization: satisfied }));
    const make = () => provider.getTreeItem(root, now);
    const first = make();
    assert.equal(make(), first);
    provider.forgetItems();
    assert.notEqual(make(), first);
  });
});

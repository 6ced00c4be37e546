import { strict as assert } from 'node:assert';
import { relativeTime } from '../../../../src/host/text/format.js';
import type { Counts } from '../../../../src/model/deployment.js';
import { viewDescription, welcomeState } from '../../../../src/views/tree/view.js';
import { minutes, now, organization } from '../fixtures.js';

const none: Counts = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };

describe('the view’s description', () => {
  const cases: readonly [expected: string, Partial<Counts>, progress?: { done: number; total: number }][] = [
    ['Acme production', {}],
    ['2 failing · Acme production', { failing: 2, healthy: 12 }],
    ['14 healthy · Acme production', { healthy: 14 }],
    ['None failing, 1 unknown, 2 not read yet · Acme production', { unknown: 1, notYetRead: 2, healthy: 1 }],
    // Nothing was read, so nothing is said of what is wrong.
    ['1 unknown, 2 not read yet · Acme production', { unknown: 1, notYetRead: 2 }],
    ['312 of 10,000 · Acme production', { failing: 2 }, { done: 312, total: 10_000 }],
  ];
  for (const [expected, counts, progress] of cases) {
    it(expected, () => {
      const store = { counts: { ...none, ...counts }, progress };
      assert.equal(viewDescription(organization, store), expected);
      assert.equal(viewDescription(undefined, store), undefined);
    });
  }
});

describe('an age', () => {
  const cases: readonly [number, string][] = [
    [-1, 'just now'],
    [0.99, 'just now'],
    [1, '1 minute ago'],
    [60, '1 hour ago'],
    [60 * 24 * 60, '60 days ago'],
    [61 * 24 * 60, 'Sep 20, 2026'],
  ];
  for (const [age, expected] of cases) {
    it(expected, () => assert.equal(relativeTime(now - minutes(age), now), expected));
  }
});

it('an empty Deployments view says what is the matter', () => {
  assert.equal(welcomeState('loading', false, 0, 0), undefined);
  assert.equal(welcomeState('notSignedIn', true, 2, 2), 'notSignedIn');
  assert.equal(welcomeState('chooseOne', false, 2, 0), 'chooseOrganization');
  assert.equal(welcomeState('unreadable', false, 2, 0), 'keyringUnreadable');
  assert.equal(welcomeState(undefined, false, 0, 0), 'noDeployments');
  assert.equal(welcomeState(undefined, false, 2, 2), 'allHidden');
  assert.equal(welcomeState(undefined, false, 2, 0), 'rows', 'the store has not taken the list yet');
  assert.equal(welcomeState(undefined, true, 0, 0), 'rows', 'a first row is a row');
});

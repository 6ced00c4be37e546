import { strict as assert } from 'node:assert';
import { relativeTime } from '../../../../src/host/text/format.js';
import type { Counts } from '../../../../src/model/deployment.js';
import { viewDescription, welcomeState } from '../../../../src/views/tree/view.js';
import { minutes, now, organization } from '../fixtures.js';

const none: Counts = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };

describe('the view’s description', () => {
  const cases: readonly [Partial<Counts>, { done: number; total: number } | undefined, string][] = [
    [{}, undefined, 'Acme production'],
    [{ failing: 2, healthy: 12 }, undefined, '2 failing · Acme production'],
    [{ failing: 3, unknown: 4, notYetRead: 1 }, undefined, '3 failing, 4 unknown, 1 not read yet · Acme production'],
    [{ healthy: 14 }, undefined, '14 healthy · Acme production'],
    [{ unknown: 1, notYetRead: 2, healthy: 1 }, undefined, 'None failing, 1 unknown, 2 not read yet · Acme production'],
    // Nothing was read, so nothing is said of what is wrong.
    [{ unknown: 1, notYetRead: 2 }, undefined, '1 unknown, 2 not read yet · Acme production'],
    [{ failing: 2 }, { done: 312, total: 10_000 }, '312 of 10,000 · Acme production'],
  ];
  for (const [counts, progress, expected] of cases) {
    it(expected, () => {
      assert.equal(viewDescription(organization, { counts: { ...none, ...counts }, progress }), expected);
    });
  }

  it('is empty when nobody is signed in', () => {
    assert.equal(viewDescription(undefined, { counts: none, progress: undefined }), undefined);
  });
});

describe('an age', () => {
  const cases: readonly [number, string][] = [
    [minutes(-1), 'just now'],
    [minutes(1) - 1, 'just now'],
    [minutes(1), '1 minute ago'],
    [minutes(60), '1 hour ago'],
    [minutes(60 * 24 * 60), '60 days ago'],
    [minutes(61 * 24 * 60), 'Sep 20, 2026'],
  ];
  for (const [age, expected] of cases) it(expected, () => assert.equal(relativeTime(now - age, now), expected));
});

describe('what an empty Deployments view says', () => {
  const cases: readonly [...Parameters<typeof welcomeState>, ReturnType<typeof welcomeState>][] = [
    ['loading', false, true, false, undefined],
    ['unreadable', false, false, false, 'keyringUnreadable'],
    ['notSignedIn', false, false, false, 'notSignedIn'],
    ['chooseOne', false, false, false, 'chooseOrganization'],
    [undefined, false, true, false, 'noDeployments'],
    [undefined, false, false, true, 'allHidden'],
    // The list is known and the store has not taken it yet.
    [undefined, false, false, false, 'rows'],
    // A first row, for example about trust, is a row.
    [undefined, true, true, false, 'rows'],
  ];
  for (const [missing, hasRows, listsNothing, allHealthy, expected] of cases) {
    const facts = { missing, hasRows, listsNothing, allHealthy };
    it(`${expected}: ${JSON.stringify(facts)}`, () =>
      assert.equal(welcomeState(missing, hasRows, listsNothing, allHealthy), expected));
  }
});

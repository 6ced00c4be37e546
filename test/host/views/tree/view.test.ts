import { strict as assert } from 'node:assert';
import type { WelcomeState } from '../../../../src/host/ids.js';
import type { NoOrganization } from '../../../../src/host/organizations/organization.js';
import type { Counts } from '../../../../src/model/deployment.js';
import { viewDescription, welcomeState } from '../../../../src/views/tree/view.js';
import { organization } from '../fixtures.js';

const none: Counts = { total: 0, withProblems: 0, unknown: 0, notYetRead: 0, stale: 0 };

describe('the view’s description', () => {
  const cases: readonly [Partial<Counts>, { done: number; total: number } | undefined, string][] = [
    [{}, undefined, 'Acme production · not checked yet'],
    [{ total: 14, withProblems: 2 }, undefined, 'Acme production · 2 of 14 with problems'],
    [{ total: 14 }, undefined, 'Acme production · no problems'],
    [{ total: 14, notYetRead: 14 }, undefined, 'Acme production · 14 not checked yet'],
    [{ total: 14, unknown: 1, notYetRead: 2 }, undefined, 'Acme production · no problems, 3 of 14 unknown'],
    [{ total: 10_000, withProblems: 2 }, { done: 312, total: 10_000 }, 'Acme production · 312 of 10,000'],
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

describe('what an empty Deployments view says', () => {
  const cases: readonly [NoOrganization | undefined, boolean, number, boolean, number, WelcomeState | undefined][] = [
    ['loading', false, 0, false, 0, undefined],
    ['unreadable', false, 3, false, 0, 'keyringUnreadable'],
    ['notSignedIn', false, 3, false, 0, 'notSignedIn'],
    ['chooseOne', false, 3, true, 0, 'chooseOrganization'],
    [undefined, false, 0, true, 0, 'noDeployments'],
    [undefined, false, 3, true, 0, 'allHidden'],
    [undefined, false, 3, true, 1, 'notAllRead'],
    // The list is known and the store has not taken it yet.
    [undefined, false, 3, false, 0, 'rows'],
    [undefined, true, 3, true, 1, 'rows'],
    // A first row, for example about trust, is a row.
    [undefined, true, 0, false, 0, 'rows'],
  ];
  for (const [missing, hasRows, listed, onlyProblems, notYetRead, expected] of cases) {
    const facts = { missing, hasRows, onlyProblems, notYetRead };
    it(`${expected}: ${JSON.stringify({ ...facts, listed })}`, () =>
      assert.equal(welcomeState({ ...facts, listed }), expected));
  }
});

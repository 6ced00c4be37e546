import { strict as assert } from 'node:assert';
import type { WelcomeState } from '../../../../src/host/ids.js';
import type { NoOrganization } from '../../../../src/host/organizations/organization.js';
import { welcomeState } from '../../../../src/views/welcomeState.js';

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
      assert.equal(welcomeState({ ...facts, listed: () => listed }), expected));
  }
});

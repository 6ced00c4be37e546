import { strict as assert } from 'node:assert';
import type { WelcomeState } from '../../../src/host/ids.js';
import type { NoOrganization } from '../../../src/host/organizations.js';
import { welcomeState } from '../../../src/views/welcomeState.js';

describe('what an empty Deployments view says', () => {
  const cases: readonly [NoOrganization | undefined, boolean, number, boolean, WelcomeState][] = [
    ['loading', false, 0, false, 'loading'],
    ['notSignedIn', false, 3, false, 'notSignedIn'],
    ['chooseOne', false, 3, true, 'chooseOrganization'],
    [undefined, false, 0, true, 'noDeployments'],
    [undefined, false, 3, true, 'allHidden'],
    // The list is known and the store has not taken it yet.
    [undefined, false, 3, false, 'rows'],
    [undefined, true, 3, true, 'rows'],
    // A first row, for example about trust, is a row.
    [undefined, true, 0, false, 'rows'],
  ];
  for (const [missing, hasRows, listed, onlyProblems, expected] of cases) {
    it(`${expected}: missing ${missing}, rows ${hasRows}, listed ${listed}, only problems ${onlyProblems}`, () => {
      assert.equal(welcomeState({ missing, hasRows, listed, onlyProblems }), expected);
    });
  }
});

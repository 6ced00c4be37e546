import { strict as assert } from 'node:assert';
import type { WelcomeState } from '../../../src/host/ids.js';
import type { NoOrganization } from '../../../src/host/organizations.js';
import { welcomeState } from '../../../src/views/welcomeState.js';

describe('what an empty Deployments view says', () => {
  const cases: readonly [NoOrganization | undefined, boolean, number, WelcomeState][] = [
    ['loading', false, 0, 'loading'],
    ['notSignedIn', false, 3, 'notSignedIn'],
    ['chooseOne', false, 3, 'chooseOrganization'],
    [undefined, false, 0, 'noDeployments'],
    [undefined, false, 3, 'allHidden'],
    [undefined, true, 3, 'rows'],
    // A first row, for example about trust, is a row.
    [undefined, true, 0, 'rows'],
  ];
  for (const [missing, hasRows, listed, expected] of cases) {
    it(`${expected}: missing ${missing}, rows ${hasRows}, listed ${listed}`, () => {
      assert.equal(welcomeState({ missing, hasRows, listed }), expected);
    });
  }
});

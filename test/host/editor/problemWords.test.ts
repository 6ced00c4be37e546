import { strict as assert } from 'node:assert';
import type { Account, Requirement } from '../../../src/api/authorization.js';
import { adviceWord, problemWord } from '../../../src/host/text/problem.js';
import { Findings } from '../../../src/model/problems/findings.js';

const long: Account = { id: 'acc_1', label: 'Finance Slack production EMEA', connectionMethodId: 'm', scopes: ['a'] };
const ops: Account = { id: 'acc_2', label: 'Ops Slack' };
const sheets = 'https://www.googleapis.com/auth/spreadsheets.readonly';

/** Bound to an account, and lacking scopes of its method. */
function lacking(...requiredScopes: string[]): Requirement {
  return { accountId: 'acc_1', satisfied: false, connections: [{ connectionMethodId: 'm', requiredScopes }] };
}

describe('a problem in a narrow row', () => {
  for (const [wrong, help, accounts, requirement] of [
    ['missing channels:read', 'Grant channels:read', [long], lacking('channels:read')],
    ['missing channels:read +2', 'Grant channels:read +2', [long], lacking('channels:read', 'b', 'c')],
    ['missing …/spreadsheets.readonly', 'Grant …/spreadsheets.readonly', [long], lacking(sheets)],
    ['Finance Sl…tion EMEA failed', 'Reconnect Finance Sl…tion EMEA', [{ ...long, error: {} }], lacking('a')],
    ['not satisfied', 'Reconnect Finance Sl…tion EMEA', [long], lacking('a')],
    ['not satisfied', 'Use Ops Slack', [ops], { satisfied: false, eligibleAccountIds: ['acc_2'] }],
    ['not satisfied', 'Use Ops Slack +1', [ops], { satisfied: false, eligibleAccountIds: ['acc_2', 'acc_9'] }],
    ['not satisfied', 'Connect slack', [], { satisfied: false, serviceId: 'slack' }],
    ['not satisfied', 'Connect an account', [], { satisfied: false }],
  ] as const satisfies readonly [string, string, Account[], Requirement][]) {
    it(`${wrong}: ${help}`, () => {
      const { problems } = new Findings({ accounts: [...accounts], requirements: [requirement] }, 'dep_1', () => 0);
      const problem = problems.at(-1);
      assert.ok(problem);
      assert.deepEqual([problemWord(problem), adviceWord(problem)], [wrong, help]);
    });
  }
});

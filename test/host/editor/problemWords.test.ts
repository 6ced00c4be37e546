import { strict as assert } from 'node:assert';
import { adviceWord, nameList, problemAdvice, problemWord } from '../../../src/host/text/problem.js';
import { Findings } from '../../../src/model/problems/findings.js';

const long = { id: 'acc_1', label: 'Finance Slack production EMEA', connectionMethodId: 'm', scopes: ['a'] };
const ops = { id: 'acc_2', label: 'Ops Slack' };
const sheets = 'https://www.googleapis.com/auth/spreadsheets.readonly';

/** Bound to an account, and lacking scopes of its method. */
function lacking(...requiredScopes: string[]) {
  return { accountId: 'acc_1', connections: [{ connectionMethodId: 'm', requiredScopes }] };
}

it('a list of names has ten at most', () => {
  const names = Array.from({ length: 11 }, (_, at) => `n${at}`);
  assert.equal(nameList(names.slice(1)), names.slice(1).join(', '));
  assert.equal(nameList(names), `${names.slice(0, 10).join(', ')}, 1 more`);
});

describe('a problem in a row, and the whole step against it', () => {
  for (const [wrong, help, account, requirement] of [
    ['missing channels:read', 'Grant channels:read', long, lacking('channels:read')],
    ['missing channels:read +2', 'Grant channels:read, b, c', long, lacking('channels:read', 'b', 'c')],
    ['missing …/spreadsheets.readonly', 'Grant …/spreadsheets.readonly', long, lacking(sheets)],
    ['Finance Sl…tion EMEA failed', 'Reconnect Finance Slack production EMEA', { ...long, error: {} }, undefined],
    ['acc_1 failed', 'Reconnect acc_1', { id: 'acc_1', label: ' \t', error: {} }, undefined],
    ['not satisfied', 'Reconnect Finance Slack production EMEA', long, lacking('a')],
    ['not satisfied', 'Use Ops Slack', ops, { eligibleAccountIds: ['acc_2'] }],
    ['not satisfied', 'Use Ops Slack +1', ops, { eligibleAccountIds: ['acc_2', 'acc_9'] }],
    ['not satisfied', 'Connect slack', ops, { serviceId: 'slack' }],
    ['not satisfied', 'Connect an account', ops, {}],
  ] as const) {
    it(`${wrong}: ${help}`, () => {
      const requirements = requirement ? [{ ...requirement, satisfied: false }] : [];
      const [problem] = new Findings({ accounts: [account], requirements }, 'dep_1', () => ({ seenSince: 0 })).problems;
      assert.ok(problem);
      assert.deepEqual([problemWord(problem), adviceWord(problem)], [wrong, help]);
    });
  }
});

describe('an eligible account', () => {
  const accounts = [
    { id: 'acc_1', label: 'Failed', error: {} },
    { id: 'acc_2', label: 'Lacking', connectionMethodId: 'm', scopes: [] },
    { id: 'acc_3', label: 'Unknown', connectionMethodId: 'm' },
    { id: 'acc_4', label: 'Complete', connectionMethodId: 'm', scopes: ['a'] },
  ];
  const connections = [{ connectionMethodId: 'm', requiredScopes: ['a'] }];

  for (const [eligibleAccountIds, word, sentence] of [
    [['acc_1'], 'Connect slack', 'Connect an account for slack in the dashboard.'],
    [['acc_2'], 'Connect slack', 'Connect an account for slack in the dashboard.'],
    [['acc_1', 'acc_2', 'acc_3'], 'Use Unknown', 'Use the eligible account Unknown.'],
    [['acc_3', 'acc_4'], 'Use Complete +1', 'Use one of the eligible accounts: Complete, Unknown.'],
  ] as const) {
    it(`is advised unless it has failed or lacks a scope, complete ones first: ${eligibleAccountIds.join()}`, () => {
      const requirements = [{ serviceId: 'slack', satisfied: false, eligibleAccountIds, connections }];
      const problem = new Findings({ accounts, requirements }, 'dep_1', () => ({ seenSince: 0 })).problems.at(-1)!;
      assert.deepEqual([adviceWord(problem), problemAdvice(problem)], [word, sentence]);
    });
  }
});

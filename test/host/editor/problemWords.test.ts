import { strict as assert } from 'node:assert';
import { adviceLabel, adviceText, nameList, problemWord } from '../../../src/host/text/problem.js';
import { Findings } from '../../../src/model/findings/findings.js';

const long = {
  id: 'acc_1',
  label: 'Finance Slack production EMEA',
  connectionMethodId: 'm',
  scopes: ['a'],
};
const ops = { id: 'acc_2', label: 'Ops Slack' };
const sheets = 'https://www.googleapis.com/auth/spreadsheets.readonly';

const letters = Array.from('bcdefghijklmnopqrstuvwxyz');

/** Bound to an account, and lacking scopes of its method. */
function lacking(...requiredScopes: string[]) {
  return { accountId: 'acc_1', connections: [{ connectionMethodId: 'm', requiredScopes }] };
}

describe('nameList()', () => {
  const numbers = Array.from({ length: 11 }, (_, at) => at);

  it('has up to ten names', () => {
    assert.equal(nameList(numbers.slice(0, 10), String), '0, 1, 2, 3, 4, 5, 6, 7, 8, 9');
  });

  it('counts the names after the tenth', () => {
    assert.equal(nameList(numbers, String), '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1 more');
  });

  it('makes only the names that are shown', () => {
    const made: number[] = [];
    const nameOf = (number: number): string => {
      made.push(number);
      return String(number);
    };
    nameList(numbers, nameOf, 2);
    assert.deepEqual(made, [0, 1]);
  });
});

describe('a problem', () => {
  for (const [word, advice, account, requirement, sentence] of [
    ['missing channels:read', 'Grant channels:read', long, lacking('channels:read')],
    [
      'missing channels:read +2',
      'Grant channels:read, b, c',
      long,
      lacking('channels:read', 'b', 'c'),
    ],
    [
      `missing ${letters[0]} +24`,
      `Grant ${letters.slice(0, 20).join(', ')} +5`,
      long,
      lacking(...letters),
    ],
    ['missing …/spreadsheets.readonly', 'Grant …/spreadsheets.readonly', long, lacking(sheets)],
    [
      'Finance Sl…tion EMEA failed',
      'Reconnect Finance Slack production EMEA',
      { ...long, error: {} },
      undefined,
    ],
    ['acc_1 failed', 'Reconnect acc_1', { id: 'acc_1', label: ' \t', error: {} }, undefined],
    ['not satisfied', 'Reconnect Finance Slack production EMEA', long, lacking('a')],
    [
      'not satisfied',
      'Use Ops Slack',
      ops,
      { eligibleAccountIds: ['acc_2'] },
      'Use an eligible account: Ops Slack.',
    ],
    [
      'not satisfied',
      'Use Ops Slack +1',
      ops,
      { eligibleAccountIds: ['acc_2', 'acc_9'] },
      'Use an eligible account: Ops Slack, acc_9.',
    ],
    [
      'not satisfied',
      'Connect slack',
      ops,
      { serviceId: 'slack' },
      'Connect an account for slack in the dashboard.',
    ],
    ['not satisfied', 'Connect an account', ops, {}],
  ] as const) {
    it(`is “${word}” in a row, with the advice “${advice}”`, () => {
      const requirements = requirement ? [{ ...requirement, satisfied: false }] : [];
      const answer = { value: { accounts: [account], requirements }, decodeIssues: [] };
      const [problem] = new Findings(answer, 'dep_1').problems;
      assert.ok(problem);
      assert.equal(problemWord(problem), word);
      assert.equal(adviceLabel(problem), advice);
      if (sentence !== undefined) assert.equal(adviceText(problem), sentence);
    });
  }
});

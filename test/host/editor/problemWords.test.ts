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

it('nameList() has ten names at most, and counts the others', () => {
  const names = Array.from({ length: 11 }, (_, at) => `n${at}`);
  assert.equal(nameList(names.slice(1), String), names.slice(1).join(', '));
  assert.equal(nameList(names, String), `${names.slice(0, 10).join(', ')}, 1 more`);
});

it('nameList() makes no name that it does not show', () => {
  const made: number[] = [];
  const nameOf = (one: number): string => {
    made.push(one);
    return `n${one}`;
  };
  nameList(
    Array.from({ length: 1000 }, (_, at) => at),
    nameOf,
    2,
  );
  assert.deepEqual(made, [0, 1]);
});

describe('a problem', () => {
  for (const [wrong, help, account, requirement, sentence] of [
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
    it(`is named “${wrong}” in a row, and the step against it “${help}”`, () => {
      const requirements = requirement ? [{ ...requirement, satisfied: false }] : [];
      const answer = { value: { accounts: [account], requirements }, decodeIssues: [] };
      const [problem] = new Findings(answer, 'dep_1').problems;
      assert.ok(problem);
      assert.deepEqual([problemWord(problem), adviceLabel(problem)], [wrong, help]);
      if (sentence !== undefined) assert.equal(adviceText(problem), sentence);
    });
  }
});

import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import type { Deployment } from '../../../src/model/findings/deployment.js';
import type { Problem } from '../../../src/model/findings/findings.js';
import {
  countedProblems,
  newProblemsSentence,
  worstNewCause,
} from '../../../src/views/newProblems.js';
import { deployment, now, seenBefore } from '../../support/window/fixtures.js';

const failed = (...labels: readonly string[]): DeploymentAuthorization => ({
  accounts: labels.map((label) => ({
    id: label,
    label,
    serviceId: 'slack',
    error: { code: 'token_revoked' },
  })),
  requirements: [],
});
const lacking = (...bindings: readonly string[]): DeploymentAuthorization => ({
  accounts: [],
  requirements: bindings.map((binding) => ({ binding, satisfied: false })),
});
/** Requirements of one account, which lacks these scopes. */
const lackingScopes = (
  service: string,
  scopes: readonly string[],
  count = 1,
): DeploymentAuthorization => ({
  accounts: [{ id: service, serviceId: service, connectionMethodId: 'm', scopes: [] }],
  requirements: Array.from({ length: count }, (_, at) => ({
    binding: `r${at}`,
    serviceId: service,
    accountId: service,
    satisfied: false,
    connections: [{ connectionMethodId: 'm', requiredScopes: scopes }],
  })),
});
const notFound = { kind: 'notFound', status: 404, excerpt: '' } as const;

/** The sentence about the problems of all listed deployments, or of those that are new. */
function sentenceOf(listed: readonly Deployment[], isNew = listed, memory = seenBefore): string {
  const found = isNew.flatMap((one) =>
    (one.answer?.findings.problems ?? []).map((problem) => ({ deployment: one, problem })),
  );
  return newProblemsSentence(worstNewCause(found, listed, memory));
}

/** A deployment whose ID is its label, too. */
const of = (id: string, authorization: DeploymentAuthorization): Deployment =>
  deployment({ id, label: id, authorization });

describe('the notification of new problems', () => {
  const cases: readonly [expected: string, what: string, listed: readonly Deployment[]][] = [
    [
      'New problem in Billing: Finance (slack) failed: token_revoked.',
      'a single one in one deployment',
      [of('Billing', failed('Finance'))],
    ],
    [
      'Finance failed in 2 deployments.',
      'one account in several',
      [of('Billing', failed('Finance')), of('Expenses', failed('Finance'))],
    ],
    [
      'Finance failed in 2 deployments. 1 more problem.',
      'another problem beside it',
      [
        of('Lead', lacking('crm')),
        of('Billing', failed('Finance')),
        of('Expenses', failed('Finance')),
      ],
    ],
    [
      'Finance failed in 2 deployments. 3 more problems.',
      'several others beside it',
      [
        of('Lead', lacking('crm', 'mail')),
        of('Billing', failed('Finance', 'Ops')),
        of('Expenses', failed('Finance')),
      ],
    ],
    [
      'Finance failed in Billing. 1 more problem.',
      'two problems, each of one deployment',
      [of('Billing', failed('Finance')), of('Lead', lacking('crm'))],
    ],
    [
      'crm not satisfied in 2 deployments.',
      'requirements of one name',
      [of('Lead', lacking('crm')), of('Mail', lacking('crm'))],
    ],
    [
      'crm not satisfied in Lead. 1 more problem.',
      'requirements of two names',
      [of('Lead', lacking('crm')), of('Mail', lacking('mail'))],
    ],
    [
      'Unnamed requirement not satisfied in 2 deployments.',
      'requirements without a name',
      [of('Lead', lacking('')), of('Mail', lacking(''))],
    ],
    [
      'Missing read +1 in 2 deployments.',
      'requirements that lack the same scopes',
      [
        of('A', lackingScopes('github', ['read', 'x'])),
        of('B', lackingScopes('github', ['x', 'read'])),
      ],
    ],
    [
      'Missing read +1 in A. 1 more problem.',
      'requirements that lack different scopes',
      [
        of('A', lackingScopes('github', ['read', 'x'])),
        of('B', lackingScopes('github', ['read', 'y'])),
      ],
    ],
    [
      'Missing read in A. 1 more problem.',
      'accounts of two services that lack the same scope',
      [of('A', lackingScopes('github', ['read'])), of('B', lackingScopes('slack', ['read']))],
    ],
    [
      'Missing read (2 requirements) in A.',
      'two requirements of one deployment that lack the same scope',
      [of('A', lackingScopes('github', ['read'], 2))],
    ],
    [
      'Missing read (3 requirements) in 2 deployments.',
      'three requirements of two deployments that lack the same scope',
      [of('A', lackingScopes('github', ['read'], 2)), of('B', lackingScopes('github', ['read']))],
    ],
  ];
  for (const [expected, what, listed] of cases) {
    it(`names the worst cause, and counts the others: ${what}`, () => {
      assert.equal(sentenceOf(listed), expected);
    });
  }

  it('does not count a deployment that cannot be read', () => {
    const unread = deployment({
      id: 'Expenses',
      authorization: failed('Finance'),
      failure: notFound,
    });
    const listed = [of('Billing', failed('Finance')), of('Leads', failed('Finance')), unread];
    assert.equal(sentenceOf(listed), 'Finance failed in 2 deployments.');
  });

  it('leaves out problems that were there before', () => {
    const known = of('Billing', failed('Finance'));
    const isNew = of('Lead', lacking('crm'));
    assert.equal(sentenceOf([known, isNew], [isNew]), 'New problem in Lead: crm is not satisfied.');
  });

  it('offers a request where an account is not muted, and for nothing that is muted', () => {
    const one = of('Billing', failed('Finance', 'Ops'));
    const other = of('Expenses', failed('Finance'));
    const [finance, ops] = one.answer!.findings.problems;
    const found = [finance!, ops!].map((problem) => ({ deployment: one, problem }));
    const muted = {
      ...seenBefore,
      muteOf: ({ foundIn }: Problem) =>
        foundIn === 'Billing' ? { until: now + 1, isUntilChange: false } : undefined,
    };
    const counted = countedProblems(found, [one, other], muted);
    const places = counted.map(({ deployment: { id }, problem }) => `${id}: ${problem.key}`);
    assert.deepEqual(places, [`Expenses: ${finance!.key}`]);
  });

  it('is empty when all problems are muted', () => {
    const listed = [of('Billing', failed('Finance'))];
    const muted = { ...seenBefore, muteOf: () => ({ until: now + 1, isUntilChange: false }) };
    assert.equal(sentenceOf(listed, listed, muted), '');
  });
});

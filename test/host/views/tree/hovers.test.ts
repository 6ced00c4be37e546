import { strict as assert } from 'node:assert';
import { deploymentSummary } from '../../../../src/host/text/deployment.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import {
  billing,
  type DeploymentFacts,
  deployment,
  now,
  readIn,
  rowsOf,
  satisfied,
} from '../../../support/window/fixtures.js';

/** Of the first row of a kind. */
function hoverOf(kind: TreeElement['kind'], facts: DeploymentFacts): string {
  const row = rowsOf(facts).find((one) => one.kind === kind);
  return readIn(row?.hover());
}

function includes(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `${part}\n--- not in ---\n${text}`);
}

describe('a hover in the tree', () => {
  it('of an account, requirement or connection lists the fields that no sentence names, under their own names', () => {
    const [failed] = billing.accounts;
    const error = { ...failed?.error, since: 'Monday' };
    const more = { quota: { used: 812 }, 'odd `name`': true, note: 'x'.repeat(5000) };
    const authorization = {
      accounts: [{ ...failed, ...more, error }],
      requirements: [{ ...billing.requirements[0], priority: 'high', connections: [{ region: 'eu' } as object] }],
    };
    const account = hoverOf('accountError', { authorization });
    includes(account, 'serviceSub T02 · ', ' · scopes chat:write · ', ' · error.since Monday');
    includes(account, ' · quota.used 812 · odd `name` true · ');
    assert.match(account, / · note x{199}…/);
    assert.doesNotMatch(account, /· (label|serviceId|checkedAt|error\.code|error\.message) /);
    includes(hoverOf('requirement', { authorization }), 'priority high');
    includes(hoverOf('connection', { authorization }), 'region eu');

    let tower: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) tower = [tower];
    includes(hoverOf('deployment', { authorization: Object.assign({ tower }, satisfied) }), 'tower …');
  });

  it('of unreadable fields says how many, where, what was expected, and what was found', () => {
    const decodeIssues = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
    const facts = { authorization: satisfied, decodeIssues, decodeIssueCount: 400 };
    assert.match(
      hoverOf('unreadable', facts),
      /^400 fields of this response could not be read[^]*accounts\[0\]\.label: string expected, number found\n- 399 more$/,
    );
    const { icon, text, spoken } = rowsOf(facts)[1]!;
    assert.deepEqual([icon, text, spoken], ['info problemsInfoIcon.foreground', '400 fields unreadable', text]);
    assert.equal(deploymentSummary(deployment(facts), now), '400 fields unreadable');
  });
});

import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { Findings } from '../../../src/model/findings/findings.js';
import { compare } from '../compare.js';
import { deployments, lots } from '../data.js';
import { type Benchmark, ratioRow } from '../rows.js';

export const findings: Benchmark = async (short) => {
  const texts = new Map([...deployments(lots)].map(([id, one]) => [id, JSON.stringify(one)]));
  const all = new Map(
    [...texts].map(([id, text]): [string, DeploymentAuthorization] => [id, JSON.parse(text)]),
  );
  const comparison = await compare(
    short ? 9 : 31,
    () => countNotes(all),
    () => countScopes(all),
  );
  return [
    ratioRow(
      'problems and notes of 10,000 deployments',
      'visiting every scope once',
      8,
      comparison,
    ),
  ];
};

/** Everything that is a problem or a note, so that nothing is left to be derived later. */
function countNotes(all: ReadonlyMap<string, DeploymentAuthorization>): number {
  let count = 0;
  for (const [id, value] of all) {
    const { problems, requirements } = new Findings({ value, decodeIssues: [] }, id);
    count += problems.length;
    for (const { missingScopes, isBoundAccountAbsent } of requirements) {
      count += missingScopes.length + (isBoundAccountAbsent ? 1 : 0);
    }
  }
  return count;
}

function countScopes(all: ReadonlyMap<string, DeploymentAuthorization>): number {
  let length = 0;
  const visit = (scopes: readonly string[] = []): void => {
    for (const scope of scopes) length += scope.length;
  };
  for (const { accounts, requirements } of all.values()) {
    for (const account of accounts) visit(account.scopes);
    for (const requirement of requirements) {
      for (const connection of requirement.connections ?? []) {
        visit(connection.minimalScopes);
        visit(connection.requiredScopes);
      }
    }
  }
  return length;
}

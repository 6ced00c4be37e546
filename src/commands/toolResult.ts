import { type LeftOut, leftOutCount } from '../api/answer.js';
import type { Account, Requirement } from '../api/deploymentAuthorization.js';
import type { IntegrationInstall } from '../api/integrationInstall.js';
import { type ObjectKind, unknownFields } from '../api/unknownFields.js';
import type { ReadAnswer } from '../model/deployment.js';
import { shorten, visibleControls } from '../model/inertText.js';

/**
 * What a language model gets: the reference's fields, the others by name only (contract, "Commands"), problems first. Compact JSON;
 * the service's texts stay strings in it, so that they can't be taken for ours.
 */
export function authorizationResult(
  deploymentId: string,
  answer: ReadAnswer,
  sentences: { readonly problems: readonly string[]; readonly failure?: string },
): string {
  const { authorization, findings, receivedAt } = answer;
  return json({
    deploymentId,
    // The last attempt failed: what follows is older, and the sentence says why.
    ...(sentences.failure !== undefined && { stale: sentences.failure }),
    state: findings.state,
    readAt: new Date(receivedAt).toISOString(),
    problems: sentences.problems,
    requirements: findings.requirements.map(({ requirement, missingScopes, boundAbsent }) => ({
      ...requirementFields(requirement),
      ...(missingScopes.length > 0 && { missingScopes }),
      ...(boundAbsent && { accountIdIsNotAmongTheAccounts: true }),
    })),
    accounts: findings.accounts.map(({ account }) => accountFields(account)),
    ...otherFields(authorization, 'deploymentAuthorization'),
    ...unreadable(answer),
  });
}

export function installResult(install: IntegrationInstall, leftOut: LeftOut): string {
  return json({ ...known(install, 'integrationInstall'), ...unreadable(leftOut) });
}

function requirementFields(requirement: Requirement): object {
  const { connections } = requirement;
  return {
    ...known(requirement, 'requirement'),
    ...(connections && { connections: connections.map((connection) => known(connection, 'connection')) }),
  };
}

function accountFields(account: Account): object {
  return { ...known(account, 'account'), ...(account.error && { error: known(account.error, 'accountError') }) };
}

function known(object: object, kind: ObjectKind): object {
  const others = new Set(unknownFields(object, kind).map((field) => field.name));
  return {
    ...Object.fromEntries(Object.entries(object).filter(([name]) => !others.has(name))),
    ...otherFields(object, kind),
  };
}

function otherFields(object: object, kind: ObjectKind): object {
  const names = unknownFields(object, kind).map((field) => field.name);
  return names.length > 0 ? { otherFields: names } : {};
}

/** Paths only, never what stood there; with the count, if there are more than are listed. */
function unreadable(leftOut: LeftOut): object {
  const { problems } = leftOut;
  const count = leftOutCount(leftOut);
  if (count === 0) return {};
  return {
    unreadableFields: problems.map((problem) => problem.path),
    ...(count > problems.length && { unreadableFieldCount: count }),
  };
}

const longestValue = 1000;

/** JSON escapes few of the characters that can't be seen or that reorder others, and people read this too. */
function json(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? shorten(visibleControls(part.slice(0, 2 * longestValue)), longestValue) : part,
  );
}

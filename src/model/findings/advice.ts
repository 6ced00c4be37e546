import type { Problem } from './findings.js';

/**
 * What helps against a problem.
 * - `reconnectFailed`: reconnecting its failed account.
 * - `grant`: granting the missing scopes to the bound account.
 * - `reconnect`: reconnecting the bound account, which is not known to have failed or lack a scope.
 * - `use`: binding the requirement to one of its eligible accounts.
 * - `connect`: connecting an account, because there is none to use.
 */
export type AdviceKind = 'reconnectFailed' | 'grant' | 'reconnect' | 'use' | 'connect';

export function adviceKind(problem: Problem): AdviceKind {
  if (problem.kind === 'failedAccount') return 'reconnectFailed';
  const { finding } = problem;
  if (finding.missingScopes.length > 0) return 'grant';
  if (finding.bound) return 'reconnect';
  return finding.advisable().length > 0 ? 'use' : 'connect';
}

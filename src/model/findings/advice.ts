import type { Problem } from './findings.js';

/**
 * What helps against a problem. reconnectFailed: its failed account. grant: the missing scopes. reconnect: the account
 * of a requirement that lacks nothing. use: one of its eligible accounts. connect: an account, because it has none.
 */
export type AdviceKind = 'reconnectFailed' | 'grant' | 'reconnect' | 'use' | 'connect';

export function adviceKind(problem: Problem): AdviceKind {
  if (problem.kind === 'failedAccount') return 'reconnectFailed';
  const { finding } = problem;
  if (finding.missingScopes.length > 0) return 'grant';
  if (finding.bound) return 'reconnect';
  return finding.advisable().length > 0 ? 'use' : 'connect';
}

import type { Answer } from '../../src/api/answer.js';
import type { Deployment } from '../../src/model/findings/deployment.js';
import { AccountAnswers } from '../../src/model/store/accountAnswers.js';

/** An answer as the client brings it, fresh from the platform and with clocks that agree, except where `facts` differ. */
export function answerOf<T>(value: T, { sentAt = 0, ...facts }: Partial<Answer<T>> = {}): Answer<T> {
  const clocks = { asOf: sentAt, clockOffsetMs: 0, hasUnusableDate: false };
  return { value, decodeIssues: [], sentAt, sequence: 1, ...clocks, ...facts };
}

/** What the last answers of these deployments say of the accounts that they share. */
export function answersOf(deployments: readonly Deployment[]): AccountAnswers {
  const answers = new AccountAnswers();
  for (const { id, answer } of deployments) if (answer) answers.take(id, answer);
  return answers;
}

import type { Deployment } from '../../../src/model/findings/deployment.js';
import { AccountAnswers } from '../../../src/model/store/accountAnswers.js';

/** What the last answers of these deployments say of the accounts that they share, each read in a refresh of its own. */
export function answersOf(deployments: readonly Deployment[]): AccountAnswers {
  const answers = new AccountAnswers();
  for (const { id, answer } of deployments) {
    if (answer) answers.take(id, answer);
    answers.endRefresh();
  }
  return answers;
}

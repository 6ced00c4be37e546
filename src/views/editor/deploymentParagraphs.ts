import type { Organization } from '../../host/organizations/organization.js';
import {
  accountName,
  activityWord,
  organizationName,
  parts,
  requirementName,
  requirementNotes,
  requirementStateWord,
} from '../../host/text.js';
import type { Deployment } from '../../model/deployment.js';
import type { AccountFinding, RequirementFinding } from '../../model/findings.js';
import { lines, list, text, title } from '../markdown.js';
import { accountSummary } from '../tree/rows/account.js';
import { problemLines } from '../tree/rows/advice.js';
import { stateLine } from '../tree/rows/deployment.js';
import { failureText, unreadableLines } from '../tree/rows/trouble.js';
import { ageText, checkedText } from './ages.js';
import { marked } from './marked.js';

/** State and age with the links, then requirement by requirement, then the accounts. */
export function deploymentParagraphs(
  deployment: Deployment,
  organization: Organization | undefined,
  links: string,
  now: number,
): readonly (string | undefined)[] {
  const { answer, failure, name, id } = deployment;
  return [
    title(name, parts(name === id ? undefined : id, organization && organizationName(organization))),
    lines(
      marked(deployment.state, text(parts(stateLine(deployment), activityWord(deployment)))),
      text(ageText(deployment, now)),
      links,
    ),
    failure && text(failureText(failure.failure, failure.at, organization)),
    answer && list(answer.findings.requirements.map((finding) => requirementItem(finding, now))),
    answer && list(answer.findings.accounts.map((finding) => accountItem(finding, now))),
    answer && unreadableLines(answer),
  ];
}

function requirementItem(finding: RequirementFinding, now: number): string {
  const { state, problem, bound } = finding;
  if (problem) return marked(state, problemLines(problem, now));
  const line = parts(requirementName(finding), requirementStateWord(finding), bound && accountName(bound.account));
  return marked(state, lines(text(line), ...requirementNotes(finding).map(text)));
}

function accountItem(finding: AccountFinding, now: number): string {
  const { account, state, problem } = finding;
  if (problem) return marked(state, problemLines(problem, now, checkedText(account, now)));
  return marked(state, text(parts(accountName(account), accountSummary(finding, 'connected', now))));
}

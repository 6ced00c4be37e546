import * as vscode from 'vscode';
import type { Organization } from '../../host/organizations/organization.js';
import {
  accountName,
  heading,
  organizationName,
  parts,
  requirementName,
  requirementStateWord,
  sentences,
  shorten,
} from '../../host/text.js';
import type { KnownAccount } from '../../model/referenceTargets.js';
import { lines, list, text, title } from '../markdown.js';
import { accountSummary } from '../tree/rows/account.js';
import { problemLines } from '../tree/rows/advice.js';
import { ageText, checkedText } from './ages.js';
import { marked } from './marked.js';

/** An account as the newest answer has it, whose answer that is, and what is bound to it there. */
export function accountParagraphs(
  { deployment, finding }: KnownAccount,
  organization: Organization | undefined,
  links: string,
  now: number,
): readonly (string | undefined)[] {
  const { account, state, problem } = finding;
  const scopes = account.scopes?.map((scope) => shorten(scope)) ?? [];
  const bound = deployment.answer?.findings.requirements.filter((requirement) => requirement.bound === finding) ?? [];
  const source = vscode.l10n.t('From the answer for {deployment}.', { deployment: shorten(deployment.name) });
  return [
    title(accountName(account), parts(vscode.l10n.t('account'), organization && organizationName(organization))),
    lines(
      problem
        ? marked(state, problemLines(problem, now, checkedText(account, now)))
        : marked(state, text(heading(accountSummary(finding, 'connected', now)))),
      text(sentences(source, ageText(deployment, now))),
      links,
    ),
    scopes.length > 0 ? text(vscode.l10n.t('Scopes: {scopes}', { scopes: scopes.join(', ') })) : undefined,
    list(
      bound.map((requirement) =>
        marked(requirement.state, text(parts(requirementName(requirement), requirementStateWord(requirement)))),
      ),
    ),
  ];
}

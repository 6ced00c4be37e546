import * as vscode from 'vscode';
import type { Organization } from '../../host/organizations/organization.js';
import { absoluteTime, deploymentFindingsText, heading, organizationName, stateWord } from '../../host/text.js';
import type { Deployment } from '../../model/deployment.js';
import { fields, list, markdown, text, title } from '../markdown.js';
import { failureText } from './failureText.js';
import { problemLine } from './problemLine.js';
import { unreadableLines } from './unreadableHover.js';

/** Everything about a deployment that has no row of its own below it. */
export function deploymentHover(deployment: Deployment, organization: Organization | undefined): vscode.MarkdownString {
  const { answer, failure, name, id } = deployment;
  return markdown(
    title(name, name === id ? undefined : id),
    text(stateLine(deployment)),
    text(readLine(deployment)),
    failure && text(failureText(failure.failure, failure.at, organization)),
    answer && list(answer.findings.problems.map(problemLine)),
    answer && list(fields(answer.authorization, ['accounts', 'requirements'])),
    answer && unreadableLines(answer),
    organization && text(vscode.l10n.t('Organization: {name}', { name: organizationName(organization) })),
  );
}

/** "Failed: 1 account failed · 1 of 3 not satisfied" */
export function stateLine(deployment: Deployment): string {
  const findings = deploymentFindingsText(deployment);
  const state = heading(stateWord(deployment.state));
  return findings ? vscode.l10n.t('{state}: {findings}', { state, findings }) : state;
}

function readLine({ answer, failure }: Deployment): string | undefined {
  if (!answer) return undefined;
  const time = absoluteTime(answer.receivedAt);
  return failure ? vscode.l10n.t('Stale: last read on {time}.', { time }) : vscode.l10n.t('Read on {time}.', { time });
}

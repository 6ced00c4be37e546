import * as vscode from 'vscode';
import { connectionSummary, heading, scopeSummary } from '../../host/text.js';
import type { ConnectionFinding, ScopeFinding } from '../../model/findings.js';
import { fields, list, markdown, text, title } from '../markdown.js';

export function connectionHover(finding: ConnectionFinding): vscode.MarkdownString {
  return markdown(
    title(
      finding.connection.connectionMethodId || vscode.l10n.t('unnamed connection method'),
      vscode.l10n.t('connection method'),
    ),
    text(heading(connectionSummary(finding))),
    list(fields(finding.connection)),
  );
}

export function scopeHover(scope: string, finding: ScopeFinding | undefined): vscode.MarkdownString {
  return markdown(
    title(scope || vscode.l10n.t('empty scope'), vscode.l10n.t('scope')),
    text(heading(finding ? scopeSummary(finding) : vscode.l10n.t('held by the account'))),
  );
}

import * as vscode from 'vscode';
import { icon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { heading, parts, plural } from '../../../host/text/format.js';
import type { ConnectionFinding, ScopeFinding, ScopeState } from '../../../model/findings.js';
import type { ConnectionElement, ScopeElement } from '../../../model/tree/elements.js';
import { fields, list, markdown, text, title } from '../../markdown.js';
import { type Looks, type RowContext, treeItem } from '../row.js';

/** A connection method of a requirement, and scopes: those of the method, and those that an account holds. */
export const connectionRows = {
  connection: { item: connectionItem, hover: connectionHover },
  scope: { item: scopeItem, hover: scopeHover },
} satisfies Looks<'connection' | 'scope'>;

function connectionItem(element: ConnectionElement, { hasChildren }: RowContext): vscode.TreeItem {
  const label = connectionName(element);
  const summary = connectionSummary(element.finding);
  return treeItem({
    id: element.id,
    label,
    description: summary,
    icon: icon('key'),
    spoken: [label, vscode.l10n.t('connection method'), summary],
    expandable: hasChildren(element),
    contextValue: contextValues.connection,
  });
}

function connectionHover(element: ConnectionElement): vscode.MarkdownString {
  const { finding } = element;
  return markdown(
    title(connectionName(element), vscode.l10n.t('connection method')),
    text(heading(connectionSummary(finding))),
    list(fields(finding.connection)),
  );
}

function connectionName({ finding }: ConnectionElement): string {
  return finding.connection.connectionMethodId || vscode.l10n.t('unnamed connection method');
}

/** "1 of 2 required scopes held" */
function connectionSummary({ own, scopes }: ConnectionFinding): string {
  return parts(own ? vscode.l10n.t('method of the bound account') : undefined, requiredScopesText(scopes));
}

function requiredScopesText(scopes: readonly ScopeFinding[]): string {
  const required = scopes.filter((scope) => scope.required);
  const total = required.length;
  if (total === 0) return vscode.l10n.t('no required scopes');
  if (required.every(({ state }) => state === 'unknown')) {
    return plural(
      total,
      vscode.l10n.t('{count} required scope', { count: total }),
      vscode.l10n.t('{count} required scopes', { count: total }),
    );
  }
  const values = { held: required.filter(({ state }) => state === 'held').length, total };
  return plural(
    total,
    vscode.l10n.t('{held} of {total} required scope held', values),
    vscode.l10n.t('{held} of {total} required scopes held', values),
  );
}

function scopeItem(element: ScopeElement): vscode.TreeItem {
  const { id, finding } = element;
  const label = scopeName(element);
  const summary = finding && scopeSummary(finding);
  return treeItem({
    id,
    label,
    description: summary,
    icon: finding ? scopeIcon(finding.state) : icon('tag'),
    spoken: [label, vscode.l10n.t('scope'), summary ?? vscode.l10n.t('held')],
    contextValue: contextValues.scope,
  });
}

function scopeIcon(state: ScopeState): vscode.ThemeIcon {
  switch (state) {
    case 'held':
      return icon('check', 'charts.green');
    case 'missing':
      return icon('close', 'problemsErrorIcon.foreground');
    case 'unknown':
      return icon('question');
  }
}

function scopeHover(element: ScopeElement): vscode.MarkdownString {
  const { finding } = element;
  return markdown(
    title(scopeName(element), vscode.l10n.t('scope')),
    text(heading(finding ? scopeSummary(finding) : vscode.l10n.t('held by the account'))),
  );
}

function scopeName({ scope }: ScopeElement): string {
  return scope || vscode.l10n.t('empty scope');
}

/** "required, minimal · held" */
function scopeSummary({ required, minimal, state }: ScopeFinding): string {
  const mark =
    required && minimal
      ? vscode.l10n.t('required, minimal')
      : required
        ? vscode.l10n.t('required')
        : vscode.l10n.t('minimal');
  return parts(mark, scopeStateWord(state));
}

function scopeStateWord(state: ScopeState): string {
  switch (state) {
    case 'held':
      return vscode.l10n.t('held');
    case 'missing':
      return vscode.l10n.t('missing');
    case 'unknown':
      return vscode.l10n.t('not known whether held');
  }
}

import * as vscode from 'vscode';
import { isReadWhole } from '../../../api/decode.js';
import { icon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { capitalized, joinWithDots, listText, numberText } from '../../../host/text/format.js';
import { shortScopeName } from '../../../host/text/problem.js';
import { scopeMarks, scopeStateWord, stateWord } from '../../../host/text/states.js';
import type {
  ConnectionFinding,
  ScopeFinding,
  ScopeState,
} from '../../../model/findings/findings.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { boldTitle, escaped, fieldsText, markdown } from '../../markdown.js';
import type { RowContent } from '../row.js';

/** "oauth_bot", beside it "2 of 3 granted". */
export function connectionRow(element: ElementOf<'connection'>): RowContent {
  const label = connectionName(element);
  const granted = grantedText(element.finding);
  return {
    label,
    description: granted,
    icon: icon('key'),
    spoken: [label, vscode.l10n.t('connection method'), granted],
    contextValue: contextValues.connection,
  };
}

/**
 * "**oauth_bot** · connection method", below it "2 of 3 granted" and, if that is so, "Connection
 * method of the bound account."
 */
export function connectionHover(element: ElementOf<'connection'>): vscode.MarkdownString {
  const { connection, isOfBoundAccount } = element.finding;
  return markdown(
    boldTitle(connectionName(element), vscode.l10n.t('connection method')),
    escaped(capitalized(grantedText(element.finding))),
    isOfBoundAccount
      ? escaped(vscode.l10n.t('Connection method of the bound account.'))
      : undefined,
    fieldsText(connection, ['connectionMethodId', 'requiredScopes', 'minimalScopes']),
  );
}

/** "oauth_bot", "unnamed connection method" */
function connectionName({ finding }: ElementOf<'connection'>): string {
  return finding.connection.connectionMethodId || vscode.l10n.t('unnamed connection method');
}

/**
 * "2 of 3 granted", "no required scopes"; "3 required" if no grant is known, "unknown" if the list
 * was unreadable.
 */
function grantedText({ connection, scopes }: ConnectionFinding): string {
  if (!isReadWhole(connection, 'requiredScopes')) return stateWord('unknown');
  const required = scopes.filter((scope) => scope.isRequired);
  if (required.length === 0) return vscode.l10n.t('no required scopes');
  const total = numberText(required.length);
  if (required.every(({ state }) => state === 'unknown'))
    return vscode.l10n.t('{total} required', { total });
  const granted = required.filter(({ state }) => state === 'granted');
  return vscode.l10n.t('{count} of {total} granted', { count: numberText(granted.length), total });
}

/**
 * "channels:read", and beside it "missing · required" if the scope belongs to a connection method
 * (`finding`). A scope without a finding is one that an account was granted.
 */
export function scopeRow({ scope, finding }: ElementOf<'scope'>): RowContent {
  const summary = finding && scopeSummary(finding);
  return {
    label: scope ? shortScopeName(scope) : emptyScope(),
    description: summary,
    icon: finding ? scopeIcons[finding.state] : icon('tag'),
    spoken: [scope || emptyScope(), vscode.l10n.t('scope'), summary ?? scopeStateWord('granted')],
    contextValue: contextValues.scope,
  };
}

/** "**channels:read** · scope", below it "Missing · required" or "Granted to the account". */
export function scopeHover({ scope, finding }: ElementOf<'scope'>): vscode.MarkdownString {
  return markdown(
    boldTitle(scope || emptyScope(), vscode.l10n.t('scope')),
    escaped(capitalized(finding ? scopeSummary(finding) : vscode.l10n.t('granted to the account'))),
  );
}

const scopeIcons: Readonly<Record<ScopeState, vscode.ThemeIcon>> = {
  granted: icon('check', 'charts.green'),
  missing: icon('close', 'problemsErrorIcon.foreground'),
  unknown: icon('question'),
};

/** "empty scope": the name of a scope that the platform sent as an empty string. */
function emptyScope(): string {
  return vscode.l10n.t('empty scope');
}

/** "missing · required, minimal" */
function scopeSummary(finding: ScopeFinding): string {
  return joinWithDots(scopeStateWord(finding.state), listText(scopeMarks(finding)));
}

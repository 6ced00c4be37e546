import { l10n } from 'vscode';
import type { Ignored } from '../../model/entered/ignoredEntries.js';
import { codeSpan } from '../../model/inertText.js';
import { capitalized, firstWithMore, listText, numberText, plural } from './format.js';

/**
 * The label of the row about an untrusted workspace: "Workspace list ignored", "Workspace owners
 * ignored", "Workspace owners and mutes ignored". Beside a list nothing else is named, because the
 * row has little room: the hover names all.
 */
export function ignoredRowLabel({ deployments, owners, mutes }: Ignored): string {
  if (deployments) return l10n.t('Workspace list ignored');
  if (!mutes) return l10n.t('Workspace owners ignored');
  return owners ? l10n.t('Workspace owners and mutes ignored') : l10n.t('Workspace mutes ignored');
}

/**
 * "8 deployments in .vscode/settings.json are ignored, because this workspace is not trusted. Trust
 * the workspace to use them."
 */
export function ignoredText(ignored: Ignored): string {
  const settings = ignoredSettingsText(ignored);
  const isSingular = ignored.deployments?.count === 1 && !ignored.owners && !ignored.mutes;
  const grammaticalNumber = isSingular ? 1 : 2;
  const sentence = plural(
    grammaticalNumber,
    l10n.t(
      '{settings} is ignored, because this workspace is not trusted. Trust the workspace to use it.',
      { settings },
    ),
    l10n.t(
      '{settings} are ignored, because this workspace is not trusted. Trust the workspace to use them.',
      { settings },
    ),
  );
  return capitalized(sentence);
}

/**
 * Returns the report with a line below its title: "Left out: 8 deployments in
 * `.vscode/settings.json`, because the workspace is not trusted." Returns it unchanged if no
 * deployments are ignored. `report`: about all deployments that are listed.
 */
export function reportWithIgnored(
  report: string,
  ignored: Ignored,
  redact: (text: string) => string,
): string {
  if (!ignored.deployments) return report;
  const settings = ignoredSettingsText(ignored, (file) => codeSpan(redact(file), maxFileChars));
  const leftOut = l10n.t('Left out: {settings}, because the workspace is not trusted.', {
    settings,
  });
  const [title, ...linesBelowTitle] = report.split('\n');
  return [title, '', leftOut, ...linesBelowTitle].join('\n');
}

const maxFiles = 3;
/**
 * For a file's name in a report. An issue on GitHub has room for these names beside the longest
 * report.
 */
const maxFileChars = 100;

/**
 * "8 deployments, owners, and mutes in .vscode/settings.json". `markFile`: returns a file's name as
 * it is to be shown.
 */
function ignoredSettingsText(
  { deployments, owners, mutes }: Ignored,
  markFile: (file: string) => string = String,
): string {
  const settings: string[] = [];
  if (deployments) settings.push(deploymentsWord(deployments.count));
  if (owners) settings.push(l10n.t('owners'));
  if (mutes) settings.push(l10n.t({ message: 'mutes', comment: 'Entries of a setting' }));
  const files = new Set([deployments, owners, mutes].flatMap((entries) => entries?.files ?? []));
  return l10n.t({
    message: '{settings} in {files}',
    args: {
      settings: listText(settings, 'long'),
      files: listText(firstWithMore([...files], maxFiles, markFile), 'long'),
    },
    comment: '8 deployments and owners in .vscode/settings.json',
  });
}

/** "8 deployments"; "deployments" if their number is unknown (`undefined`). */
function deploymentsWord(count: number | undefined): string {
  if (count === undefined) {
    return l10n.t({ message: 'deployments', comment: 'Their number is unknown' });
  }
  const values = { count: numberText(count) };
  return plural(count, l10n.t('{count} deployment', values), l10n.t('{count} deployments', values));
}

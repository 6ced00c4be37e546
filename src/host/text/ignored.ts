import { l10n } from 'vscode';
import type { Ignored } from '../../model/entered/ignoredEntries.js';
import { codeSpan } from '../../model/inertText.js';
import { capitalized, firstWithMore, listText, numberText, plural } from './format.js';

/** The label of the row. What else is ignored stands in its hover. */
export function ignoredRowLabel({ deployments }: Ignored): string {
  return deployments ? l10n.t('Workspace list ignored') : l10n.t('Workspace owners ignored');
}

/**
 * "8 deployments in .vscode/settings.json are ignored, because this workspace is not trusted. Trust the workspace to
 * use them."
 */
export function ignoredText(ignored: Ignored): string {
  const settings = ignoredSettingsText(ignored);
  const count = ignored.deployments?.count === 1 && !ignored.owners ? 1 : 2;
  const sentence = plural(
    count,
    l10n.t(
      '{settings} is ignored, because this workspace is not trusted. Trust the workspace to use it.',
      {
        settings,
      },
    ),
    l10n.t(
      '{settings} are ignored, because this workspace is not trusted. Trust the workspace to use them.',
      {
        settings,
      },
    ),
  );
  return capitalized(sentence);
}

/**
 * A report on all that are listed, and below its title: "Left out: 8 deployments in `.vscode/settings.json`, because
 * the workspace is not trusted."
 */
export function reportWithIgnored(
  report: string,
  ignored: Ignored,
  redact: (text: string) => string,
): string {
  if (!ignored.deployments) return report;
  const settings = ignoredSettingsText(ignored, (file) => codeSpan(redact(file), maxFileChars));
  const [title, ...rest] = report.split('\n');
  const leftOut = l10n.t('Left out: {settings}, because the workspace is not trusted.', {
    settings,
  });
  return [title, '', leftOut, ...rest].join('\n');
}

const maxFiles = 3;
/** GitHub takes this much more than a report is long. */
const maxFileChars = 100;

/** "8 deployments and owners in .vscode/settings.json". `mark`: for the name of a file. */
export function ignoredSettingsText(
  { deployments, owners }: Ignored,
  mark: (file: string) => string = String,
): string {
  const all = [deployments && deploymentsWord(deployments.count), owners && l10n.t('owners')];
  const settings = listText(
    all.filter((words) => words !== undefined),
    'long',
  );
  const files = new Set([deployments, owners].flatMap((one) => one?.files ?? []));
  return l10n.t({
    message: '{settings} in {files}',
    args: { settings, files: listText(firstWithMore([...files], maxFiles, mark), 'long') },
    comment: '8 deployments and owners in .vscode/settings.json',
  });
}

/** `count`: `undefined` where it is unknown. */
function deploymentsWord(count: number | undefined): string {
  if (count === undefined)
    return l10n.t({ message: 'deployments', comment: 'Their number is unknown' });
  const words = { count: numberText(count) };
  return plural(count, l10n.t('{count} deployment', words), l10n.t('{count} deployments', words));
}

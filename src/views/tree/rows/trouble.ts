import * as vscode from 'vscode';
import { type LeftOut, leftOutCount } from '../../../api/decode.js';
import type { Failure } from '../../../api/failure.js';
import { icon } from '../../../host/icons.js';
import type { Organization } from '../../../host/organizations/organization.js';
import { causeAction, causeSentence, causeWord } from '../../../host/text/cause.js';
import { unreadableText } from '../../../host/text/deployment.js';
import { failureAction, failureExcerpt, failureSentence } from '../../../host/text/failure.js';
import { absoluteTime, clockTime, heading, sentences } from '../../../host/text/format.js';
import type { Deployment } from '../../../model/deployment.js';
import { inertMarkdown } from '../../../model/inertText.js';
import type { CauseElement, FailureElement, UnreadableElement } from '../../../model/tree/elements.js';
import { list, markdown, text } from '../../markdown.js';
import { type Looks, type RowContext, treeItem } from '../row.js';

/** What stands in the way of answers: of all of them, of one deployment's, and of fields of one. */
export const troubleRows = {
  cause: { item: causeItem, hover: causeHover },
  failure: { item: failureItem, hover: failureHover },
  unreadable: {
    item: unreadableItem,
    hover: ({ deployment: { answer } }) => markdown(answer && unreadableLines(answer)),
  },
} satisfies Looks<'cause' | 'failure' | 'unreadable'>;

/** The view's first row says what holds for all of it; a click does what helps. */
function causeItem({ id, cause }: CauseElement, { organization }: RowContext): vscode.TreeItem {
  const label = heading(causeWord(cause));
  const action = causeAction(cause, organization);
  return treeItem({
    id,
    label,
    description: action?.title,
    icon: causeIcon(cause),
    spoken: [label, causeSentence(cause, organization), action?.title],
    action,
  });
}

function causeIcon({ kind }: CauseElement['cause']): vscode.ThemeIcon {
  switch (kind) {
    case 'failure':
      return icon('circle-slash', 'problemsErrorIcon.foreground');
    case 'paused':
      return icon('debug-pause', 'problemsWarningIcon.foreground');
    case 'untrusted':
      return icon('workspace-untrusted', 'problemsWarningIcon.foreground');
  }
}

function causeHover({ cause }: CauseElement, { organization }: RowContext): vscode.MarkdownString {
  return cause.kind === 'failure'
    ? markdown(text(failureText(cause.failure, cause.at, organization)))
    : markdown(text(causeSentence(cause, organization)));
}

/** The deployment's own row names the failure in two words; this one says what it means, and a click does what helps. */
function failureItem({ id, deployment }: FailureElement, { organization, now }: RowContext): vscode.TreeItem {
  const { failure, at } = lastFailure(deployment, now);
  const about = { operation: 'authorization', ...(organization && { organization }) } as const;
  const sentence = failureSentence(failure, about);
  const action = failureAction(failure, about);
  return treeItem({
    id,
    label: sentence,
    icon: icon('circle-slash', 'problemsErrorIcon.foreground'),
    spoken: [sentence, vscode.l10n.t('tried {time}', { time: clockTime(at, now) }), action?.title],
    action,
  });
}

function failureHover({ deployment }: FailureElement, { organization, now }: RowContext): vscode.MarkdownString {
  const { failure, at } = lastFailure(deployment, now);
  return markdown(text(failureText(failure, at, organization)));
}

/** The row exists because of a failure; if a newer read succeeded since, the row is about to go, and says that it was cancelled. */
function lastFailure({ failure }: Deployment, now: number): NonNullable<Deployment['failure']> {
  return failure ?? { failure: { kind: 'cancelled' }, at: now };
}

/** A failed read in full: what it means, what to do, when it was tried, and what the answer said. */
export function failureText(failure: Failure, at: number, organization: Organization | undefined): string {
  return sentences(
    failureSentence(failure, { operation: 'authorization', ...(organization && { organization }) }),
    vscode.l10n.t('Tried on {time}.', { time: absoluteTime(at) }),
    failureExcerpt(failure),
  );
}

/** That fields of the answer could not be read; which ones is in the hover. */
function unreadableItem({ id, deployment: { answer } }: UnreadableElement): vscode.TreeItem {
  const label = heading(unreadableText(answer ? leftOutCount(answer) : 0));
  return treeItem({ id, label, icon: icon('info', 'problemsInfoIcon.foreground'), spoken: [label] });
}

/** Which fields could not be read, what was expected there and what was found; never the value. */
export function unreadableLines(answer: LeftOut): string | undefined {
  const count = leftOutCount(answer);
  if (count === 0) return undefined;
  const fields = answer.decodeIssues.map(({ path, expected, found }) =>
    inertMarkdown(vscode.l10n.t('{path}: {expected} expected, {found} found', { path, expected, found }), 300),
  );
  return `${text(heading(unreadableText(count)))}\n\n${list(fields, count)}`;
}

import * as vscode from 'vscode';
import { countDecodeIssues, type WithDecodeIssues } from '../../../api/decode.js';
import type { Failure } from '../../../api/failure.js';
import { remedyAction } from '../../../host/actions.js';
import { icon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import type { Organization } from '../../../host/organizations/organization.js';
import { causeWords } from '../../../host/text/cause.js';
import { unreadableText, unreadableWord } from '../../../host/text/deployment.js';
import { failureWords, saidText } from '../../../host/text/failure.js';
import { absoluteTime, clockTime, heading, sentences } from '../../../host/text/format.js';
import { inertMarkdown } from '../../../model/inertText.js';
import type { CauseElement, FailureElement } from '../../../model/tree/elements.js';
import { escaped, list, markdown } from '../../markdown.js';
import type { Looks, Row, RowContext } from '../row.js';

/** What stands in the way of answers: of all of them, of one deployment's, and of fields of one. */
export const troubleRows = {
  cause: {
    row: causeRow,
    hover: ({ cause }, { organization }) =>
      cause.kind === 'failure'
        ? markdown(escaped(failureText(cause.failure, cause.at, organization)))
        : markdown(escaped(causeWords(cause, organization).sentence)),
  },
  failure: {
    row: failureRow,
    hover: ({ failed }, { organization }) => markdown(escaped(failureText(failed.failure, failed.at, organization))),
  },
  unreadable: {
    row: ({ leftOut }) => {
      const label = unreadableWord(countDecodeIssues(leftOut)) ?? '';
      return { label, icon: icon('info', 'problemsInfoIcon.foreground'), spoken: [label] };
    },
    hover: ({ leftOut }) => markdown(unreadableLines(leftOut)),
  },
} satisfies Looks<'cause' | 'failure' | 'unreadable'>;

/** The view's first row says what holds for all of it; a click does what helps. */
function causeRow({ cause }: CauseElement, { organization }: RowContext): Row {
  const { word, sentence, remedy } = causeWords(cause, organization);
  const action = remedyAction(remedy, organization);
  const label = heading(word);
  return {
    label,
    description: action?.title,
    icon: causeIcons[cause.kind],
    spoken: [label, sentence, action?.title],
    action,
  };
}

const causeIcons: Readonly<Record<CauseElement['cause']['kind'], vscode.ThemeIcon>> = {
  failure: icon('circle-slash', 'problemsErrorIcon.foreground'),
  paused: icon('debug-pause', 'problemsWarningIcon.foreground'),
  untrusted: icon('workspace-untrusted', 'problemsWarningIcon.foreground'),
};

function failureRow({ failed }: FailureElement, { organization, now }: RowContext): Row {
  const { failure, at } = failed;
  const { word, next, sentence } = failureWords(failure, organization);
  return {
    label: heading(word),
    description: next,
    icon: causeIcons.failure,
    spoken: [sentence, vscode.l10n.t('tried {time}', { time: clockTime(at, now) })],
    contextValue: failureMenus[failure.kind] ?? contextValues.failure,
  };
}

/** What the row's menu offers for this failure, as buttons too. */
const failureMenus: Partial<Readonly<Record<Failure['kind'], string>>> = {
  notFound: contextValues.failureNotFound,
  tokenRejected: contextValues.failureTokenRejected,
};

/** A failed read in full: what it means, what to do, when it was tried, and what the answer said. */
export function failureText(failure: Failure, at: number, organization: Organization | undefined): string {
  return sentences(
    failureWords(failure, organization).sentence,
    vscode.l10n.t('Tried on {time}.', { time: absoluteTime(at) }),
    'excerpt' in failure && failure.excerpt
      ? vscode.l10n.t('Response: “{excerpt}”', { excerpt: saidText(failure.excerpt) })
      : undefined,
  );
}

/** Which fields could not be read, what was expected there and what was found; never the value. */
export function unreadableLines(answer: WithDecodeIssues): string | undefined {
  const count = countDecodeIssues(answer);
  if (count === 0) return undefined;
  const fields = answer.decodeIssues.map(({ path, expected, found }) =>
    inertMarkdown(vscode.l10n.t('{path}: {expected} expected, {found} found', { path, expected, found }), 300),
  );
  return `${escaped(heading(unreadableText(count)))}\n\n${list(fields, count)}`;
}

import * as vscode from 'vscode';
import { adviceIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import {
  firstWithMore,
  joinSentences,
  joinWithDots,
  numberText,
} from '../../../host/text/format.js';
import { mutedWordOfSeveral } from '../../../host/text/mutes.js';
import {
  findingWithService,
  joinedAdviceLabel,
  nameList,
  problemSentence,
} from '../../../host/text/problem.js';
import type { Deployment } from '../../../model/findings/deployment.js';
import type { Problem } from '../../../model/findings/findings.js';
import { inertMarkdown } from '../../../model/inertText.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { helpWithOwner, problemsHover } from '../../hover.js';
import { fixSeenElsewhere, type HoverContext } from '../../hoverContext.js';
import { boldTitle, bulletList, escaped } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';
import { adviceRow, refreshAdviceRow } from './failure.js';

/**
 * What helps against several problems of one kind: "Reconnect 8 accounts", beside it "2 muted · 1
 * working elsewhere", which the label does not count.
 */
export function joinedAdviceRow(
  element: ElementOf<'joinedAdvice'>,
  context: RowContext,
): RowContent {
  const { problems, deployment } = element;
  const { wanted, muted, fixedElsewhere } = groupProblems(problems, deployment, context);
  const [firstFixed] = fixedElsewhere;
  if (wanted.length === 0 && firstFixed) {
    const reading = fixSeenElsewhere(firstFixed, deployment, context);
    if (reading) return refreshAdviceRow(reading);
  }

  const row = rowAgainst(wanted, element, context);
  const mutedCount =
    muted.length > 0
      ? vscode.l10n.t('{count} muted', { count: numberText(muted.length) })
      : undefined;
  const fixedCount =
    fixedElsewhere.length > 0
      ? vscode.l10n.t('{count} working elsewhere', { count: numberText(fixedElsewhere.length) })
      : undefined;
  return {
    ...row,
    description: joinWithDots(row.description, mutedCount, fixedCount),
    spoken: [...row.spoken, mutedCount, fixedCount],
    contextValue: menuFor(contextValues.advice, problems, context.memory),
  };
}

/**
 * "Reconnect 8 accounts"; for a single problem the row that the problem has where it is not joined.
 */
function rowAgainst(
  problems: readonly Problem[],
  element: ElementOf<'joinedAdvice'>,
  context: RowContext,
): RowContent {
  const [first] = problems;
  if (first && problems.length === 1) {
    return adviceRow({ ...element, kind: 'advice', problem: first }, context);
  }
  const { memory, now } = context;
  const label = joinedAdviceLabel(element.advice, problems);
  const muted = mutedWordOfSeveral(problems, memory, now);
  const names = nameList(problems, ({ finding }) => findingWithService(finding));
  return { label, description: muted, icon: adviceIcon, spoken: [label, names, muted] };
}

interface ProblemGroups {
  /**
   * The problems that the label counts: those that are neither fixed elsewhere nor muted; if there
   * is none, the muted ones.
   */
  readonly wanted: readonly Problem[];
  /** Muted problems that the label does not count, and that are not fixed elsewhere. */
  readonly muted: readonly Problem[];
  /** The problems of accounts that work by the newer answer of another deployment. */
  readonly fixedElsewhere: readonly Problem[];
}

function groupProblems(
  problems: readonly Problem[],
  deployment: Deployment,
  context: HoverContext,
): ProblemGroups {
  const isMuted = (problem: Problem): boolean => context.memory.muteOf(problem) !== undefined;
  const fixedElsewhere = problems.filter(
    (problem) => fixSeenElsewhere(problem, deployment, context) !== undefined,
  );
  const fixed = new Set(fixedElsewhere);
  const notFixed = problems.filter((problem) => !fixed.has(problem));
  const muted = notFixed.filter(isMuted);
  if (muted.length === notFixed.length) return { wanted: muted, muted: [], fixedElsewhere };
  return { wanted: notFixed.filter((problem) => !isMuted(problem)), muted, fixedElsewhere };
}

const maxItems = 10;
const maxItemChars = 800;

/** The label of the row, and below it what to do against each problem, as `itemText` has it. */
export function joinedAdviceHover(
  element: ElementOf<'joinedAdvice'>,
  context: RowContext,
): vscode.MarkdownString {
  const { problems, deployment } = element;
  const { wanted, muted, fixedElsewhere } = groupProblems(problems, deployment, context);
  const notFixed = [...wanted, ...muted];
  const items = firstWithMore(notFixed, maxItems, (problem) =>
    inertMarkdown(itemText(problem, deployment, context), maxItemChars),
  );
  const paragraphs = [
    `$(lightbulb) ${boldTitle(joinedAdviceRow(element, context).label)}`,
    bulletList(items),
    escaped(fixedElsewhereText(fixedElsewhere)),
  ];
  const text = paragraphs.filter(Boolean).join('\n\n');
  const linked = notFixed.length > 0 ? notFixed : problems;
  return problemsHover(text, linked, deployment, context);
}

/**
 * "Reconnect Finance Slack (slack). notifier needs it."; for a requirement, which its step may not
 * name, the problem before it.
 */
function itemText(problem: Problem, deployment: Deployment, context: HoverContext): string {
  const help = helpWithOwner(problem, deployment, context);
  return problem.kind === 'failedAccount' ? help : joinSentences(problemSentence(problem), help);
}

/**
 * "Working in other deployments: East (crm). Refresh to see whether this is fixed here, too.";
 * `undefined` without a problem.
 */
function fixedElsewhereText(problems: readonly Problem[]): string | undefined {
  if (problems.length === 0) return undefined;
  const accounts = nameList(problems, ({ finding }) => findingWithService(finding));
  return joinSentences(
    vscode.l10n.t('Working in other deployments: {accounts}.', { accounts }),
    vscode.l10n.t('Refresh to see whether this is fixed here, too.'),
  );
}

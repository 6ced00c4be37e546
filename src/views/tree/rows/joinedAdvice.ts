import * as vscode from 'vscode';
import { adviceIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import {
  firstWithMore,
  joinSentences,
  joinWithDots,
  numberText,
} from '../../../host/text/format.js';
import {
  findingWithService,
  joinedAdviceLabel,
  mutedWord,
  nameList,
  problemSentence,
} from '../../../host/text/problem.js';
import type { Deployment } from '../../../model/findings/deployment.js';
import type { Problem } from '../../../model/findings/findings.js';
import { firstToBeUnmuted } from '../../../model/findings/state.js';
import { inertMarkdown } from '../../../model/inertText.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { helpWithOwner, problemsHover } from '../../hover.js';
import { fixSeenElsewhere, type HoverContext } from '../../hoverContext.js';
import { boldTitle, bulletList, escaped } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';
import { adviceRow, refreshRow } from './failure.js';

/**
 * The label counts what is to be done: nothing that is muted, or that another deployment shows to
 * be fixed.
 */
export function joinedAdviceRow(
  element: ElementOf<'joinedAdvice'>,
  context: RowContext,
): RowContent {
  const { problems, deployment } = element;
  const { wanted, muted, elsewhere } = sorted(problems, deployment, context);
  const [first] = elsewhere;
  const newest =
    wanted.length === 0 && first ? fixSeenElsewhere(first, deployment, context) : undefined;
  if (newest) return refreshRow(newest);
  const row = rowAgainst(wanted, element, context);
  const rest = [
    muted.length > 0
      ? vscode.l10n.t('{count} muted', { count: numberText(muted.length) })
      : undefined,
    elsewhere.length > 0
      ? vscode.l10n.t('{count} working elsewhere', { count: numberText(elsewhere.length) })
      : undefined,
  ];
  return {
    ...row,
    description: joinWithDots(row.description, ...rest),
    spoken: [...row.spoken, ...rest],
    contextValue: menuFor(contextValues.advice, problems, context.memory),
  };
}

/** Against a single problem it says what that problem's own row would. */
function rowAgainst(
  problems: readonly Problem[],
  element: ElementOf<'joinedAdvice'>,
  context: RowContext,
): RowContent {
  const [only, ...others] = problems;
  if (only && others.length === 0)
    return adviceRow({ ...element, kind: 'advice', problem: only }, context);
  const { memory, now } = context;
  const label = joinedAdviceLabel(element.advice, problems);
  const muted = mutedWord(firstToBeUnmuted(problems, memory), memory, now);
  const names = nameList(problems, ({ finding }) => findingWithService(finding));
  return { label, description: muted, icon: adviceIcon, spoken: [label, names, muted] };
}

interface Sorted {
  /** Those that count. If all others are muted or fixed elsewhere, the muted ones. */
  readonly wanted: readonly Problem[];
  readonly muted: readonly Problem[];
  /** Those of accounts that work by a newer answer. */
  readonly elsewhere: readonly Problem[];
}

function sorted(
  problems: readonly Problem[],
  deployment: Deployment,
  context: HoverContext,
): Sorted {
  const elsewhere = problems.filter(
    (one) => fixSeenElsewhere(one, deployment, context) !== undefined,
  );
  const fixed = new Set(elsewhere);
  const open = problems.filter((one) => !fixed.has(one));
  const isMuted = (one: Problem): boolean => context.memory.mutedUntil(one) !== undefined;
  const muted = open.filter(isMuted);
  if (muted.length === open.length) return { wanted: muted, muted: [], elsewhere };
  return { wanted: open.filter((one) => !isMuted(one)), muted, elsewhere };
}

const maxListed = 10;
const maxItemChars = 800;

export function joinedAdviceHover(
  element: ElementOf<'joinedAdvice'>,
  context: RowContext,
): vscode.MarkdownString {
  const { problems, deployment } = element;
  const { wanted, muted, elsewhere } = sorted(problems, deployment, context);
  const open = [...wanted, ...muted];
  const items = firstWithMore(open, maxListed, (one) =>
    inertMarkdown(itemText(one, deployment, context), maxItemChars),
  );
  const texts = [
    `$(lightbulb) ${boldTitle(joinedAdviceRow(element, context).label)}`,
    bulletList(items),
    escaped(elsewhereText(elsewhere)),
  ];
  const text = texts.filter(Boolean).join('\n\n');
  return problemsHover(text, open.length > 0 ? open : problems, deployment, context);
}

/** The step where it names all that matters, else the problem, too. */
function itemText(problem: Problem, deployment: Deployment, context: HoverContext): string {
  const help = helpWithOwner(problem, deployment, context);
  return problem.kind === 'failedAccount' ? help : joinSentences(problemSentence(problem), help);
}

/** "Working in other deployments: East (crm). Refresh to see whether this is fixed here, too." */
function elsewhereText(problems: readonly Problem[]): string | undefined {
  if (problems.length === 0) return undefined;
  const accounts = nameList(problems, ({ finding }) => findingWithService(finding));
  return joinSentences(
    vscode.l10n.t('Working in other deployments: {accounts}.', { accounts }),
    vscode.l10n.t('Refresh to see whether this is fixed here, too.'),
  );
}

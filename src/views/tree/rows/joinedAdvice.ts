import * as vscode from 'vscode';
import { adviceIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { firstOf, numberText, sentences } from '../../../host/text/format.js';
import {
  findingLabel,
  joinedAdviceWord,
  mutedWord,
  nameList,
  problemAdvice,
  problemMessage,
} from '../../../host/text/problem.js';
import type { Deployment } from '../../../model/findings/deployment.js';
import type { Problem } from '../../../model/findings/findings.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { fixSeenElsewhere, type HoverContext, problemsHover } from '../../hover.js';
import { escaped, list, title } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';
import { refreshRow } from './failure.js';

/** The label counts what is to be done: nothing that is muted, or that another deployment shows to be fixed. */
export function joinedAdviceRow(element: ElementOf<'joinedAdvice'>, context: RowContext): RowContent {
  const { advice, problems, deployment } = element;
  const { memory } = context;
  const open = openOf(problems, deployment, context);
  const [first] = problems;
  const newest = open.length === 0 && first ? fixSeenElsewhere(first, deployment, context) : undefined;
  if (newest) return refreshRow(newest);
  const counted = open.filter((one) => memory.mutedUntil(one) === undefined);
  const wanted = counted.length > 0 ? counted : open;
  const label = joinedAdviceWord(advice, wanted);
  const muted = mutedText(open, counted.length, context);
  return {
    label,
    description: muted,
    icon: adviceIcon,
    spoken: [label, nameList(wanted, ({ finding }) => findingLabel(finding)), muted],
    contextValue: menuFor(contextValues.advice, problems, memory),
  };
}

/** "3 muted"; where all are, what ends first: "muted until Friday". */
function mutedText(open: readonly Problem[], counted: number, { memory, now }: HoverContext): string | undefined {
  const muted = open.filter((one) => memory.mutedUntil(one) !== undefined);
  if (muted.length === 0) return undefined;
  if (counted > 0) return vscode.l10n.t('{count} muted', { count: numberText(muted.length) });
  const endOf = (problem: Problem): number => memory.mutedUntil(problem) ?? 0;
  const firstToEnd = muted.reduce((first, one) => (endOf(one) < endOf(first) ? one : first));
  return mutedWord(firstToEnd, memory, now);
}

const maxListed = 10;

export function joinedAdviceHover(element: ElementOf<'joinedAdvice'>, context: HoverContext): vscode.MarkdownString {
  const { advice, problems, deployment } = element;
  const open = openOf(problems, deployment, context);
  const shown = open.length > 0 ? open : problems;
  const lines = firstOf(shown, maxListed, (one) => escaped(adviceLine(one)) ?? '');
  return problemsHover(
    `$(lightbulb) ${title(joinedAdviceWord(advice, shown))}\n\n${list(lines)}`,
    shown,
    deployment,
    context,
  );
}

/** The step where it names all that matters, else the problem, too. */
function adviceLine(problem: Problem): string {
  if (problem.kind === 'failedAccount') return problemAdvice(problem);
  return sentences(problemMessage(problem), problemAdvice(problem));
}

function openOf(problems: readonly Problem[], deployment: Deployment, context: HoverContext): readonly Problem[] {
  return problems.filter((one) => !fixSeenElsewhere(one, deployment, context));
}

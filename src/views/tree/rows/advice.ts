import { l10n } from 'vscode';
import { icon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { absoluteTime, clockTime, parts } from '../../../host/text/format.js';
import {
  adviceWord,
  mutedText,
  mutedWord,
  problemAdvice,
  problemMessage,
  scopesWord,
} from '../../../host/text/problem.js';
import type { Deployment } from '../../../model/deployment.js';
import type { Problem } from '../../../model/problems/findings.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { escaped, lines, markdown } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';

/** What helps against a problem, with which scopes or for which requirement, and since when the problem has been seen. */
export function adviceRow({ problem, deployment }: ElementOf<'advice'>, { now }: RowContext): RowContent {
  const seen = seenText(problem, deployment, now);
  const label = adviceWord(problem);
  const sentence = problemAdvice(problem);
  const scopes = problem.kind === 'failedAccount' ? problem.scopes : [];
  const withScopes = scopes.length > 0 ? l10n.t('with {scopes}', { scopes: scopesWord(scopes) }) : undefined;
  const requirement = problem.kind === 'unsatisfiedRequirement' && problem.finding.name;
  const forRequirement = requirement ? l10n.t('for {requirement}', { requirement }) : undefined;
  const muted = mutedWord(problem, now);
  return {
    label,
    description: parts(muted, withScopes, forRequirement, seen),
    icon: adviceIcon(),
    // Voice control takes the words on the screen, so the name begins with them.
    spoken: [sentence.startsWith(label) ? undefined : label, sentence, forRequirement, muted, seen],
    contextValue: menuFor(contextValues.advice, [problem]),
  };
}

export function adviceIcon() {
  return icon('lightbulb', 'editorLightBulb.foreground');
}

export function adviceHover({ problem, deployment }: ElementOf<'advice'>) {
  return markdown(lines(escaped(problemMessage(problem)), adviceInFull(problem, deployment)));
}

/** For a hover that says already what is wrong: what helps, and the day and time at which the problem was first seen. */
export function adviceInFull(problem: Problem, deployment: Deployment): string {
  return lines(escaped(problemAdvice(problem)), escaped(seenText(problem, deployment)), escaped(mutedText(problem)));
}

/**
 * "Seen since 09:14 AM.", as this workspace remembers it; nothing of a problem that the first answer had already. With a clock time in a
 * row, which stays true when the row is not drawn again; without `now` with the date, too.
 */
export function seenText(problem: Problem, deployment: Deployment | undefined, now?: number): string | undefined {
  const { answer } = deployment ?? {};
  if (!answer || problem.seenSince >= answer.receivedAt) return undefined;
  const time = now === undefined ? absoluteTime(problem.seenSince) : clockTime(problem.seenSince, now);
  return l10n.t('Seen since {time}.', { time });
}

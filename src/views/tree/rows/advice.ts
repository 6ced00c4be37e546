import { l10n } from 'vscode';
import { icon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { parts } from '../../../host/text/format.js';
import { adviceWord, mutedWord, problemAdvice, scopesWord, seenText } from '../../../host/text/problem.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';

/** What helps against a problem, with which scopes or for which requirement, and since when the problem has been seen. */
export function adviceRow({ problem, deployment }: ElementOf<'advice'>, { now }: RowContext): RowContent {
  const seen = seenText(problem, deployment, now);
  const label = adviceWord(problem);
  const sentence = problemAdvice(problem);
  const scopes = problem.kind === 'failedAccount' ? problem.scopes : [];
  const withScopes =
    scopes.length > 0
      ? l10n.t({ message: 'with {scopes}', args: { scopes: scopesWord(scopes) }, comment: 'Reconnect it' })
      : undefined;
  const requirement = problem.kind === 'unsatisfiedRequirement' && problem.finding.name;
  const forRequirement = requirement
    ? l10n.t({ message: 'for {requirement}', args: { requirement }, comment: 'Grant scopes' })
    : undefined;
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

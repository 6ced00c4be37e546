import * as vscode from 'vscode';
import { heading, requirementName, requirementNotes, requirementStateWord, sentences } from '../../host/text.js';
import type { RequirementFinding } from '../../model/findings.js';
import { fields, list, markdown, text, title } from '../markdown.js';
import { problemStepLine } from './problemLine.js';

export function requirementHover(finding: RequirementFinding): vscode.MarkdownString {
  return markdown(
    title(requirementName(finding), vscode.l10n.t('requirement')),
    text(
      sentences(
        vscode.l10n.t('{state}.', { state: heading(requirementStateWord(finding)) }),
        ...requirementNotes(finding),
      ),
    ),
    finding.problem && problemStepLine(finding.problem),
    list(fields(finding.requirement, ['connections'])),
  );
}

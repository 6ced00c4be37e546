import type * as vscode from 'vscode';
import type { Step } from '../../host/text.js';

/** A step as the command of a row. */
export function runStep(step: Step | undefined): { readonly command?: vscode.Command } {
  if (!step) return {};
  return { command: { title: step.title, command: step.command, arguments: [...(step.arguments ?? [])] } };
}

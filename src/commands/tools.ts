import * as vscode from 'vscode';
import type { toolNames } from '../host/ids.js';
import { isRecord } from '../host/isRecord.js';
import type { Services } from '../host/services.js';
import { UserError } from '../host/userError.js';
import { authorizationTool } from './authorizationTool.js';
import { installTool } from './installTool.js';
import { OpenQuestions } from './openQuestions.js';
import type { Tool, ToolInput, ToolQuestion, ToolResult } from './tool.js';
import { dataText, sentenceText } from './toolResult.js';

/** The tools, each as VS Code calls it. */
export function createTools(services: Services): Record<keyof typeof toolNames, vscode.LanguageModelTool<unknown>> {
  return {
    getDeploymentAuthorization: adapt(services, authorizationTool(services)),
    getIntegrationInstall: adapt(services, installTool(services)),
  };
}

export function adapt(services: Services, tool: Tool): vscode.LanguageModelTool<unknown> {
  const { organizations } = services;
  const questions = new OpenQuestions<ToolQuestion>();
  return {
    prepareInvocation: async ({ input }) => {
      await organizations.ready;
      const question = await tool.ask(inputOf(input));
      questions.add(input, question);
      const message = new vscode.MarkdownString(question.text);
      return { invocationMessage: tool.progress, confirmationMessages: { title: tool.title, message } };
    },
    invoke: async ({ input }, token) => {
      const text = await result(services, async () => {
        const agreed = questions.take(input) ?? (await askAgain(tool, inputOf(input)));
        return agreed.read(token);
      });
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}

/** The person agrees here, where it is known which question is answered. */
async function askAgain(tool: Tool, input: ToolInput): Promise<ToolQuestion> {
  const question = await tool.ask(input);
  const chosen = await vscode.window.showQuickPick([question.item], {
    title: tool.title,
    placeHolder: vscode.l10n.t('It is not certain which question you agreed to. Select this one to confirm it.'),
    ignoreFocusOut: true,
  });
  if (!chosen) throw new UserError(vscode.l10n.t('Nothing was read: it was cancelled.'));
  return question;
}

/** Never throws: VS Code writes the input of a tool that throws into its log. */
async function result({ log }: Services, run: () => Promise<ToolResult>): Promise<string> {
  try {
    return dataText(await run());
  } catch (error) {
    if (error instanceof UserError) return sentenceText(log.redact(error.message));
    log.error(`A language-model tool failed: ${error instanceof Error ? error.name : typeof error}`);
    return vscode.l10n.t('Something unexpected went wrong, and nothing was read.');
  }
}

function inputOf(input: unknown): ToolInput {
  return isRecord(input) ? input : {};
}

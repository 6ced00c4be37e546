import * as vscode from 'vscode';
import type { toolNames } from '../host/ids.js';
import { isRecord } from '../host/isRecord.js';
import type { Services } from '../host/services.js';
import { UserError } from '../host/userError.js';
import { authorizationTool } from './authorizationTool.js';
import { installTool } from './installTool.js';
import type { Tool, ToolInput } from './tool.js';

/** The tools, each as VS Code calls it. */
export function createTools(services: Services): Record<keyof typeof toolNames, vscode.LanguageModelTool<unknown>> {
  return {
    getDeploymentAuthorization: adapt(services, authorizationTool(services)),
    getIntegrationInstall: adapt(services, installTool(services)),
  };
}

export function adapt(services: Services, tool: Tool): vscode.LanguageModelTool<unknown> {
  const { log, organizations } = services;
  /** Which organization the person was asked about, by input: another one is not what they agreed to. */
  const agreed = new Map<string, string | undefined>();
  return {
    prepareInvocation: async ({ input }) => {
      await organizations.ready;
      const { organizationId, text } = tool.question(inputOf(input));
      if (agreed.size > mostQuestions) agreed.clear();
      agreed.set(JSON.stringify(input), organizationId);
      const message = new vscode.MarkdownString(text);
      return { invocationMessage: tool.progress, confirmationMessages: { title: tool.title, message } };
    },
    invoke: async ({ input }, token) => {
      const text = await result(services, async () => {
        const key = JSON.stringify(input);
        const asked = agreed.has(key);
        if (asked && agreed.get(key) !== tool.question(inputOf(input)).organizationId) throw organizationChanged();
        return tool.run(inputOf(input), token);
      });
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(log.redact(text))]);
    },
  };
}

/** Questions that nobody answered are not kept for ever. */
const mostQuestions = 100;

/** Never throws: VS Code writes the input of a tool that throws into its log. */
async function result({ log }: Services, run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UserError) return error.message;
    log.error(`A language-model tool failed: ${error instanceof Error ? error.name : typeof error}`);
    return vscode.l10n.t('Something unexpected went wrong, and nothing was read.');
  }
}

function organizationChanged(): UserError {
  return new UserError(
    vscode.l10n.t('The organization changed since you were asked, so nothing was sent. Ask again for the current one.'),
  );
}

function inputOf(input: unknown): ToolInput {
  return isRecord(input) ? input : {};
}

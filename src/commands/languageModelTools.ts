import * as vscode from 'vscode';
import { toolNames } from '../host/ids.js';
import { isRecord } from '../host/isRecord.js';
import type { Services } from '../host/services.js';
import { UserError } from '../host/userError.js';
import { authorizationTool } from './authorizationTool.js';
import { installTool } from './installTool.js';
import type { Tool, ToolInput } from './tool.js';

/** The two read-only tools; an editor without language models goes without. There is deliberately none that revokes. */
export function registerLanguageModelTools(services: Services): vscode.Disposable {
  // Forks of VS Code may lack `lm`, whatever the types say.
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  if (!lm?.registerTool) return new vscode.Disposable(() => undefined);
  return vscode.Disposable.from(
    lm.registerTool(toolNames.getDeploymentAuthorization, adapt(services, authorizationTool(services))),
    lm.registerTool(toolNames.getIntegrationInstall, adapt(services, installTool(services))),
  );
}

function adapt({ log }: Services, tool: Tool): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: tool.progress,
      confirmationMessages: { title: tool.title, message: tool.question(inputOf(input)) },
    }),
    invoke: async ({ input }, token) => {
      const text = await run(tool, inputOf(input), token, log);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(log.redact?.(text) ?? text)]);
    },
  };
}

/** Never throws: VS Code writes the input of a tool that throws into its log. */
async function run(tool: Tool, input: ToolInput, token: vscode.CancellationToken, log: Services['log']) {
  try {
    return await tool.run(input, token);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    log.error(`A language-model tool failed: ${error instanceof Error ? error.name : typeof error}`);
    return vscode.l10n.t('Something unexpected went wrong, and nothing was read.');
  }
}

function inputOf(input: unknown): ToolInput {
  return isRecord(input) ? input : {};
}

import * as vscode from 'vscode';
import { toolNames } from '../host/ids.js';
import { isRecord } from '../host/isRecord.js';
import { lazy } from '../host/lazy.js';
import type { Services } from '../host/services.js';
import { UserError } from '../host/userError.js';
import type { Tool, ToolInput } from './tool.js';

/** The two read-only tools; an editor without language models goes without. There is deliberately none that revokes. */
export function registerLanguageModelTools(services: Services): vscode.Disposable {
  // Forks of VS Code may lack `lm`, whatever the types say.
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  if (!lm?.registerTool) return new vscode.Disposable(() => undefined);
  return vscode.Disposable.from(
    lm.registerTool(
      toolNames.getDeploymentAuthorization,
      adapt(services, async () => (await import('./authorizationTool.js')).authorizationTool(services)),
    ),
    lm.registerTool(
      toolNames.getIntegrationInstall,
      adapt(services, async () => (await import('./installTool.js')).installTool(services)),
    ),
  );
}

function adapt({ log }: Services, load: () => Promise<Tool>): vscode.LanguageModelTool<unknown> {
  const loaded = lazy(load);
  return {
    prepareInvocation: async ({ input }) => {
      const tool = await loaded();
      return {
        invocationMessage: tool.progress,
        confirmationMessages: { title: tool.title, message: tool.question(inputOf(input)) },
      };
    },
    invoke: async ({ input }, token) => {
      const text = await run(loaded, inputOf(input), token, log);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(log.redact?.(text) ?? text)]);
    },
  };
}

/** Never throws: VS Code writes the input of a tool that throws into its log. */
async function run(
  loaded: () => Promise<Tool>,
  input: ToolInput,
  token: vscode.CancellationToken,
  log: Services['log'],
) {
  try {
    const tool = await loaded();
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

import * as vscode from 'vscode';
import { toolNames } from '../host/ids.js';
import { isRecord } from '../host/isRecord.js';
import { lazy } from '../host/lazy.js';
import type { Services } from '../host/services.js';
import { UserError } from '../host/userError.js';
import { inertMarkdown } from '../model/inertText.js';
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

/** The tool as VS Code calls it. */
export function adapt(services: Services, load: () => Promise<Tool>): vscode.LanguageModelTool<unknown> {
  const { log, organizations } = services;
  const loaded = lazy(load);
  /** Which organization the person was asked about, by input: another one is not what they agreed to. */
  const agreed = new Map<string, string | undefined>();
  return {
    prepareInvocation: async ({ input }) => {
      const tool = await loaded();
      await organizations.ready;
      const { organizationId, text } = tool.question(inputOf(input));
      if (agreed.size > mostQuestions) agreed.clear();
      agreed.set(JSON.stringify(input), organizationId);
      const message = new vscode.MarkdownString(inertMarkdown(text));
      return { invocationMessage: tool.progress, confirmationMessages: { title: tool.title, message } };
    },
    invoke: async ({ input }, token) => {
      const text = await result(services, async () => {
        const tool = await loaded();
        const key = JSON.stringify(input);
        const asked = agreed.has(key);
        if (asked && agreed.get(key) !== tool.question(inputOf(input)).organizationId) throw organizationChanged();
        return tool.run(inputOf(input), token);
      });
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(log.redact?.(text) ?? text)]);
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

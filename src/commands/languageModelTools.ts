import * as vscode from 'vscode';
import { toolNames } from '../host/ids.js';
import { lazy } from '../host/lazy.js';
import type { Services } from '../host/services.js';

/** The two read-only tools; an editor without language models goes without. There is deliberately none that revokes. */
export function registerLanguageModelTools(services: Services): vscode.Disposable {
  // Forks of VS Code may lack `lm`, whatever the types say.
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  if (!lm?.registerTool) return new vscode.Disposable(() => undefined);
  const tools = lazy(async () => (await import('./tools.js')).createTools(services));
  const onDemand = (name: keyof typeof toolNames): vscode.LanguageModelTool<unknown> => ({
    prepareInvocation: async (...asked) => (await tools())[name].prepareInvocation?.(...asked),
    invoke: async (...asked) => (await tools())[name].invoke(...asked),
  });
  return vscode.Disposable.from(
    lm.registerTool(toolNames.getDeploymentAuthorization, onDemand('getDeploymentAuthorization')),
    lm.registerTool(toolNames.getIntegrationInstall, onDemand('getIntegrationInstall')),
  );
}

import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { showErrors } from '../host/showErrors.js';

/** Opens links to this extension, in whatever scheme the editor or its fork has. */
export function registerUriHandler(services: Services): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: showErrors(services.log, async (uri: vscode.Uri) => {
      const { openLink } = await import('./openLink.js');
      await openLink(services, uri);
    }),
  });
}

// Only for `npm start`: opens what there is to see. Once: whoever reloads has arranged the window for themselves.
const vscode = require('vscode');

exports.activate = async (context) => {
  if (context.workspaceState.get('shown')) return;
  await context.workspaceState.update('shown', true);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder) {
    const file = vscode.Uri.joinPath(folder.uri, 'deployments.yaml');
    await vscode.window.showTextDocument(file, { preview: false, preserveFocus: true });
  }
  await vscode.commands.executeCommand('automationPlatform.deployments.focus');
};

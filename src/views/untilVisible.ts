import * as vscode from 'vscode';

/** Opens a view and waits until VS Code says that it is shown. Gives up after a while: a view may be removed by the user. */
export async function untilVisible(view: vscode.TreeView<unknown>, viewId: string, longest = 5000): Promise<void> {
  const shown = new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, longest);
    const listener = view.onDidChangeVisibility(({ visible }) => visible && done());
  });
  await vscode.commands.executeCommand(`${viewId}.focus`);
  if (!view.visible) await shown;
}

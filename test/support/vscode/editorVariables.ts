/** Takes away the variables of the VS Code in whose terminal we may run: they would lead another one to the wrong window. */
export function withoutEditorVariables(): Record<string, undefined> {
  const names = Object.keys(process.env).filter((name) => /^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

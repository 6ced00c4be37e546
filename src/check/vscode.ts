type Values = Readonly<Record<string, string | number>>;
type Text = string | { readonly message: string; readonly args?: Values };

/** Stands for `vscode` in the bundle (esbuild.js): the sentences of host/text in English. */
export const l10n = {
  t: (text: Text, values: Values = {}): string =>
    typeof text === 'object'
      ? l10n.t(text.message, text.args)
      : text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
};

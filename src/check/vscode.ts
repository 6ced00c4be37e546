type Values = Readonly<Record<string, string | number>>;
type Message = { readonly message: string; readonly args?: Values };

/** Stands for `vscode` in the bundle (esbuild.js): the sentences of host/text in English. */
export const l10n = {
  t(text: string | Message, values: Values = {}): string {
    if (typeof text === 'object') return l10n.t(text.message, text.args);
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
      String(values[name] ?? placeholder),
    );
  },
};

/** Stands for `vscode` in the bundle (esbuild.js): the sentences of host/text in English. */
export const l10n = {
  t: (sentence: string, values: Readonly<Record<string, string | number>> = {}) =>
    sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
};

/** Stands for `vscode` in the bundle (esbuild.js): the sentences of host/text in English. */
export const l10n = { t: inEnglish };

function inEnglish(sentence: string, values: Readonly<Record<string, unknown>> = {}): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

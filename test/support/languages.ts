/** The sentences of `src/host/text` in a display language, outside VS Code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importBundled } from './bundled.js';
import { projectRoot } from './paths.js';

export type Language = 'en' | 'de' | 'ja' | 'zh-cn';

/**
 * Bundles a module (`src/host/text/format.ts`) with the texts that VS Code would load: it stands for
 * `vscode`, of which `host/text` uses `l10n` alone.
 */
export async function inLanguage<Module>(language: Language, path: string): Promise<Module> {
  const bundle = join(projectRoot, `l10n/bundle.l10n.${language}.json`);
  const texts = language === 'en' ? '{}' : readFileSync(bundle, 'utf8');
  const vscode = `
    const texts = ${texts};
    export const l10n = {
      uri: ${language === 'en' ? undefined : `{ path: '/l10n/bundle.l10n.${language}.json' }`},
      t(text, values) {
        const { message, args = {}, comment } = typeof text === 'object' ? text : { message: text, args: values };
        const found = texts[comment === undefined ? message : message + '/' + comment] ?? message;
        return found.replace(/\\{(\\w+)\\}/g, (whole, name) => String(args[name] ?? whole));
      },
    };`;
  return importBundled<Module>(path, {
    plugins: [
      {
        name: 'vscode',
        setup(build) {
          build.onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'vscode' }));
          build.onLoad({ filter: /./, namespace: 'vscode' }, () => ({ contents: vscode }));
        },
      },
    ],
  });
}

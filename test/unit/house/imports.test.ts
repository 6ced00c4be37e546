import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

const source = join(process.cwd(), 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'));

/** Module specifiers of static and dynamic imports and re-exports, types included. */
function specifiers(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g)].map((m) => m[1]!);
}

const layerOf = (file: string) => (file.includes(sep) ? file.split(sep)[0]! : file);
/** The two stages: what every window has, and what is loaded when there is something to do. */
const may: Record<string, readonly string[]> = {
  api: ['api'],
  model: ['api', 'model'],
  host: ['api', 'model', 'host'],
  views: ['api', 'model', 'host', 'views'],
  commands: ['api', 'model', 'host', 'commands'],
  'app.ts': ['api', 'model', 'host', 'views', 'commands'],
  'extension.ts': ['api', 'model', 'host', 'views', 'commands', 'app.ts'],
};

const imports = new Map(files.map((file) => [file, specifiers(readFileSync(join(source, file), 'utf8'))]));
const local = (file: string, specifier: string) =>
  relative(source, normalize(join(source, dirname(file), specifier))).replace(/\.js$/, '.ts');

describe('the house', () => {
  it('has files in every layer, and imports', () => {
    assert.ok([...imports.values()].flat().length > files.length);
    assert.deepEqual([...new Set(files.map(layerOf))].toSorted(), Object.keys(may).toSorted());
  });

  it('imports only from the left', () => {
    const wrong = [...imports].flatMap(([file, list]) => {
      const targets = list.filter((specifier) => specifier.startsWith('.')).map((specifier) => local(file, specifier));
      return targets.filter((to) => !may[layerOf(file)]?.includes(layerOf(to))).map((to) => `${file} imports ${to}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('keeps vscode out of api and model', () => {
    const wrong = [...imports].filter(([f, list]) => /^(api|model)/.test(f) && list.includes('vscode')).map(([f]) => f);
    assert.deepEqual(wrong, []);
  });

  it('has no cycles', () => {
    const state = new Map<string, 'open' | 'done'>();
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === 'done') return;
      assert.notEqual(state.get(file), 'open', `cycle: ${[...path, file].join(' → ')}`);
      state.set(file, 'open');
      for (const s of imports.get(file) ?? []) if (s.startsWith('.')) visit(local(file, s), [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

/** What each layer may import. Every window loads `extension.ts`, and `app.ts` only when there is something to do. */
const layers: Record<string, readonly string[]> = {
  api: ['api'],
  model: ['api', 'model'],
  text: ['api', 'model', 'host', 'text', 'vscode'],
  host: ['api', 'model', 'host', 'text', 'vscode'],
  /** The check runs without an editor, so it imports only the sentences of `host`. */
  check: ['api', 'model', 'text', 'check'],
  views: ['api', 'model', 'host', 'text', 'views', 'vscode'],
  commands: ['api', 'model', 'host', 'text', 'commands', 'vscode'],
  'app.js': ['api', 'model', 'host', 'text', 'views', 'commands', 'vscode'],
  'extension.js': ['api', 'model', 'host', 'text', 'views', 'commands', 'app.js', 'vscode'],
};
/** What each folder of `model` may import. A file beside these folders is closed to them, unless it is named here. */
const rooms: Record<string, readonly string[]> = {
  base: ['base'],
  findings: ['base', 'findings'],
  store: ['base', 'findings', 'store', 'circuitBreaker.js', 'deploymentNames.js'],
  entered: ['base', 'findings', 'entered'],
  problems: ['base', 'findings', 'store', 'entered', 'problems'],
};

const layerOf = (file: string) => {
  const [layer, room] = file.split(sep);
  return layer === 'host' && room === 'text' ? room : layer!.replace(/\.ts$/, '.js');
};

/** The relative imports of a file in `src`, types and re-exports included, and `vscode` where it is imported. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join('src', file), 'utf8');
  const names = text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+|vscode)['"]/g);
  return Array.from(names, ([, name]) =>
    name === 'vscode' ? name : normalize(join(dirname(file), name!)),
  );
}

describe('the source', () => {
  it('imports between the folders of model only as listed', () => {
    const inModel = files.filter((file) => file.startsWith(`model${sep}`));
    const imported = inModel.flatMap((file) =>
      importsOf(file).flatMap((target) => {
        const [layer, room] = target.split(sep);
        return layer === 'model' ? { file, from: file.split(sep)[1]!, to: room! } : [];
      }),
    );
    const limited = imported.filter(({ from }) => Object.hasOwn(rooms, from));
    const importingRooms = [...new Set(limited.map(({ from }) => from))];
    const wrong = limited.filter(({ from, to }) => !rooms[from]?.includes(to));
    assert.deepEqual(importingRooms.toSorted(), Object.keys(rooms).toSorted());
    assert.deepEqual(wrong, []);
  });

  // The linter forbids cycles.
  it('imports between layers only as listed', () => {
    const imported = files.flatMap((file) =>
      importsOf(file).map((target) => ({ file, from: layerOf(file), to: layerOf(target) })),
    );
    const usedLayers = [...new Set(files.map(layerOf))];
    assert.ok(imported.length > files.length, `only ${imported.length} imports found`);
    assert.deepEqual(usedLayers.toSorted(), Object.keys(layers).toSorted());
    const wrong = imported.filter(({ from, to }) => !layers[from]?.includes(to));
    assert.deepEqual(wrong, []);
  });

  it('is not imported by test/support, which npm start compiles alone', () => {
    const folder = join('test', 'support');
    const support = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    // The files in `window` run in an extension host, beside the compiled tests.
    const started = support.filter(
      (name) => name.endsWith('.ts') && !name.startsWith(`window${sep}`),
    );
    const importingSource = started.filter((name) =>
      /^import (?!type\b).*\/src\//m.test(readFileSync(join(folder, name), 'utf8')),
    );
    assert.notDeepEqual(started, []);
    assert.deepEqual(importingSource, []);
  });

  it('imports only l10n from vscode in host/text and in all that host/text imports', () => {
    const texts = files.filter((file) => file.startsWith(join('host', 'text', sep)));
    const reached = new Set(texts);
    const others: string[] = [];
    // The loop also visits the files that it adds.
    for (const file of reached) {
      const imports = readFileSync(join('src', file), 'utf8').matchAll(
        /(?:^(?:import|export)(?! type\b)([^'"]*?)(?:from )?|\bimport\()['"](\.[^'"]+|vscode)['"]/gm,
      );
      for (const [statement, names = '', from = ''] of imports) {
        if (from !== 'vscode')
          reached.add(normalize(join(dirname(file), from)).replace(/\.js$/, '.ts'));
        else if (names.trim() !== '{ l10n }') others.push(`${file}: ${statement}`);
      }
    }
    assert.ok(reached.size > texts.length, `only ${reached.size} files found`);
    assert.deepEqual(others, []);
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

/** The two stages are what every window has (`extension.ts`), and what is loaded when there is something to do (`app.ts`). */
const may: Record<string, readonly string[]> = {
  api: ['api'],
  model: ['api', 'model'],
  text: ['api', 'model', 'host', 'text', 'vscode'],
  host: ['api', 'model', 'host', 'text', 'vscode'],
  /** Runs without an editor: of `host` only the sentences. */
  check: ['api', 'model', 'text', 'check'],
  views: ['api', 'model', 'host', 'text', 'views', 'vscode'],
  commands: ['api', 'model', 'host', 'text', 'commands', 'vscode'],
  'app.js': ['api', 'model', 'host', 'text', 'views', 'commands', 'vscode'],
  'extension.js': ['api', 'model', 'host', 'text', 'views', 'commands', 'app.js', 'vscode'],
};
/** The rooms of `model`, each with those that it may import; what stands beside them is open to none of them but where it is named. */
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

describe('the house', () => {
  it('keeps the meaning of an answer below the store, and what becomes of a problem above it', () => {
    const inModel = files.filter((file) => file.startsWith(`model${sep}`));
    const imported = inModel.flatMap((file) => {
      const names = readFileSync(join('src', file), 'utf8').matchAll(
        /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g,
      );
      const targets = Array.from(names, ([, name]) =>
        normalize(join(dirname(file), name!)).split(sep),
      );
      return targets.flatMap(([layer, room]) =>
        layer === 'model' ? { file, from: file.split(sep)[1]!, to: room! } : [],
      );
    });
    const limited = imported.filter(({ from }) => Object.hasOwn(rooms, from));
    assert.deepEqual(
      [...new Set(limited.map(({ from }) => from))].toSorted(),
      Object.keys(rooms).toSorted(),
    );
    assert.deepEqual(
      limited.filter(({ from, to }) => !rooms[from]?.includes(to)),
      [],
    );
  });

  // The linter forbids cycles.
  it('imports only from the left, and keeps vscode out of api and model', () => {
    const imported = files.flatMap((file) => {
      // Static and dynamic ones and re-exports, types included.
      const names = readFileSync(join('src', file), 'utf8').matchAll(
        /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+|vscode)['"]/g,
      );
      const to = (name: string) =>
        layerOf(name === 'vscode' ? name : normalize(join(dirname(file), name)));
      return Array.from(names, ([, name]) => ({ file, from: layerOf(file), to: to(name!) }));
    });
    assert.ok(imported.length > files.length);
    assert.deepEqual([...new Set(files.map(layerOf))].toSorted(), Object.keys(may).toSorted());
    const wrong = imported.filter(({ from, to }) => !may[from]?.includes(to));
    assert.deepEqual(wrong, []);
  });

  it('is not needed by what npm start runs, which compiles test/support alone', () => {
    const folder = join('test', 'support');
    const support = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    // Those in `window` run in an extension host, beside the compiled tests.
    const started = support.filter(
      (name) => name.endsWith('.ts') && !name.startsWith(`window${sep}`),
    );
    const compiled = started.filter((name) =>
      /^import (?!type\b).*\/src\//m.test(readFileSync(join(folder, name), 'utf8')),
    );
    assert.ok(started.length > 0);
    assert.deepEqual(compiled, []);
  });

  it('imports of vscode only l10n in host/text and in all files that this needs at run time', () => {
    const texts = files.filter((file) => file.startsWith(join('host', 'text', sep)));
    const reached = new Set(texts);
    const others: string[] = [];
    // The set grows on the way.
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
    assert.ok(reached.size > texts.length);
    assert.deepEqual(others, []);
  });
});

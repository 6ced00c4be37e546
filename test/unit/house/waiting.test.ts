import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import {
  type Identifier,
  isIdentifier,
  isInterfaceDeclaration,
  isModuleDeclaration,
  type Node,
} from 'typescript/unstable/ast';
import {
  API,
  type Checker,
  type Project,
  SignatureKind,
  type Symbol as TypeScriptSymbol,
} from 'typescript/unstable/sync';

/** `docs/waiting.md` lists each function of VS Code that returns a promise and that src uses. */
const page = readFileSync('docs/waiting.md', 'utf8');

/** Finds where src names functions of VS Code that return promises: "TreeView.reveal in src/views/tree/view.ts". */
function promisesInSource(): readonly string[] {
  const api = new API({ cwd: resolve('.') });
  try {
    const config = resolve('src', 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [config] }).getProjects()[0]!;
    const names = project.rootFiles.flatMap((file) => {
      const source = project.program.getSourceFile(file)!;
      if (!source.text.includes("'vscode'")) return [];
      const path = relative('.', file).replaceAll('\\', '/');
      const symbols = new Set(project.checker.getSymbolAtLocation(identifiersIn(source)));
      const promises = Array.from(
        symbols,
        (symbol) => (symbol && promiseName(project, symbol)) ?? [],
      ).flat();
      return promises.map((name) => `${name} in ${path}`);
    });
    return [...new Set(names)].toSorted();
  } finally {
    api.close();
  }
}

function identifiersIn(node: Node): readonly Identifier[] {
  const found: Identifier[] = [];
  const visit = (child: Node): void => {
    if (isIdentifier(child)) found.push(child);
    child.forEachChild(visit);
  };
  visit(node);
  return found;
}

/** Returns "Memento.update", and `undefined` unless VS Code declares the symbol as a function that always returns a promise. */
function promiseName(project: Project, symbol: TypeScriptSymbol): string | undefined {
  const declaration = symbol.declarations.find(({ path }) => path.includes('/@types/vscode/'));
  if (!declaration || !returnsPromise(project.checker, symbol)) return undefined;
  let owner = declaration.resolve(project)?.parent;
  while (owner && !isInterfaceDeclaration(owner) && !isModuleDeclaration(owner))
    owner = owner.parent;
  return owner && `${owner.name.text}.${symbol.name}`;
}

function returnsPromise(checker: Checker, symbol: TypeScriptSymbol): boolean {
  const type = checker.getTypeOfSymbol(symbol);
  const signatures = type ? checker.getSignaturesOfType(type, SignatureKind.Call) : [];
  return signatures.some(
    (one) => checker.getReturnTypeOfSignature(one)?.getSymbol()?.name === 'Thenable',
  );
}

describe('docs/waiting.md', function () {
  this.timeout(60_000);
  let used: readonly string[];
  before(() => {
    used = promisesInSource();
  });

  /** The rows of the page, which begin with functions of VS Code and name files. */
  const listed = page.split('\n').flatMap((line) => {
    const [names = '', files = ''] = line.split(' | ');
    const functions = Array.from(names.matchAll(/`(\w+\.\w+)`/g), ([, name]) => name!);
    const paths = Array.from(files.matchAll(/`(src\/[\w./-]+\.ts)`/g), ([, path]) => path!);
    return functions.flatMap((name) => paths.map((path) => `${name} in ${path}`));
  });

  it('names each use in src of a function of VS Code that returns a promise', () => {
    const missing = used.filter((one) => !listed.includes(one));
    assert.ok(used.length > 20, `only ${used.length} uses found`);
    assert.deepEqual(missing, []);
  });

  it('names no function of VS Code that src does not use', () => {
    const names = new Set(used.map((one) => one.split(' in ')[0]!));
    const unused = listed.filter((one) => !names.has(one.split(' in ')[0]!));
    assert.deepEqual(unused, []);
  });
});

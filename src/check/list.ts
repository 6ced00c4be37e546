import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { ListedDeployment } from '../model/deployment.js';
import { mergeEntries, readEntry } from '../model/listEntries.js';

const setting = 'automationPlatform.deployments';

/** Where an entry stands; line and column from 1. */
export type Place = readonly [file: string, line: number, column: number];

export class List {
  readonly listed: readonly ListedDeployment[];
  readonly places = new Map<string, Place>();
  readonly errors: string[] = [];
  private readonly entries: unknown[] = [];

  constructor(
    ids: readonly string[],
    file: string | undefined,
    private readonly redact: (text: string) => string,
  ) {
    const workspaces = readdirSync('.').filter((name) => name.endsWith('.code-workspace'));
    const inFolder = ['.vscode/settings.json', ...workspaces.toSorted()].filter((name) => existsSync(name));
    for (const id of ids) this.take(id);
    for (const name of file === undefined ? (ids.length > 0 ? [] : inFolder) : [file]) this.readFile(name);
    this.listed = mergeEntries([this.entries]);
  }

  private readFile(file: string): void {
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
    const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    const placeOf = (offset: number): Place => {
      const line = lineStarts.findLastIndex((start) => start <= offset);
      return [file, line + 1, offset - lineStarts[line]! + 1];
    };
    // No ID begins as a settings file does.
    if (!/\.(?:jsonc?|code-workspace)$/i.test(file) && !/^\s*(?:\{|\/[/*])/.test(text)) {
      for (const { 0: id, index } of text.matchAll(/\S(?:.*\S)?/g)) this.take(id, placeOf(index));
      return;
    }
    const problems: ParseError[] = [];
    const root = parseTree(text, problems, { allowTrailingComma: true, allowEmptyContent: true });
    if (problems[0]) this.report('This is not valid JSON, so entries may be missing.', placeOf(problems[0].offset));
    // A workspace file has its settings one level deeper.
    for (const list of [valueOf(root, setting), valueOf(valueOf(root, 'settings'), setting)]) {
      if (list?.type === 'array')
        for (const one of list.children ?? []) this.take(getNodeValue(one), placeOf(one.offset));
      else if (list) this.report(`${setting} is not a list.`, placeOf(list.offset));
    }
  }

  private take(value: unknown, place?: Place): void {
    const { id, label } = readEntry(value) ?? {};
    if (id === undefined) return this.report('This is neither an ID nor { "id": "...", "label": "..." }.', place);
    if (this.redact(id) !== id) return this.report('This holds the token, so it is not sent as an ID.', place);
    this.entries.push(label === undefined ? id : { id, label: this.redact(label) });
    if (place && !this.places.has(id)) this.places.set(id, place);
  }

  private report(sentence: string, place: Place | undefined): void {
    this.errors.push(place ? `${place.join(':')}: ${sentence}` : sentence);
  }
}

/** The last one counts, as for VS Code. */
function valueOf(node: Node | undefined, key: string): Node | undefined {
  const properties = node?.type === 'object' ? node.children : undefined;
  return properties?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

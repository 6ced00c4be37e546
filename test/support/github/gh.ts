/**
 * Stands in for `gh`, the command line of GitHub: a program that keeps one repository in the JSON
 * file that `GH_STATE` names. It takes the commands and options of the snippet for GitHub Actions,
 * and ends with 1 for everything else.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly labels: readonly string[];
  state: 'open' | 'closed';
  body: string;
  readonly comments: string[];
  /** GitHub lists pull requests as issues that have this. */
  readonly pull_request?: object;
}

export interface Repository {
  readonly visibility: 'public' | 'private' | 'internal';
  readonly default_branch: string;
  labels: string[];
  /** The newest last. */
  readonly issues: Issue[];
  /** The commands that change something, such as "issue edit". */
  readonly changes: string[];
}

const [command = '', ...rest] = process.argv.slice(2);
const file = variable('GH_STATE');
const repository: Repository = JSON.parse(readFileSync(file, 'utf8'));
variable('GH_TOKEN');
process.stdout.write(run());
writeFileSync(file, JSON.stringify(repository));

/** Returns what `gh` prints. */
function run(): string {
  if (command === 'api') return api(rest);
  const [action = '', ...args] = rest;
  switch (`${command} ${action}`) {
    case 'label create':
      return createLabel(args);
    case 'issue view':
      return viewIssue(args);
    default:
      if (command !== 'issue') throw new Error(`unknown command "${command}"`);
      repository.changes.push(`issue ${action}`);
      return changeIssue(action, args);
  }
}

function api(args: readonly string[]): string {
  const { positionals, values } = read(args, ['jq']);
  const { pathname, searchParams } = new URL(positionals[0] ?? '', 'https://api.github.example');
  switch (pathname) {
    case `/repos/${variable('GH_REPO')}`: {
      const { visibility, default_branch: branch } = repository;
      const texts = { '.visibility + " " + .default_branch': `${visibility} ${branch}\n` };
      return printed(texts, values['jq']);
    }
    case `/repos/${variable('GH_REPO')}/issues`:
      return printed(listedTexts(searchParams), values['jq']);
    default:
      throw new Error('Not Found (HTTP 404)');
  }
}

/** Returns what an expression prints of the list of issues. As GitHub does, it lists the newest first. */
function listedTexts(options: URLSearchParams): Record<string, string> {
  const label = options.get('labels');
  const state = options.get('state') ?? 'open';
  const found = repository.issues.filter(
    (issue) =>
      (label === null || issue.labels.includes(label)) &&
      (state === 'all' || issue.state === state),
  );
  const isOldestFirst = options.get('sort') === 'created' && options.get('direction') === 'asc';
  const listed = isOldestFirst ? found : found.toReversed();
  const first = listed.find((issue) => issue.pull_request === undefined);
  const expression =
    'map(select(.pull_request == null)) | .[0] // empty | "\\(.number) \\(.state)"';
  return { [expression]: first === undefined ? '' : `${first.number} ${first.state}\n` };
}

function createLabel(args: readonly string[]): string {
  const { positionals, values } = read(args, ['color', 'description'], ['force']);
  const [name = ''] = positionals;
  if (repository.labels.includes(name) && values['force'] !== true) {
    throw new Error(`label with name "${name}" already exists`);
  }
  repository.labels = [...new Set([...repository.labels, name])];
  return '';
}

function viewIssue(args: readonly string[]): string {
  const { positionals, values } = read(args, ['json', 'jq']);
  return printed({ '.body': `${issueOf(positionals).body}\n` }, values['jq']);
}

function changeIssue(action: string, args: readonly string[]): string {
  const { positionals, values } = read(args, ['title', 'label', 'body-file', 'comment']);
  const bodyFile = values['body-file'];
  const body = typeof bodyFile === 'string' ? readFileSync(bodyFile, 'utf8') : undefined;
  if (body !== undefined && body.length > 65_536) throw new Error('Body is too long');
  switch (action) {
    case 'create':
      return createIssue(String(values['title']), String(values['label']), body);
    case 'edit':
      issueOf(positionals).body = body!;
      return '';
    case 'close':
      issueOf(positionals).state = 'closed';
      issueOf(positionals).comments.push(String(values['comment']));
      return '';
    case 'reopen':
      issueOf(positionals).state = 'open';
      return '';
    default:
      throw new Error(`unknown command "${action}"`);
  }
}

function createIssue(title: string, label: string, body = ''): string {
  if (!repository.labels.includes(label)) throw new Error(`'${label}' not found`);
  const number = Math.max(0, ...repository.issues.map((issue) => issue.number)) + 1;
  const issue: Issue = { number, title, labels: [label], state: 'open', body, comments: [] };
  repository.issues.push(issue);
  return `https://github.example/${variable('GH_REPO')}/issues/${number}\n`;
}

function issueOf([number]: readonly string[]): Issue {
  const issue = repository.issues.find((candidate) => String(candidate.number) === number);
  if (issue === undefined) throw new Error(`no issue ${number}`);
  return issue;
}

/** Returns what an expression of jq prints. `texts`: what each that is known prints. */
function printed(texts: Readonly<Record<string, string>>, expression: unknown): string {
  const text = texts[String(expression)];
  if (text === undefined) throw new Error(`unknown expression ${String(expression)}`);
  return text;
}

/** Throws for an option that is not named. */
function read(args: readonly string[], texts: readonly string[], flags: readonly string[] = []) {
  const optionOf = (type: 'string' | 'boolean') => (name: string) => [name, { type }] as const;
  const options = Object.fromEntries([
    ...texts.map(optionOf('string')),
    ...flags.map(optionOf('boolean')),
  ]);
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { listText } from '../host/text/format.js';
import { groupProblem, maxGroupChars, readEntry } from '../model/entered/listEntries.js';
import { WrongArguments } from './refusal.js';

/** What kinds of problems make the check fail. */
export type FailOn = 'not-satisfied' | 'failed';

export interface Options {
  /** Whether only the usage is to be printed. */
  readonly help: boolean;
  /** Whether only the version is to be printed. */
  readonly version: boolean;
  /** The deployment IDs of `--id`. */
  readonly ids: readonly string[];
  /** The files of `--list`. */
  readonly lists: readonly string[];
  /** The groups of `--group`, whose deployments alone are checked; all without any. */
  readonly groups: readonly string[];
  readonly failOn: FailOn;
  readonly format: 'text' | 'json' | 'github';
  readonly timeoutMs: number;
  /** The file of `--junit`. */
  readonly junit: string | undefined;
  /** The file of `--summary`. */
  readonly summary: string | undefined;
  /** Whether problems that are muted for everyone count. */
  readonly ignoresMutes: boolean;
  /** Whether a missing token is no error. */
  readonly skipsWithoutToken: boolean;
}

/** Throws `WrongArguments`. */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { group: groups, help, junit, list: lists, summary, timeout, version } = values;
  if (!/^0*[1-9]\d{0,4}$/.test(timeout))
    throw new WrongArguments('--timeout takes 1 to 99999 seconds.');
  const ids = values.id.map((id) => id.trim());
  if (ids.some((id) => readEntry(id) === undefined)) {
    throw new WrongArguments('--id takes the ID of a deployment.');
  }
  if (groups.some((group) => groupProblem(group) !== undefined)) {
    throw new WrongArguments(
      `--group takes the name of a group, of 1 to ${maxGroupChars} characters.`,
    );
  }
  const files = { '--list': lists, '--junit': [junit], '--summary': [summary] };
  for (const [option, names] of Object.entries(files)) {
    if (names.includes('')) throw new WrongArguments(`${option} takes the name of a file.`);
  }
  return {
    help,
    version,
    ids,
    lists,
    groups,
    failOn: oneOf('--fail-on', values['fail-on'], ['not-satisfied', 'failed']),
    format: oneOf('--format', values.format, ['text', 'json', 'github']),
    timeoutMs: Number(timeout) * 1000,
    junit,
    summary,
    ignoresMutes: values['ignore-mutes'],
    skipsWithoutToken: readWithoutToken(values['without-token']),
  };
}

/** The files that the arguments name. */
export type NamedFiles = Pick<Options, 'junit' | 'lists' | 'summary'>;

/**
 * Returns the files of `--junit` and `--summary` that wrong arguments name, each if it is named
 * once, and as lists all other values, any of which may be one.
 */
export function filesInWrongArguments(args: readonly string[]): NamedFiles {
  const values = args.flatMap((arg, index) => {
    const [, option, value] = /^(--[^=]+)=(.+)$/s.exec(arg) ?? [];
    if (option !== undefined && value !== undefined) return [{ option, value }];
    const isValue = arg !== '' && !arg.startsWith('-');
    return isValue ? [{ option: args[index - 1], value: arg }] : [];
  });
  const fileOf = (name: string): string | undefined => {
    const files = values.filter(({ option }) => option === name);
    return files.length === 1 ? files[0]?.value : undefined;
  };
  const others = values.filter(({ option }) => option !== '--junit' && option !== '--summary');
  return {
    junit: fileOf('--junit'),
    summary: fileOf('--summary'),
    lists: others.map(({ value }) => value),
  };
}

/** `value`: `undefined` if the option is absent. */
function readWithoutToken(value: string | undefined): boolean {
  if (value === undefined) return false;
  oneOf('--without-token', value, ['skip']);
  return true;
}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

const optionConfigs = {
  list: { ...texts, default: [] },
  id: { ...texts, default: [] },
  group: { ...texts, default: [] },
  'fail-on': { ...text, default: 'not-satisfied' },
  format: { ...text, default: 'text' },
  junit: text,
  summary: text,
  'ignore-mutes': flag,
  timeout: { ...text, default: '300' },
  'without-token': text,
  version: flag,
  help: { ...flag, short: 'h' },
};

/** Throws `WrongArguments`: "There is no option --nothing." */
function parse(args: string[]) {
  const config = { args, options: optionConfigs };
  // Without `strict`, Node accepts all arguments. Its own sentences have several lines.
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional')
      throw new WrongArguments(`Unexpected argument: “${token.value}”.`);
    const problem = optionProblem(token, given);
    if (problem) throw new WrongArguments(problem);
    given.add(token.name);
  }
  return parseArgs(config).values;
}

type OptionConfig = NonNullable<ParseArgsConfig['options']>[string];

/** An option as it stands in the arguments. */
interface GivenOption {
  readonly name: string;
  /** With its dashes: "--help", "-h". */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Whether the value follows `=`. */
  readonly inlineValue: boolean | undefined;
}

/**
 * "--format can be given once."; `undefined` if the option can stand here. `given`: the options
 * before it.
 */
function optionProblem(
  { name, rawName, value, inlineValue }: GivenOption,
  given: ReadonlySet<string>,
): string | undefined {
  const configs = new Map<string, OptionConfig>(Object.entries(optionConfigs));
  const config = configs.get(name);
  if (!config) return `There is no option ${rawName}.`;
  if (config.type === 'boolean')
    return value === undefined ? undefined : `${rawName} takes no value.`;
  if (value === undefined) return `${rawName} takes a value.`;
  const isLikeOption = !inlineValue && value.length > 1 && value.startsWith('-');
  if (isLikeOption)
    return `${rawName} takes a value. One that begins with a dash is written as ${rawName}=-x.`;
  if (!config.multiple && given.has(name)) return `${rawName} can be given once.`;
  return undefined;
}

/**
 * Returns the value if it is allowed. Throws `WrongArguments`: "--format takes text, json, or
 * github."
 */
function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((allowedValue) => allowedValue === value);
  if (found === undefined) throw new WrongArguments(`${option} takes ${listText(allowed, 'or')}.`);
  return found;
}

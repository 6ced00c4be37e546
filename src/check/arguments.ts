import { join, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { readEntry } from '../model/entered/listEntries.js';
import { isWorkspaceFile, settingsFile } from './list.js';
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
  readonly failOn: FailOn;
  readonly format: 'text' | 'json' | 'github';
  readonly timeoutMs: number;
  /** The file of `--junit`. */
  readonly junit: string | undefined;
  /** The file of `--summary`. */
  readonly summary: string | undefined;
  /** Whether a missing token is no error. */
  readonly skipsWithoutToken: boolean;
}

/** Throws `WrongArguments`. */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { help, id: ids, junit, list: lists, summary, timeout, version } = values;
  if (!/^0*[1-9]\d{0,4}$/.test(timeout))
    throw new WrongArguments('--timeout takes 1 to 99999 seconds.');
  if (ids.some((id) => readEntry(id) === undefined)) {
    throw new WrongArguments('--id takes the ID of a deployment.');
  }
  refuseToOverwrite({ junit, summary, lists });
  return {
    help,
    version,
    ids,
    lists,
    failOn: oneOf('--fail-on', values['fail-on'], ['not-satisfied', 'failed']),
    format: oneOf('--format', values.format, ['text', 'json', 'github']),
    timeoutMs: Number(timeout) * 1000,
    junit,
    summary,
    skipsWithoutToken: readWithoutToken(values['without-token']),
  };
}

/** The file of the check itself. */
const [, program = ''] = process.argv;

/**
 * Throws `WrongArguments` if a file to write has no name, or is a file that the check reads: writing
 * would lose it.
 */
function refuseToOverwrite({
  junit,
  summary,
  lists,
}: {
  readonly junit: string | undefined;
  readonly summary: string | undefined;
  readonly lists: readonly string[];
}): void {
  if (junit === '') throw new WrongArguments('--junit takes the name of a file.');
  if (summary === '') throw new WrongArguments('--summary takes the name of a file.');
  const taken = new Set([...lists, program].map((file) => resolve(file)));
  for (const file of [junit, summary]) {
    if (file === undefined) continue;
    const path = resolve(file);
    if (taken.has(path) || mayBeSettings(path))
      throw new WrongArguments(`${file} would be overwritten.`);
    taken.add(path);
  }
}

/** Whether the path is that of settings in some folder: a workspace file can name any folder. */
function mayBeSettings(path: string): boolean {
  return isWorkspaceFile(path) || path.endsWith(join(sep, settingsFile));
}

/** `value`: empty if the option is absent. */
function readWithoutToken(value: string): boolean {
  if (value === '') return false;
  oneOf('--without-token', value, ['skip']);
  return true;
}

const stringOption = { type: 'string' } as const;

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        list: { ...stringOption, multiple: true, default: [] },
        id: { ...stringOption, multiple: true, default: [] },
        'fail-on': { ...stringOption, default: 'not-satisfied' },
        format: { ...stringOption, default: 'text' },
        junit: stringOption,
        summary: stringOption,
        timeout: { ...stringOption, default: '300' },
        'without-token': { ...stringOption, default: '' },
        version: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new WrongArguments(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Returns the value if it is allowed. Throws `WrongArguments`: "--fail-on takes not-satisfied or
 * failed."
 */
function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((allowedValue) => allowedValue === value);
  if (found === undefined) throw new WrongArguments(`${option} takes ${allowed.join(' or ')}.`);
  return found;
}

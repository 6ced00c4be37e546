import { parseArgs } from 'node:util';
import { readEntry } from '../model/entered/listEntries.js';
import { WrongArguments } from './refusal.js';

/** What kinds of problems make the check fail. */
export type FailOn = 'not-satisfied' | 'failed';

export interface Options {
  /** Whether only the usage is to be printed. */
  readonly help: boolean;
  /** The deployment IDs of `--id`. */
  readonly ids: readonly string[];
  /** The files of `--list`. */
  readonly lists: readonly string[];
  readonly failOn: FailOn;
  readonly format: 'text' | 'json' | 'github';
  readonly timeoutMs: number;
  /** Whether a missing token is no error. */
  readonly skipsWithoutToken: boolean;
}

/** Throws `WrongArguments`. */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { help, id: ids, list: lists, timeout } = values;
  if (!/^0*[1-9]\d{0,4}$/.test(timeout))
    throw new WrongArguments('--timeout takes 1 to 99999 seconds.');
  if (ids.some((id) => readEntry(id) === undefined)) {
    throw new WrongArguments('--id takes the ID of a deployment.');
  }
  return {
    help,
    ids,
    lists,
    failOn: oneOf('--fail-on', values['fail-on'], ['not-satisfied', 'failed']),
    format: oneOf('--format', values.format, ['text', 'json', 'github']),
    timeoutMs: Number(timeout) * 1000,
    skipsWithoutToken: readWithoutToken(values['without-token']),
  };
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
        timeout: { ...stringOption, default: '300' },
        'without-token': { ...stringOption, default: '' },
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

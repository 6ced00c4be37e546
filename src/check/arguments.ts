import { parseArgs } from 'node:util';
import { readEntry } from '../model/entered/listEntries.js';

/** Why nothing is checked. `exitCode`: 2 for what could not be read, 3 for what is not configured, 64 for wrong arguments. */
export function refusal(exitCode: 2 | 3 | 64, reason: string): Error {
  return Object.assign(new Error(reason), { exitCode });
}

const stringOption = { type: 'string' } as const;

/** Throws `refusal`, or an error of Node whose code begins with `ERR_PARSE_ARGS_`. */
export function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      list: stringOption,
      id: { ...stringOption, multiple: true, default: [] },
      'fail-on': { ...stringOption, default: 'not-satisfied' },
      format: { ...stringOption, default: 'text' },
      timeout: { ...stringOption, default: '300' },
      'without-token': { ...stringOption, default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { 'fail-on': failOn, format, help, id: ids, list, timeout, 'without-token': withoutToken } = values;
  if (!/^0*[1-9]\d{0,4}$/.test(timeout)) throw refusal(64, '--timeout takes 1 to 99999 seconds.');
  if (ids.some((id) => readEntry(id) === undefined)) throw refusal(64, '--id takes the ID of a deployment.');
  return {
    help,
    ids,
    list,
    failOn: oneOf('--fail-on', failOn, ['not-satisfied', 'failed']),
    format: oneOf('--format', format, ['text', 'json', 'github']),
    timeoutMs: Number(timeout) * 1000,
    skipsWithoutToken: withoutToken !== '' && oneOf('--without-token', withoutToken, ['skip']) === 'skip',
  };
}

function oneOf<const T extends string>(option: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === given);
  if (found === undefined) throw refusal(64, `${option} takes ${allowed.join(' or ')}.`);
  return found;
}

import { parseArgs } from 'node:util';
import { readEntry } from '../model/entered/listEntries.js';
import { WrongArguments } from './refusal.js';

const stringOption = { type: 'string' } as const;

/** Throws `WrongArguments`. */
export function readOptions(args: string[]) {
  const values = parse(args);
  const { 'fail-on': failOn, format, help, id: ids, list: lists, timeout } = values;
  const withoutToken = values['without-token'];
  if (!/^0*[1-9]\d{0,4}$/.test(timeout))
    throw new WrongArguments('--timeout takes 1 to 99999 seconds.');
  if (ids.some((id) => readEntry(id) === undefined)) {
    throw new WrongArguments('--id takes the ID of a deployment.');
  }
  return {
    help,
    ids,
    lists,
    failOn: oneOf('--fail-on', failOn, ['not-satisfied', 'failed']),
    format: oneOf('--format', format, ['text', 'json', 'github']),
    timeoutMs: Number(timeout) * 1000,
    skipsWithoutToken:
      withoutToken !== '' && oneOf('--without-token', withoutToken, ['skip']) === 'skip',
  };
}

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

function oneOf<const T extends string>(option: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === given);
  if (found === undefined) throw new WrongArguments(`${option} takes ${allowed.join(' or ')}.`);
  return found;
}

import { isRecord } from '../host/isRecord.js';

/**
 * The arguments that the contract lets other programs give. They only prefill: whatever is wrong with them is left out, and the
 * person is asked as if nothing had been given.
 */

/** Longer than any address, id or name that somebody means. */
const longest = 2000;

export function textPrefill(argument: unknown): string | undefined {
  if (typeof argument !== 'string' || argument.length > longest) return undefined;
  return argument.trim() === '' ? undefined : argument.trim();
}

export function signInPrefill(argument: unknown): { readonly baseUrl?: string; readonly name?: string } {
  return fields(argument, 'baseUrl', 'name');
}

export function addDeploymentPrefill(argument: unknown): { readonly id?: string; readonly label?: string } {
  return fields(argument, 'id', 'label');
}

function fields<K extends string>(argument: unknown, ...keys: readonly K[]): Partial<Record<K, string>> {
  if (!isRecord(argument)) return {};
  const result: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const text = textPrefill(argument[key]);
    if (text !== undefined) result[key] = text;
  }
  return result;
}
